package studio

import (
	"io/fs"
	"net/http"
	"regexp"
	"slices"
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

// TestThereIsOneDivider holds the page, the views and documents on a disk to one style and one
// divider.
func TestThereIsOneDivider(t *testing.T) {
	t.Parallel()
	parts := Pairs()
	if index := asset("index.html"); !strings.Contains(index, `<link rel="stylesheet" href="base.css">`) {
		t.Error("the page does not have the style of pairs")
	}
	for _, name := range []string{"compare", "log"} {
		html := string(document(name, name, nil))
		if !strings.Contains(html, parts.Style) {
			t.Errorf("the view %s does not have the style of pairs", name)
		}
	}
	var dividers []string
	err := fs.WalkDir(files, "page", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".js") && strings.Contains(asset(strings.TrimPrefix(path, "page/")), `role="slider"`) {
			dividers = append(dividers, path)
		}
		return err
	})
	if err != nil || !slices.Equal(dividers, []string{"page/pair.js"}) {
		t.Errorf("dividers are in %v, %v", dividers, err)
	}
	for _, script := range []string{viewScript, parts.Script} {
		if strings.Count(script, `role="slider"`) != 1 || strings.Contains(script, "</script") {
			t.Error("a bundle has no divider, or more than one")
		}
	}
	if strings.Contains(asset("studio.css")+viewStyle, "--accent:") || !strings.Contains(parts.Style, "--accent:") {
		t.Error("colours are said twice")
	}
}
