package demo

import (
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// Raw returns the path of the raw file to edit: path, or when that is empty a
// synthetic landscape that it writes into the folder, which is made when it is missing.
// ev is the exposure of the landscape in stops: -1 is one stop too dark.
func Raw(path, folder string, megapixels, ev float64) (string, error) {
	if path != "" {
		return path, nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	path = filepath.Join(folder, "landscape.dng")
	return path, scene.Write(path, scene.Landscape{}, scene.Options{Megapixels: megapixels, DNG: dng.Options{EV: ev}})
}
