package workspace

import (
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// Allowed refuses a path outside the allowed roots; no roots allow every path.
// Links are followed first, so that none leads out.
func Allowed(path string, roots []string, what string) error {
	if len(roots) == 0 {
		return nil
	}
	target := realPath(path)
	for _, root := range roots {
		root, err := filepath.Abs(root)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(realPath(root), target)
		if err == nil && filepath.IsLocal(rel) {
			return nil
		}
	}
	return fault.New(fault.Permission, "%s lies outside the folders that are allowed for %s: %s",
		path, what, strings.Join(roots, ", ")).With("violation", "outside_roots")
}

// realPath follows links as far as the path exists.
func realPath(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(realPath(parent), filepath.Base(path))
}

// DescribeMode is the word for what is no regular file.
func DescribeMode(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeNamedPipe != 0:
		return "pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	}
	return "device"
}
