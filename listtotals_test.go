package chemigram

import (
	"os"
	"path/filepath"
	"testing"
)

// A list of images has as many as its total says, whatever else lies among their
// folders: pages that came out short would look like the last ones.
func TestTheTotalOfAListIsWhatItsPagesHave(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	add(t, e, "z", "5.4.1")
	images := filepath.Join(e.WorkspaceDir(), "images")
	for name, file := range map[string]string{
		"@eaDir": "SYNO", "[old]": "", ".thumbs": "", "left": "history/lock", "empty": "", "mine": "holiday.txt",
	} {
		path := filepath.Join(images, name, filepath.FromSlash(file))
		if file == "" {
			path = filepath.Join(path, "x")
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if file == "" {
			continue
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	problems := map[ImageID]bool{}
	for offset := 0; ; offset++ {
		page, err := e.ListImages(t.Context(), ListImagesParams{Limit: 1, Offset: Offset(offset)})
		if err != nil {
			t.Fatal(err)
		}
		if page.Total != 5 {
			t.Errorf("the total is %d, want 5", page.Total)
		}
		if offset == page.Total {
			break
		}
		if len(page.Images) != 1 {
			t.Fatalf("page %d of %d is %+v", offset, page.Total, page.Images)
		}
		problems[page.Images[0].ImageID] = page.Images[0].Problem != ""
	}
	for id, want := range map[ImageID]bool{"a": false, "z": false, "left": true, "empty": true, "mine": true} {
		if got, listed := problems[id]; !listed || got != want {
			t.Errorf("%s is listed %v with a problem %v, want %v", id, listed, got, want)
		}
	}
}
