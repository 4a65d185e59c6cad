package imagefile

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// namedTIFF is the head and the first directory of a TIFF with a DocumentName.
func namedTIFF(name string) []byte {
	order := binary.BigEndian
	b := append([]byte("MM\x00*"), 0, 0, 0, 8, 0, 1)
	b = order.AppendUint16(order.AppendUint16(b, tagDocumentName), 2)
	b = order.AppendUint32(order.AppendUint32(b, uint32(len(name))), 26)
	return append(append(b, 0, 0, 0, 0), name...)
}

func TestATIFFIsNamedByItsFile(t *testing.T) {
	t.Parallel()
	long := namedTIFF("/tmp/scratch/out/picture.tif\x00")
	for name, tt := range map[string]struct{ have, want []byte }{
		"a path":                      {long, namedTIFF("lake_1.tif\x00" + string(make([]byte, 18)))},
		"little room":                 {namedTIFF("/a.tif\x00"), namedTIFF("lake_1\x00")},
		"cut off":                     {long[:40], long[:40]},
		"a directory that is cut off": {long[:20], long[:20]},
		"no TIFF":                     {[]byte("a text that is no picture"), []byte("a text that is no picture")},
		"nothing":                     {nil, nil},
		"beyond the file":             {[]byte("MM\x00*\xff\xff\xff\xff"), []byte("MM\x00*\xff\xff\xff\xff")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "picture.tif")
			if err := os.WriteFile(path, tt.have, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := NameDocument(path, "lake_1.tif"); err != nil {
				t.Error(err)
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, tt.want) {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}
