package objects_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/objects/objectstest"
)

func openFolder(t *testing.T, dir string) *objects.Folder {
	t.Helper()
	f, err := objects.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestAFolderIsAStore(t *testing.T) {
	t.Parallel()
	objectstest.Conform(t, func(t *testing.T) objects.Store { return openFolder(t, t.TempDir()) })
}

func TestAFolderWithoutLinksIsAStore(t *testing.T) {
	t.Parallel()
	objectstest.Conform(t, func(t *testing.T) objects.Store { return objects.WithoutLinks(openFolder(t, t.TempDir())) })
}

func TestMemoryIsAStore(t *testing.T) {
	t.Parallel()
	objectstest.Conform(t, func(*testing.T) objects.Store { return objectstest.NewMemory() })
}

func TestAStoreThatWritesOverObjectsIsRefused(t *testing.T) {
	t.Parallel()
	for _, claims := range []bool{false, true} {
		s := objectstest.NewFaulty(objectstest.NewMemory(), objectstest.Faults{IgnoreCreateOnly: true, ClaimExists: claims}, 1)
		if err := objects.Probe(t.Context(), s); !errors.Is(err, objects.Unsuitable) {
			t.Errorf("claims %v: %v", claims, err)
		}
	}
}

func TestAStoreWhoseClientTriesAgainIsNotRefused(t *testing.T) {
	t.Parallel()
	s := objectstest.NewFaulty(objectstest.NewMemory(), objectstest.Faults{Duplicate: 1}, 1)
	if err := objects.Probe(t.Context(), s); err != nil {
		t.Error(err)
	}
}

func TestAFolderThatIsNotThereIsUnreachableAndIsNotMade(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "nas")
	if _, err := objects.OpenFolder(dir); !errors.Is(err, objects.Unreachable) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the folder was made")
	}
}

// A link in the folder, which somebody else may have put there, leads nowhere out of it.
func TestLinksDoNotLeadOutOfAFolder(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink(outside, filepath.Join(dir, "refs")), os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "a"))); err != nil {
		t.Skip("no links here")
	}
	f := openFolder(t, dir)
	for _, name := range []string{"refs/secret", "a"} {
		if r, err := f.Get(t.Context(), name); err == nil {
			_ = r.Close()
			t.Errorf("%s was read through a link", name)
		}
	}
	if err := f.Create(t.Context(), "refs/new", strings.NewReader("x")); err == nil {
		t.Error("an object was made through a link")
	}
	if err := f.Delete(t.Context(), "refs/secret"); err == nil {
		t.Error("an object was deleted through a link")
	}
	if list, _, err := f.List(t.Context(), "", ""); err != nil || len(list) != 0 {
		t.Errorf("lists %v, %v", list, err)
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Errorf("%v is outside", entries)
	}
}

// What a writer that died has left is no object, and in nobody's way.
func TestUnfinishedObjectsAreNotListed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := openFolder(t, dir)
	if err := f.Create(t.Context(), "a/b", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a", ".tmp-dead"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "Thumbs.db"), []byte("clutter"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, _, err := f.List(t.Context(), "", "")
	if err != nil || len(list) != 1 || list[0].Name != "a/b" {
		t.Errorf("%v, %v", list, err)
	}
}

func FuzzNamesStayBelowTheFolder(f *testing.F) {
	for _, name := range objectstest.BadNames() {
		f.Add(name)
	}
	f.Add("refs/x/h-main/0000000001")
	f.Fuzz(func(t *testing.T, name string) {
		if objects.CheckName(name) != nil {
			return
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) || strings.ToLower(name) != name || slices.Contains(strings.Split(name, "/"), "..") {
			t.Errorf("%q is an object's name", name)
		}
	})
}
