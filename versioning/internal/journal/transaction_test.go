package journal

import (
	"crypto/sha256"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func FuzzDecodeTransaction(f *testing.F) {
	whole := Transaction{
		State:      &State{Hash: sha256.Sum256([]byte("s")), Text: packWhole([]byte("s"))},
		Record:     &Record{ID: sha256.Sum256([]byte("r")), StateSeq: 3, Ancestors: 2, Parents: []uint64{1, 2}, Text: packDifference([]byte("{}"), []byte("[]"), 1, 1)},
		Moves:      &Moves{Time: time.Unix(0, 0).UTC(), Verb: "Undo", Moves: []Move{{Ref: "HEAD", To: 1, Undone: 2, At: 3}}},
		Checkpoint: &Checkpoint{Head: Position{To: 1}, Refs: map[string]Position{"refs/heads/main": {To: 2, At: 2}}},
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
		for _, s := range []Section{StateText, RecordText} {
			if p := one.text(s); p != nil && p.length < 1<<16 {
				_, _ = p.unpack([]byte("some base or other"), MaxText)
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
		if diff := cmp.Diff(one, two, cmp.AllowUnexported(Packed{}), cmp.Comparer(time.Time.Equal)); diff != "" {
			t.Error(diff)
		}
	})
}
