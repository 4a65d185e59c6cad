package versioning

import (
	"slices"
	"testing"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

func FuzzOpen(f *testing.F) {
	m := storage.NewMemory()
	h, err := open(m, &Options{Now: ticking()})
	if err != nil {
		f.Fatal(err)
	}
	if _, err := h.Init(f.Context(), []byte("state 0"), Change{}); err != nil {
		f.Fatal(err)
	}
	start := content(f, m, journal.Name)
	if _, _, err := h.Commit(f.Context(), []byte("state 1"), Change{}); err != nil {
		f.Fatal(err)
	}
	payload := content(f, m, journal.Name)[len(start)+frameHeaderSize:]
	f.Add(payload, uint64(2), payload)
	f.Fuzz(func(t *testing.T, payload []byte, seq uint64, next []byte) {
		// What is in the frames is from outside; their checksums fit.
		m := storage.NewMemory()
		m.Put(journal.Name, slices.Concat(start, frame(seq%9, payload), frame(seq%9+1, next)))
		h, err := open(m, nil)
		if err != nil {
			return
		}
		_, readErr := everything(t, h)
		found, err := h.Verify(t.Context(), nil)
		if err == nil && readErr != nil && len(found) == 0 {
			t.Errorf("reading fails (%v) and Verify finds nothing", readErr)
		}
	})
}
