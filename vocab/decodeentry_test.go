package vocab

import (
	"errors"
	"fmt"
	"testing"
)

func FuzzDecodeEntries(f *testing.F) {
	f.Add([]byte("[" + goodEntry + "]"))
	for _, file := range []string{
		"starter/tone", "starter/colour", "starter/presence", "starter/frame", "starter/looks", "expressive/mappers", "expressive/l1",
	} {
		data, err := packs.ReadFile("packs/" + file + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`[{"name":"x","parameters":[{"name":"a","min":1e308,"max":-1}],"ops":[{"module":"exposure","set":{"exposure[0]":[[[]]]}}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &decoder{pack: "fuzz", file: "fuzz.json"}
		entries := d.decodeEntries(data)
		for _, err := range d.errs {
			if e, ok := errors.AsType[*Error](err); !ok || e.Kind != BadPack || e.Error() == "" {
				t.Fatalf("%T %v", err, err)
			}
		}
		for _, e := range entries {
			if len(d.errs) == 0 && (e.Name == "" || len(e.Ops) == 0 && e.Style == "") {
				t.Fatalf("accepted %+v", e)
			}
			_ = fmt.Sprint(e.Touches(), indexWords(e))
		}
	})
}
