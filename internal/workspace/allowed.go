package workspace

import (
	"os"
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
	for _, root := range roots {
		root, err := filepath.Abs(root)
		if err != nil {
			return err
		}
		if isBelow(path, root) {
			return nil
		}
	}
	return fault.New(fault.Permission, "%s lies outside the folders that are allowed for %s: %s",
		path, what, strings.Join(roots, ", ")).With("violation", "outside_roots")
}

// isBelow reports whether a path is a folder or lies in it, in whatever way the folders
// of the path are written: through links, or in another case where that does not count.
func isBelow(path, folder string) bool {
	target, folder := realPath(path), realPath(folder)
	if rel, err := filepath.Rel(folder, target); err == nil && filepath.IsLocal(rel) {
		return true
	}
	root, err := os.Stat(folder)
	if err != nil {
		return false
	}
	for parent := filepath.Dir(target); ; target, parent = parent, filepath.Dir(parent) {
		if info, err := os.Stat(target); err == nil && os.SameFile(info, root) {
			return true
		}
		if parent == target {
			return false
		}
	}
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
