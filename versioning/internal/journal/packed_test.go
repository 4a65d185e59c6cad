package journal

import (
	"bytes"
	"testing"

	"github.com/chemigram/chemigram/versioning/internal/edittest"
)

func TestDifferencesOfNeighboursAreSmall(t *testing.T) {
	t.Parallel()
	s := edittest.New(5, edittest.Full)
	before := s.State()
	for range 20 {
		after := s.Edit()
		p := packDifference(after, before, 1, 1)
		if got, err := p.unpack(before, MaxText); err != nil || !bytes.Equal(got, after) {
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
		got, err := packDifference(target, base, 1, 1).unpack(base, MaxText)
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
			t.Errorf("made %d bytes for %d", len(text), length&0xffff)
		}
	})
}
