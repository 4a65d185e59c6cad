package testutil

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Contents returns the mode of every file and folder below dir, and the SHA-256 of
// what is in the regular files, by path. Two results are equal when nothing but times
// has changed between them.
func Contents(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	contents := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		contents[path] = info.Mode().String()
		if !info.Mode().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		contents[path] += fmt.Sprintf(" %x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return contents
}
