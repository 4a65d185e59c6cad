package enginetest

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The examples compile in another module, as a reader who copies one expects: they
// import nothing that is internal.
func TestExamplesCompileOutside(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it compiles all examples")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	folders, err := os.ReadDir(filepath.Join(root, "examples"))
	if err != nil {
		t.Fatal(err)
	}
	copied := 0
	for _, folder := range folders {
		if folder.IsDir() && folder.Name() != "demo" { // the library that they share
			copyExample(t, filepath.Join(root, "examples", folder.Name()), filepath.Join(outside, folder.Name()))
			copied++
		}
	}
	if copied < 5 {
		t.Fatalf("there are %d examples", copied)
	}
	moduleOutside(t, root, outside)
	// This compiles as go build does, and links no programs.
	compile := exec.CommandContext(t.Context(), "go", "list", "-export", "-mod=mod", "./...")
	compile.Dir = outside
	compile.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=off")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// copyExample copies a program, without its tests.
func copyExample(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(path, "_test.go") {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(to, relative), 0o777)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, relative), text, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// moduleOutside makes a folder a module that requires this one, and what this one
// requires.
func moduleOutside(t *testing.T, root, outside string) {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/chemigram/chemigram"
	text := strings.Replace(string(mod), "module "+module, "module example.org/outside", 1) +
		"\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + root + "\n"
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": text, "go.sum": string(sum)} {
		if err := os.WriteFile(filepath.Join(outside, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
