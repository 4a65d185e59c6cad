package chemigram

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestIDsAreFolderNamesEverywhere(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]ImageID{
		"IMG_0001.dng": "IMG_0001", "größe 1.nef": "gr--e-1", "../../etc/passwd": "passwd", "CON.dng": "image-CON",
		"com1.x.dng": "image-com1.x", "console.dng": "console", "a..dng": "a", "....dng": "image", "\u202egpj.dng": "gpj",
		"new\nline.dng": "new-line", strings.Repeat("x", 300) + ".dng": ImageID(strings.Repeat("x", 120)),
		strings.Repeat("x", 119) + "..y.dng": ImageID(strings.Repeat("x", 119)),
	} {
		got := idFromPath(path)
		if got != want {
			t.Errorf("the id of %q is %q, want %q", path, got, want)
		}
		if !portable(got) || validate(&GetStateParams{ImageID: got}) != nil {
			t.Errorf("the id %q of %q is none", got, path)
		}
	}
}

func TestAnIDThatWindowsKeepsIsRefused(t *testing.T) {
	e := openWithout(t, Options{})
	raw := filepath.Join(t.TempDir(), "a.dng")
	if err := os.WriteFile(raw, []byte("raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, id := range []ImageID{"CON", "nul.dng", "Lpt1", "a.", "a/b", "..", "a\nb", "a\u202eb", ImageID(strings.Repeat("a", 10_000))} {
		if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: id}); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("ingest as %.20q says %v", id, err)
		}
	}
}
