package chemigram

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryTestThatTheSecurityPageNamesIsThere keeps docs/SECURITY.md from promising
// what nothing checks.
func TestEveryTestThatTheSecurityPageNamesIsThere(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		tests.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`").FindAllStringSubmatch(string(page), -1)
	if len(names) < 30 {
		t.Errorf("the page names %d tests", len(names))
	}
	for _, name := range names {
		if !strings.Contains(tests.String(), "func "+name[1]+"(") {
			t.Errorf("there is no %s", name[1])
		}
	}
}
