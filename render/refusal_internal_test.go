package render

import (
	"os"
	"path/filepath"
	"testing"
)

// A file that begins as its extension says is a picture of which something is wrong.
func TestAFileBeginsAsItsExtensionSays(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		begins string
		want   bool
	}{
		"a.JPG":  {"\xff\xd8\xff\xe0 and so on", true},
		"b.png":  {"\x89PNG\r\n\x1a\n", true},
		"c.heic": {"\x00\x00\x00\x1cftypheic", true},
		"d.png":  {"\xff\xd8\xff\xe0 and so on", false},
		"f.nef":  {"MM\x00*", false}, // of raws, darktable's words say it
		"g.tif":  {"", false},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(tt.begins), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := beginsAsNamed(path); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	if beginsAsNamed(filepath.Join(t.TempDir(), "gone.jpg")) {
		t.Error("what is gone begins as a picture")
	}
}
