package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/chemigram/chemigram/internal/atomicfile"
)

// leftover is how old a temporary file has to be before nobody can be at work on
// it any more.
const leftover = time.Hour

// isLeftover reports whether a temporary file or folder is of a program that died.
func isLeftover(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && time.Since(info.ModTime()) >= leftover
}

// sweep removes what programs that died have left in a folder. What cannot be
// removed stays for the next time.
func sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if path := filepath.Join(dir, entry.Name()); atomicfile.IsTemp(path) && isLeftover(path) {
			_ = os.RemoveAll(path)
		}
	}
}

// Finding is one thing that is wrong with what belongs to no image.
type Finding struct {
	Fault    string // temp_file, unknown_file or torn_line
	File     string // in the workspace, with slashes
	Detail   string // what is wrong, and what is lost by it
	Advice   string
	Repaired bool
}

// Check looks at what belongs to no image. With repair it removes what programs
// that died have left.
func (w *Workspace) Check(repair bool) ([]Finding, error) {
	var found []Finding
	for _, pattern := range []string{".tmp-*", "images/.tmp-*", "images/*/.tmp-*", "proposals/.tmp-*", "trash/.tmp-*"} {
		paths, err := filepath.Glob(w.Path(filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if !isLeftover(path) {
				continue // gone meanwhile, or of someone who is at work
			}
			found = append(found, Finding{
				Fault: "temp_file", File: w.relative(path), Detail: "left by a program that died; nothing is lost by it",
				Advice: "repair removes it", Repaired: repair && os.RemoveAll(path) == nil,
			})
		}
	}
	orphans, err := w.orphans()
	if err != nil {
		return nil, err
	}
	found = append(found, orphans...)
	for _, name := range []string{GapLog, AuditLog} {
		torn, err := w.tornLines(name)
		if err != nil {
			return nil, err
		}
		if torn > 0 {
			found = append(found, Finding{
				Fault: "torn_line", File: name, Detail: fmt.Sprintf("lines that cannot be read, as a crash leaves one: %d", torn),
				Advice: "nothing need be done: such lines are passed over",
			})
		}
	}
	return found, nil
}

func (w *Workspace) relative(path string) string {
	rel, err := filepath.Rel(w.root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// orphans finds what lies among the images, or in the trash, and is none.
func (w *Workspace) orphans() ([]Finding, error) {
	var found []Finding
	for folder, needs := range map[string]string{"images": "image.json", "trash": deletedName} {
		entries, err := os.ReadDir(w.Path(folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, entry := range entries {
			if atomicfile.IsTemp(entry.Name()) {
				continue
			}
			if _, err := os.Stat(w.Path(folder, entry.Name(), needs)); err == nil {
				continue
			}
			if half, ok := w.half(entry.Name()); ok && folder == "images" {
				found = append(found, half)
				continue
			}
			found = append(found, Finding{
				Fault: "unknown_file", File: folder + "/" + entry.Name(),
				Detail: "it is no image: it has no " + needs,
				Advice: "put " + needs + " back from a backup, or move it elsewhere; a history in it is whole by itself",
			})
		}
	}
	return found, nil
}
