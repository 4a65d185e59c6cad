package render

import (
	"os"
	"path/filepath"
	"strings"
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

// What is no picture is told by its beginning, whatever its name says.
func TestWhatIsNoPictureIsToldByItsBeginning(t *testing.T) {
	t.Parallel()
	for begins, want := range map[string]string{
		"%PDF-1.7\n":                                  "a PDF",
		"PK\x03\x04\x14\x00":                          "a ZIP archive",
		"\x00\x00\x00\x20ftypisom\x00":                "a film (MP4)",
		"RIFF\x00\x00\x00\x00AVI LIST":                "a film (AVI)",
		"\xef\xbb\xbf\r\n <!DOCTYPE HTML><html>":      "a web page",
		"<?xml version=\"1.0\"?><svg>":                "XML",
		strings.Repeat("x", 257) + "ustar\x0000":      "a tar archive",
		"\x1f\xfe\xff\xff and no gzip":                "",
		"":                                            "",
		"II*\x00\x08\x00\x00\x00":                     "",
		"RIFF\x00\x00\x00\x00WEBPVP8 ":                "",
		"\x00\x00\x00\x1cftypheic":                    "",
		"\xff\xd8\xff\xe1 with <html in its comments": "",
	} {
		path := filepath.Join(t.TempDir(), "a.tif")
		if err := os.WriteFile(path, []byte(begins), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := foreignKind(path); got != want {
			t.Errorf("%q: %q, want %q", begins, got, want)
		}
	}
}
