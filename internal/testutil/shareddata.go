package testutil

import (
	"os"
	"path/filepath"
	"testing"
)

// SharedData returns the path of a file or folder below the developers' shared
// data, which lies beside the repository (../shared/data) and is no part of it:
// real sidecars and darktable's own tables, to try things on. The environment
// variable CHEMIGRAM_SHARED names another place for ../shared. Where the path
// does not exist the test is skipped: whoever has only the repository misses
// nothing else.
func SharedData(tb testing.TB, elem ...string) string {
	tb.Helper()
	shared := os.Getenv("CHEMIGRAM_SHARED")
	if shared == "" {
		shared = filepath.Join(RepositoryRoot(tb), "..", "shared")
	}
	path := filepath.Join(append([]string{shared, "data"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("no shared data: %v", err)
	}
	return path
}

// RepositoryRoot returns the folder of this module's go.mod, above the package
// whose tests run.
func RepositoryRoot(tb testing.TB) string {
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
