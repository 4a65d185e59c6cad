package versioning

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func export(t *testing.T, h *History) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := h.Export(t.Context(), &b)
	if err != nil || n != int64(b.Len()) {
		t.Fatal(n, err)
	}
	return b.Bytes()
}

func TestExportAndImport(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		from := NewMemory(nil)
		populate(t, from)
		early := export(t, from)
		commit(t, from, "later")
		late := export(t, from)
		want := must[map[string]string](t)(everything(t, from))

		imports := []struct {
			name    string
			bundle  []byte
			changed bool
		}{{"a first time", early, true}, {"again", early, false}, {"a later version", late, true}, {"an earlier version", early, false}}
		for _, i := range imports {
			changed, err := h.Import(t.Context(), bytes.NewReader(i.bundle))
			if err != nil || changed != i.changed {
				t.Fatalf("%s: changed %v, error %v", i.name, changed, err)
			}
			wantClean(t, h)
		}
		if diff := cmp.Diff(want, must[map[string]string](t)(everything(t, h))); diff != "" {
			t.Error(diff)
		}
		commit(t, h, "here")
		commit(t, from, "there")
		_, err := h.Import(t.Context(), bytes.NewReader(export(t, from)))
		wantKind(t, err, Conflict)
		broken := bytes.Clone(late)
		broken[len(broken)/2] ^= 1
		for _, bad := range [][]byte{broken, late[:len(late)-1], {}, []byte("no bundle")} {
			_, err = h.Import(t.Context(), bytes.NewReader(bad))
			wantKind(t, err, Corrupt)
		}
		wantClean(t, h)
	})
}
