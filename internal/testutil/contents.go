package testutil

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Contents returns the mode of every file and folder below dir, and the SHA-256 of
// what is in the regular files, by path. Two results are equal when nothing but times
// has changed between them. What vanishes meanwhile is left out.
func Contents(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	contents := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		var info fs.FileInfo
		if err == nil {
			info, err = entry.Info()
		}
		var data []byte
		if err == nil && info.Mode().IsRegular() {
			data, err = os.ReadFile(path)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist) && path != dir:
			return nil // gone meanwhile
		case err != nil:
			return err
		}
		contents[path] = info.Mode().String()
		if info.Mode().IsRegular() {
			contents[path] += fmt.Sprintf(" %x", sha256.Sum256(data))
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return contents
}
