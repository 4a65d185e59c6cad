package workspace

import (
	"strings"
	"testing"
)

func TestIDsAreFolderNamesEverywhere(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"IMG_0001.dng": "IMG_0001", "größe 1.nef": "gr--e-1", "../../etc/passwd": "passwd", "CON.dng": "image-CON",
		"com1.x.dng": "image-com1.x", "console.dng": "console", "a..dng": "a", "....dng": "image", "\u202egpj.dng": "gpj",
		"new\nline.dng": "new-line", strings.Repeat("x", 300) + ".dng": strings.Repeat("x", 120),
		strings.Repeat("x", 119) + "..y.dng": strings.Repeat("x", 119),
	} {
		got := idFromPath(path)
		if got != want {
			t.Errorf("the id of %q is %q, want %q", path, got, want)
		}
		if !portable(got) || !ValidID(got) {
			t.Errorf("the id %q of %q is none", got, path)
		}
	}
}
