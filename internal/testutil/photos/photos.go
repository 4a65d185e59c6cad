// Package photos gives tests real photographs with regions that people drew, from the
// shared data beside the repository.
package photos

import (
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg" // photographs
	_ "image/png"  // regions
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

// A Photo is a photograph.
type Photo struct {
	// ID names it in index.json.
	ID string
	// Picture is encoded as sRGB.
	Picture image.Image
	// Regions by category; white is within.
	Regions map[string]image.Image
}

// Read reads the photographs of the shared data. Without them the test is skipped.
func Read(tb testing.TB) []Photo {
	tb.Helper()
	dir := testutil.SharedData(tb, "photos")
	data, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil {
		tb.Fatal(err)
	}
	var index []struct{ ID, Category string }
	if err := json.Unmarshal(data, &index); err != nil {
		tb.Fatal(err)
	}
	var all []Photo
	for _, line := range index {
		at := slices.IndexFunc(all, func(p Photo) bool { return p.ID == line.ID })
		if at < 0 {
			at = len(all)
			all = append(all, Photo{ID: line.ID, Picture: Load(tb, filepath.Join(dir, line.ID+".jpg")), Regions: map[string]image.Image{}})
		}
		all[at].Regions[line.Category] = Load(tb, filepath.Join(dir, fmt.Sprintf("%s__%s.png", line.ID, line.Category)))
	}
	return all
}

// Load reads a photograph or a region from its file.
func Load(tb testing.TB, path string) image.Image {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	m, _, err := image.Decode(f)
	if err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
	return m
}
