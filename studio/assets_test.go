package studio

import (
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestThePageIsSmallAndLoadsNothingFromElsewhere holds what a browser loads to 150 KB.
func TestThePageIsSmallAndLoadsNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	elsewhere := regexp.MustCompile(`(?:src|href|from|import|url)\s*[=(]?\s*["']?https?:`)
	total := 0
	err := fs.WalkDir(files, "page", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		r := f.ask(t, "GET", "/"+strings.TrimSuffix(strings.TrimPrefix(path, "page/"), "index.html"), "", nil)
		kind := r.header.Get("Content-Type")
		if r.status != http.StatusOK || strings.HasSuffix(path, ".js") && !strings.Contains(kind, "javascript") {
			t.Errorf("%s: %d %s", path, r.status, kind)
		}
		if !strings.HasSuffix(path, ".txt") {
			total += len(r.body)
		}
		if !strings.Contains(path, "vendor") && elsewhere.Match(r.body) {
			t.Errorf("%s loads something from elsewhere: %s", path, elsewhere.Find(r.body))
		}
		if strings.HasSuffix(path, ".js") && regexp.MustCompile(`innerHTML|insertAdjacentHTML|dangerously|document\.write|\beval\(|new Function`).Match(r.body) && !strings.Contains(path, "vendor") {
			t.Errorf("%s makes HTML or code of text", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", total)
	if total > 150_000 {
		t.Errorf("the page has %d bytes, more than 150,000", total)
	}
}
