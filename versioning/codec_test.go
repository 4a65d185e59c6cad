package versioning

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDifferencesOfNeighboursAreSmall(t *testing.T) {
	t.Parallel()
	s := newSession(5, fullSession)
	before := s.state()
	for range 20 {
		after := s.edit()
		p := pack(after, before, 1, 1)
		if got, err := p.unpack(before); err != nil || !bytes.Equal(got, after) {
			t.Fatalf("came back as %d bytes, %v", len(got), err)
		}
		if len(p.stream) > 2000 {
			t.Errorf("a difference of neighbours of %d bytes takes %d", len(after), len(p.stream))
		}
		before = after
	}
}

func FuzzDifference(f *testing.F) {
	f.Add([]byte("abcdefghijklmnopqrstuvwxyz0123456789"), []byte("0123456789abcdefghijklmnopqrstuvwxyz0123456789"))
	f.Add([]byte{}, []byte("x"))
	f.Add(bytes.Repeat([]byte("0"), 400), bytes.Repeat([]byte("0"), 300))
	f.Fuzz(func(t *testing.T, base, target []byte) {
		if base == nil {
			base = []byte{}
		}
		got, err := pack(target, base, 1, 1).unpack(base)
		if err != nil || !bytes.Equal(got, target) {
			t.Errorf("%q over %q came back as %q, %v", target, base, got, err)
		}
	})
}

func FuzzApplyDifference(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), difference([]byte("0123456789abcdef"), []byte("x0123456789abcdef")), 17)
	f.Fuzz(func(t *testing.T, base, ops []byte, length int) {
		text, err := applyDifference(base, ops, length&0xffff)
		if err == nil && len(text) != length&0xffff {
			t.Errorf("gave %d bytes for %d", len(text), length&0xffff)
		}
	})
}

func FuzzDecodeTransaction(f *testing.F) {
	whole := transaction{
		state:  &stateSection{hash: HashOf([]byte("s")), text: pack([]byte("s"), nil, 0, 0)},
		record: &recordSection{id: HashOf([]byte("r")), stateSeq: 3, ancestors: 2, parents: []uint64{1, 2}, text: pack([]byte("{}"), []byte("[]"), 1, 1)},
		moves:  &movesSection{Time: time.Unix(0, 0).UTC(), Verb: "Undo", Moves: []move{{Ref: "HEAD", To: 1, Undone: 2, At: 3}}},
		table:  &table{Head: position{To: 1}, Refs: map[string]position{"refs/heads/main": {To: 2, At: 2}}},
	}
	payload, err := whole.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(payload)
	f.Fuzz(func(t *testing.T, payload []byte) {
		one, err := decodeTransaction(payload)
		if err != nil {
			return
		}
		for _, of := range []section{stateOf, recordOf} {
			if p := of(one); p != nil && p.length < 1<<16 {
				_, _ = p.unpack([]byte("some base or other"))
			}
		}
		again, err := one.encode()
		if err != nil {
			return // a year that JSON does not write
		}
		two, err := decodeTransaction(again)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(one, two, cmp.AllowUnexported(transaction{}, stateSection{}, recordSection{}, packed{}, table{}), cmp.Comparer(time.Time.Equal)); diff != "" {
			t.Error(diff)
		}
	})
}

func FuzzOpen(f *testing.F) {
	m := newMemory()
	h, err := open(m, &Options{Now: ticking()})
	if err != nil {
		f.Fatal(err)
	}
	if _, err := h.Init(f.Context(), []byte("state 0"), Change{}); err != nil {
		f.Fatal(err)
	}
	start := bytes.Clone(m.files[journalName].data)
	if _, _, err := h.Commit(f.Context(), []byte("state 1"), Change{}); err != nil {
		f.Fatal(err)
	}
	_, payload, _, _ := decodeFrame(m.files[journalName].data[len(start):])
	f.Add(payload, uint64(2), payload)
	f.Fuzz(func(t *testing.T, payload []byte, seq uint64, next []byte) {
		// What stands in the frames is from outside; their checksums fit.
		m := newMemory()
		journal := append(bytes.Clone(start), encodeFrame(seq%9, payload)...)
		m.files[journalName] = &memoryFile{data: append(journal, encodeFrame(seq%9+1, next)...)}
		h, err := open(m, nil)
		if err != nil {
			return
		}
		_, readErr := everything(t, h)
		found, err := h.Verify(t.Context(), nil)
		if err == nil && readErr != nil && len(found) == 0 {
			t.Errorf("reading says %v and Verify finds nothing", readErr)
		}
	})
}

func TestHashes(t *testing.T) {
	t.Parallel()
	h := HashOf([]byte("x"))
	if got, err := ParseHash(h.String()); err != nil || got != h {
		t.Errorf("came back as %v, %v", got, err)
	}
	for _, s := range []string{"", "00", h.String()[1:], h.String() + "0", "G" + h.String()[1:], "A" + h.String()[1:]} {
		_, err := ParseHash(s)
		wantKind(t, err, Invalid)
	}
	if !errors.Is(fail("x", Invalid, "y", "z"), &Error{Kind: Invalid}) {
		t.Error("errors.Is does not tell kinds")
	}
}
