// Package rawtest provides tests with small raw files.
package rawtest

import (
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// Chart writes a raw of the colour chart, of 0.05 megapixels, into a temporary folder
// of the test, and returns its path.
func Chart(tb testing.TB, name string, camera dng.Options) (path string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), name)
	if err := scene.Write(path, scene.Chart{}, scene.Options{Megapixels: 0.05, DNG: camera}); err != nil {
		tb.Fatal(err)
	}
	return path
}
