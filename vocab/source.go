package vocab

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/internal/suggest"
)

//go:embed packs
var packs embed.FS

// starter is the pack of the moves that a beginner needs.
const starter = "starter"

// Source is one pack folder.
type Source struct {
	Name string // what errors call it: a path, or "starter"
	FS   fs.FS
}

// Builtin gives the embedded packs by name, in the order asked for; without
// names all of them. Unknown is an *Error of kind Unknown.
func Builtin(names ...string) ([]Source, error) {
	all := builtinNames()
	if len(names) == 0 {
		names = all
	}
	var sources []Source
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, &Error{
				Kind: Unknown, Pack: name, Suggestions: suggest.Nearest(name, all),
				Message: fmt.Sprintf("no such built-in pack; there are %s", strings.Join(all, ", ")),
			}
		}
		sub, err := fs.Sub(packs, path.Join("packs", name))
		if err != nil {
			return nil, err
		}
		sources = append(sources, Source{Name: name, FS: sub})
	}
	return sources, nil
}

// builtinNames lists the embedded packs, starter first.
func builtinNames() []string {
	entries, _ := packs.ReadDir("packs") // embedded: it always exists
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.SortFunc(names, func(a, b string) int {
		switch {
		case a == b:
			return 0
		case a == starter:
			return -1
		case b == starter:
			return 1
		}
		return strings.Compare(a, b)
	})
	return names
}

// Dir is the pack in a folder. A symbolic link that leads out of the folder is
// not followed: reading it is an error.
func Dir(folder string) Source { return Source{Name: folder, FS: rootFS(folder)} }

// rootFS reads a folder through os.Root, which it opens for each call, so that
// there is nothing to close.
type rootFS string

func (f rootFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := root.Stat(name); err == nil && info.IsDir() {
		return root.Open(name)
	}
	file, _, err := regularfile.OpenIn(root, name)
	if err != nil {
		return nil, err
	}
	return file, nil
}

func (f rootFS) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Stat(name)
}
