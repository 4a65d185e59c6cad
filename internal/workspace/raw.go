package workspace

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

// ReadRaw checks that the path is a readable file below the allowed roots, and
// takes its digest.
func ReadRaw(path string, roots []string) (Raw, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Raw{}, err
	}
	if err := Allowed(path, roots, "a raw"); err != nil {
		return Raw{}, err
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Raw{}, fault.Unknown("file", path, nil)
	}
	if err != nil {
		return Raw{}, err
	}
	if !info.Mode().IsRegular() {
		return Raw{}, fault.New(fault.InvalidInput, "%s is not a file but a %s", path, DescribeMode(info.Mode()))
	}
	if info.Size() == 0 {
		return Raw{}, fault.New(fault.InvalidInput, "%s is empty", path)
	}
	digest, err := DigestFile(path)
	if err != nil {
		return Raw{}, err
	}
	return Raw{Path: path, SHA256: digest, Size: info.Size(), ModifiedAt: info.ModTime().UTC()}, nil
}

// DigestFile is the SHA-256 of a file's content, in hex.
func DigestFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = checkRegular(path, info)
	}
	if err != nil {
		return "", err
	}
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
