package render

import (
	"errors"
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

// A refusal says what the file is, by itself where darktable's words do not.
func TestARefusalSaysWhatTheFileIs(t *testing.T) {
	t.Parallel()
	camera := "II*\x00\x08\x00\x00\x00\x02\x00" +
		"\x0f\x01\x02\x00\x07\x00\x00\x00\x26\x00\x00\x00\x10\x01\x02\x00\x0a\x00\x00\x00\x2d\x00\x00\x00\x00\x00\x00\x00FOOCAM\x00FOOCAM X1\x00"
	cmyk := "\xff\xd8\xff\xc0\x00\x14\x08\x00\x14\x00\x1e\x04" + strings.Repeat("\x01", 12) + "\xff\xda\x00\x02 \xff\xd9"
	for name, tt := range map[string]struct {
		content, printed string
		reason           Reason
		says             string
	}{
		"a.tif": {"%PDF-1.7 and so on", "Not a TIFF or MDI file", NotAPicture, "a.tif is a PDF"},
		"b.jpg": {cmyk, "Unsupported color conversion", UnsupportedFile, "b.jpg is a JPEG in CMYK"},
		"c.jpg": {cmyk[:len(cmyk)-2], "Unsupported color conversion", UnsupportedFile, "c.jpg"},
		"h.tif": {camera, "compression not supported", UnsupportedFile, "h.tif is a picture of a rare kind"},
		"d.nef": {camera, "No decoder found. Sorry.", UnknownCamera, "does not know FOOCAM X1, which wrote d.nef"},
		"e.nef": {camera, "Camera 'FOOCAM' 'X2' in database: not supported", UnknownCamera, "does not know FOOCAM X2"},
		"f.tif": {camera, "unknown image type", Damaged, "f.tif is damaged"},
		"g.nef": {"hello", "No decoder found. Sorry.", NotAPicture, "g.nef is no picture"},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
			t.Fatal(err)
		}
		err := (&Darktable{}).explainRefusal(t.Context(), &Error{Kind: Failed, Stderr: tt.printed}, path)
		if e, ok := errors.AsType[*Error](err); !ok || e.Reason != tt.reason || !strings.Contains(e.Message, tt.says) {
			t.Errorf("%s: %v (%s), want %s: %s", name, err, e.Reason, tt.reason, tt.says)
		}
	}
}
