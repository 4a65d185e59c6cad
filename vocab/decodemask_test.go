package vocab

import (
	"errors"
	"testing"

	"github.com/chemigram/chemigram/xmp/mask"
)

func FuzzDecodeMasks(f *testing.F) {
	data, err := packs.ReadFile("packs/starter/masks.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`[{"name":"x","mask":{"shapes":[{"kind":"path","points":[[1e308],[[]]]}]},"claims":[{"place":"","at_most":1e999}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &decoder{pack: "fuzz", file: masksName}
		masks := d.decodeMasks(data, PackInfo{})
		for _, err := range d.errs {
			if e, ok := errors.AsType[*Error](err); !ok || e.Kind != BadPack || e.Error() == "" {
				t.Fatalf("%T %v", err, err)
			}
		}
		for _, m := range masks {
			if len(d.errs) > 0 {
				break
			}
			if _, err := m.Mask.Mask(mask.Whole(mask.Size{Width: 3, Height: 2})); err != nil || len(m.Claims) == 0 {
				t.Fatalf("accepted %+v: %v", m, err)
			}
		}
	})
}
