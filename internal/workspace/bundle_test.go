package workspace

import (
	"archive/zip"
	"bytes"
	"testing"
)

func FuzzReadBundle(f *testing.F) {
	for _, id := range []string{`"a"`, `"../a"`, `3`} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for name, text := range map[string]string{bundleImage: `{"image_id":` + id + `}`, bundleJournal: "{}", "../out": "x"} {
			member, err := w.Create(name)
			if err != nil {
				f.Fatal(err)
			}
			if _, err := member.Write([]byte(text)); err != nil {
				f.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := readBundle(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		if !ValidID(b.file.ImageID) {
			t.Errorf("a bundle with the id %q was read", b.file.ImageID)
		}
		_ = b.verify(t.Context())
	})
}
