package chemigram

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// fingerprint is a digest of every name, mode, time and byte below a folder.
func fingerprint(tb testing.TB, dir string) string {
	tb.Helper()
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %s %d\n", path, info.Mode(), info.ModTime().UnixNano())
		if !info.Mode().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		sum.Write(data)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}
