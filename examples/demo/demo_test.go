package demo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/examples/demo"
	"github.com/chemigram/chemigram/vocab"
)

func TestEverySceneIsPainted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range demo.Scenes() {
		path := filepath.Join(dir, string(name)+".dng")
		if err := demo.WriteScene(path, name); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() < 100_000 {
			t.Errorf("%s: %+v, %v", name, info, err)
		}
		if len(demo.Places(name)) == 0 {
			t.Errorf("%s has no places", name)
		}
	}
	if err := demo.WriteScene(filepath.Join(dir, "x.dng"), vocab.Scene("forest")); err == nil || !strings.Contains(err.Error(), "natural") {
		t.Errorf("a scene that there is not: %v", err)
	}
}

func TestRawTakesThePathThatIsGiven(t *testing.T) {
	t.Parallel()
	if path, err := demo.Raw("/a.nef", "", 1, 0); err != nil || path != "/a.nef" {
		t.Errorf("got %q, %v", path, err)
	}
	folder := filepath.Join(t.TempDir(), "new")
	path, err := demo.Raw("", folder, 0.1, 0)
	if err != nil || filepath.Dir(path) != folder {
		t.Fatalf("got %q, %v", path, err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}
