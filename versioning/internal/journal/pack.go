package journal

import "errors"

// maxDepth bounds how many differences lie between a text and a whole one. A
// greater one saves little space, makes reads slower, and lets damage reach
// further.
const maxDepth = 8

// maxReach bounds how many transactions begin their chains at one whole text,
// and so what is lost with it. It costs a whole text, some 5 KB, for as many.
const maxReach = 64

// Pack packs a text for the next transaction as a difference from that of
// transaction near, where that makes it small, and whole otherwise or when near
// is 0. read returns the text of a transaction.
func (j *Journal) Pack(s Section, text []byte, near uint64, read func(seq uint64) ([]byte, error)) Packed {
	if near == 0 {
		return packWhole(text)
	}
	baseSeq, depth, err := j.baseFor(s, near)
	if err != nil {
		return packWhole(text) // or there is damage, which must not spread to here
	}
	base, err := read(baseSeq)
	if err != nil {
		return packWhole(text)
	}
	diff := packDifference(text, base, baseSeq, depth+1)
	// Packed whole, sidecars shrink to a twelfth: a difference that is less than
	// half of that needs no trial.
	if len(diff.stream) < max(256, len(text)/24) {
		return diff
	}
	if whole := packWhole(text); len(whole.stream) < 2*len(diff.stream) {
		return whole
	}
	return diff
}

// errTooFar makes Pack pack the text whole.
var errTooFar = errors.New("the whole text is too far away")

// baseFor chooses what to differ from: transaction near, or, when that has
// maxDepth already, the whole text that its chain begins with.
func (j *Journal) baseFor(s Section, near uint64) (seq, depth uint64, err error) {
	for {
		t, err := j.read(near, decodeTexts)
		if err != nil {
			return 0, 0, err
		}
		p := t.text(s)
		if p == nil || p.base >= near {
			return 0, 0, corrupt("transaction %d has no text to differ from", near)
		}
		if p.base == 0 && j.last-near > maxReach {
			return 0, 0, errTooFar
		}
		if p.depth < maxDepth && depth == 0 || p.base == 0 {
			return near, p.depth, nil
		}
		near, depth = p.base, p.depth
	}
}
