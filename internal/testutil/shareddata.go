package testutil

import (
	"os"
	"path/filepath"
	"testing"
)

// SharedData returns the path of a file or folder below ../shared/data, a folder
// beside the repository and no part of it, with real sidecars and darktable's own
// tables. The environment variable CHEMIGRAM_SHARED replaces ../shared. A test whose
// path does not exist is skipped.
func SharedData(tb testing.TB, elem ...string) string {
	tb.Helper()
	shared := os.Getenv("CHEMIGRAM_SHARED")
	if shared == "" {
		shared = filepath.Join(repositoryRoot(tb), "..", "shared")
	}
	path := filepath.Join(append([]string{shared, "data"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("no shared data: %v", err)
	}
	return path
}

// repositoryRoot returns the folder of this module's go.mod, above the package
// whose tests run.
func repositoryRoot(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			tb.Fatalf("no go.mod above the working directory")
		}
		dir = parent
	}
}
