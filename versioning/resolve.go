package versioning

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/internal/suggest"
	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// minPrefix is how many digits of a hash are the least that name it.
const minPrefix = 8

// Resolve finds the record that a ref_or_hash names. It is one of
//
//   - "" or HEAD;
//   - a full ref, refs/heads/NAME or refs/tags/NAME;
//   - the name of a branch, or else of a tag;
//   - 64 hex digits: a record's id, or else a state's hash, which names the
//     newest record of that state on HEAD's branch, or else anywhere;
//   - 8 or more hex digits that only one of them begins with. Several that
//     lead to the same state are not ambiguous: the newest is meant, those on
//     HEAD's branch before others.
//
// Each may be followed by ~N: the Nth first parent. It does not lead to, nor
// over, a record that Repair took out.
//
// It fails with UnknownRef, or with Ambiguous and what the digits fit. A hash
// costs a search of the index: about two milliseconds for 10,000 records.
//
// Where something is damaged, it reads around the damage; it fails with Corrupt for
// a record that cannot be read, and for a branch, or HEAD, that a damaged
// transaction may have moved.
func (h *History) Resolve(ctx context.Context, refOrHash string) (rec Record, err error) {
	err = h.read(ctx, "Resolve", func(v *view) error {
		seq, err := v.resolve(refOrHash)
		if err == nil {
			rec, err = v.record(seq)
		}
		return err
	})
	return rec, err
}

// resolve finds the transaction of the record that a ref_or_hash names.
func (v *view) resolve(refOrHash string) (uint64, error) {
	name, _, _ := strings.Cut(refOrHash, "~")
	full, _, _ := v.refs.lookup(name)
	if name == "" || name == headRef {
		if err := v.checkHead(); err != nil {
			return 0, err
		}
	} else if strings.HasPrefix(full, headsPrefix) {
		if err := v.checkSure(full); err != nil {
			return 0, err
		}
	}
	return v.resolveRoughly(refOrHash)
}

// resolveRoughly is resolve, and takes refs for where they last were.
func (v *view) resolveRoughly(refOrHash string) (uint64, error) {
	name, count, tilde := strings.Cut(refOrHash, "~")
	steps := 0
	if tilde {
		var err error
		if steps, err = strconv.Atoi(count); count != "" && (err != nil || steps < 0 || count[0] == '+') {
			return 0, fail("", UnknownRef, refOrHash, "~ must be followed by a number of steps back")
		}
		if count == "" {
			steps = 1
		}
	}
	seq, err := v.resolveName(name)
	if err != nil {
		return 0, err
	}
	for i := range steps {
		r, err := v.recordRow(seq)
		if err != nil {
			return 0, err
		}
		if seq = r.Parents[0]; seq == 0 {
			return 0, fail("", UnknownRef, refOrHash, "it has only %d records before it", i)
		}
		if v.isGone(seq) {
			return 0, v.hole(refOrHash, i+1, seq)
		}
	}
	return seq, nil
}

// hole makes the error for a name of a record that Repair took out, so many
// steps back.
func (v *view) hole(name string, steps int, seq uint64) error {
	err := fail("", UnknownRef, name, "the record %d back was damaged, and repair took it out", steps)
	for _, before := range v.across(seq) {
		if r, rowErr := v.Row(before); rowErr == nil {
			err.Matches = append(err.Matches, Hash(r.ID).String())
		}
	}
	if len(err.Matches) > 0 {
		err.Message += "; before it there is"
	}
	return err
}

func (v *view) resolveName(name string) (uint64, error) {
	if name == "" || name == headRef {
		seq, _ := v.refs.head()
		return seq, nil
	}
	if _, p, ok := v.refs.lookup(name); ok {
		return p.To, nil
	}
	if len(name) >= minPrefix && len(name) <= 64 && isHex(name) {
		return v.resolveHash(name)
	}
	return 0, v.unknown(name)
}

// resolveHash finds the record of 8 or more digits.
func (v *view) resolveHash(digits string) (uint64, error) {
	var byID, byState []uint64 // newest first
	prefix := parsePrefix(digits)
	for seq := v.Last(); seq > 0; seq-- {
		r, err := v.Row(seq)
		if err != nil {
			return 0, err
		}
		switch {
		case !r.Has(journal.HasRecord):
		case prefix.matches(&r.ID):
			if len(digits) == 64 {
				return seq, nil
			}
			byID = append(byID, seq)
		case prefix.matches(&r.State):
			byState = append(byState, seq)
		}
	}
	fits := slices.Concat(byID, byState)
	if len(fits) == 0 {
		if err := v.lostDigits(digits); err != nil {
			return 0, err
		}
		return 0, v.unknown(digits)
	}
	states, ids := map[Hash]bool{}, map[Hash]bool{}
	var names []string
	for _, seq := range fits {
		r, err := v.Row(seq)
		if err != nil {
			return 0, err
		}
		if states[r.State] = true; !ids[r.ID] {
			ids[r.ID] = true
			names = append(names, Hash(r.ID).String())
		}
	}
	if len(states) > 1 {
		return 0, &Error{Kind: Ambiguous, Name: digits, Message: "give more digits; it fits the records", Matches: names}
	}
	slices.Sort(fits)
	slices.Reverse(fits)
	return v.newestOnBranch(fits)
}

// newestOnBranch chooses among transactions, newest first.
func (v *view) newestOnBranch(fits []uint64) (uint64, error) {
	if len(fits) == 1 {
		return fits[0], nil
	}
	head, _ := v.refs.head()
	for r, err := range v.ancestry(head) {
		if err != nil {
			return 0, err
		}
		if slices.Contains(fits, r.seq) {
			return r.seq, nil
		}
		if r.seq < fits[len(fits)-1] {
			break
		}
	}
	return fits[0], nil
}

// unknown makes the error for a name that nothing has, with the names that are
// like it.
func (v *view) unknown(name string) error {
	err := fail("", UnknownRef, name, "no branch, tag, record or state has this name")
	name, _, _ = strings.Cut(name, "~")
	name = strings.TrimPrefix(strings.TrimPrefix(name, headsPrefix), tagsPrefix)
	names := []string{"HEAD"}
	for _, full := range v.refs.names() {
		short := strings.TrimPrefix(strings.TrimPrefix(full, headsPrefix), tagsPrefix)
		names = append(names, short)
		if name != "" && (strings.EqualFold(short, name) || strings.HasPrefix(short, name) || strings.HasPrefix(name, short)) {
			err.Matches = append(err.Matches, short)
		}
	}
	for _, near := range suggest.Nearest(name, names) {
		if !slices.Contains(err.Matches, near) {
			err.Matches = append(err.Matches, near)
		}
	}
	if len(err.Matches) > 0 {
		err.Message += "; there is"
	}
	return err
}
