package proving

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"regexp"
	"time"

	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
)

// What is read of a file of records: far more than all moves have.
const (
	mostLine = 1 << 20  // bytes
	mostFile = 64 << 20 // bytes
)

// A Record is the proof of one move or one named mask on one darktable: a line of
// proofs/IDENTITY.jsonl.
type Record struct {
	// Identity of the darktable, which names the file, too, and its version.
	Identity  string `json:"identity"`
	Darktable string `json:"darktable"`
	// Entry is the move's name, Mask the mask's; one of them is empty.
	Entry string `json:"entry,omitempty"`
	Mask  string `json:"mask,omitempty"`
	// Digest is that of the entry or the mask.
	Digest string `json:"digest"`
	// Chemigram is the version of the program that proved it, Time when, in UTC.
	Chemigram string    `json:"chemigram"`
	Time      time.Time `json:"time"`
	// Skipped is why this darktable cannot do the move; it has no findings then.
	Skipped  string    `json:"skipped,omitempty"`
	Findings []Finding `json:"findings"`
}

// Finding is the outcome of one check, as prove.Finding describes it.
type Finding struct {
	Check    string        `json:"check"`
	Claim    string        `json:"claim,omitempty"`
	Before   Number        `json:"before"`
	After    Number        `json:"after"`
	Failed   []vocab.Scene `json:"failed,omitempty"`
	Intended bool          `json:"intended,omitempty"`
	Sweep    []Number      `json:"sweep,omitempty"`
	OK       bool          `json:"ok"`
	Message  string        `json:"message,omitempty"`
}

// Number is a number that may be no number, which is null in JSON.
type Number float64

// MarshalJSON writes null for what JSON has no number for.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads null as NaN.
func (n *Number) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

// subject is what a record is about: a move or a named mask.
type subject struct{ entry, mask string }

func (s subject) String() string {
	if s.mask != "" {
		return "the mask " + s.mask
	}
	return s.entry
}

func (r Record) subject() subject { return subject{r.Entry, r.Mask} }

// setFindings takes over what was found.
func (r *Record) setFindings(found []prove.Finding) {
	r.Findings = []Finding{}
	for _, f := range found {
		to := Finding{
			Check: f.Check, Claim: f.Claim, Before: Number(f.Before), After: Number(f.After), Failed: f.Failed, Intended: f.Intended,
			OK: f.OK, Message: f.Message,
		}
		for _, v := range f.Sweep {
			to.Sweep = append(to.Sweep, Number(v))
		}
		r.Findings = append(r.Findings, to)
	}
}

// Failure is the first finding that does not hold.
func (r Record) Failure() (f Finding, failed bool) {
	for _, f := range r.Findings {
		if !f.OK {
			return f, true
		}
	}
	return Finding{}, false
}

// String is a finding as a line, with what was measured.
func (f Finding) String() string {
	s := f.Check
	if f.Claim != "" {
		s += " " + f.Claim
	}
	if f.Message != "" {
		return s + ": " + f.Message
	}
	return fmt.Sprintf("%s: %.4g → %.4g", s, float64(f.Before), float64(f.After))
}

var digest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// decode reads a line of the file of a darktable. It refuses what no program of ours has
// written there.
func decode(line []byte, identity string) (r Record, err error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	if err := decoder.Decode(&r); err != nil {
		return r, err
	}
	_, after := decoder.Token()
	switch {
	case !errors.Is(after, io.EOF):
		return r, errors.New("more follows the record")
	case r.Identity != identity:
		return r, errors.New("it is of another darktable")
	case (r.Entry == "") == (r.Mask == ""):
		return r, errors.New("it is of one move or one mask")
	case !digest.MatchString(r.Digest):
		return r, errors.New("its digest is not one")
	case len(r.Findings) == 0 && r.Skipped == "":
		return r, errors.New("it has no findings")
	}
	return r, nil
}

// records reads the records of a darktable, of each subject the last, and counts the lines
// that are none, of which why is a reason. No file is no records.
func records(path, identity string) (known map[subject]Record, damaged int, why error, err error) {
	known = map[subject]Record{}
	f, info, err := regularfile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return known, 0, nil, nil
	}
	if err != nil {
		return nil, 0, nil, err
	}
	defer f.Close()
	if info.Size() > mostFile {
		return nil, 0, nil, fmt.Errorf("%s has %d bytes, more than the proofs of all moves have: remove it", path, info.Size())
	}
	for line, err := range workspace.Lines(io.LimitReader(f, mostFile), mostLine) {
		if err != nil && !errors.Is(err, workspace.ErrLongLine) {
			return nil, 0, nil, err
		}
		if line = bytes.TrimSpace(line); err == nil && len(line) == 0 {
			continue
		}
		var r Record
		if err == nil {
			r, err = decode(line, identity)
		}
		if err != nil {
			damaged, why = damaged+1, err
			continue
		}
		known[r.subject()] = r
	}
	return known, damaged, why, nil
}
