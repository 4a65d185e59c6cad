package chemigram

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/fault"
)

// CheckRaw makes sure that the raw is the file that was ingested: the history
// belongs to its content. The content is read again only when the file's size
// or time has changed.
func (i *image) CheckRaw() error {
	info, err := os.Stat(i.Raw.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.State, "the raw of %s is no longer at %s: put it back, or ingest it at its new place as image_id %q",
			i.ImageID, i.Raw.Path, i.ImageID)
	}
	if err != nil {
		return err
	}
	if info.Size() == i.Raw.Size && info.ModTime().Equal(i.Raw.ModifiedAt) {
		return nil
	}
	digest, err := digestFile(i.Raw.Path)
	if err != nil {
		return err
	}
	if digest != i.Raw.SHA256 {
		return fault.New(fault.State, "the content of %s has changed since %s was ingested: ingest it under another image_id",
			i.Raw.Path, i.ImageID)
	}
	return nil
}

// readRaw checks that the path is a readable file below the allowed roots, and
// takes its digest.
func (e *Engine) readRaw(path string) (rawFile, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return rawFile{}, err
	}
	if err := within(path, e.opts.RawRoots, "a raw"); err != nil {
		return rawFile{}, err
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return rawFile{}, fault.Unknown("file", path, nil)
	}
	if err != nil {
		return rawFile{}, err
	}
	if !info.Mode().IsRegular() {
		return rawFile{}, fault.New(fault.InvalidInput, "%s is not a file but a %s", path, describeMode(info.Mode()))
	}
	if info.Size() == 0 {
		return rawFile{}, fault.New(fault.InvalidInput, "%s is empty", path)
	}
	digest, err := digestFile(path)
	if err != nil {
		return rawFile{}, err
	}
	return rawFile{Path: path, SHA256: digest, Size: info.Size(), ModifiedAt: info.ModTime().UTC()}, nil
}

func digestFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
