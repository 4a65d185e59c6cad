package workspace

import (
	"context"
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
	Fault    string // temp_file, unknown_file, unreadable, cut_off or torn_line
	File     string // in the workspace, with slashes
	Detail   string // what is wrong, and what is lost by it
	Advice   string
	Repaired bool
}

// Check looks at what belongs to no image. With repair it removes what programs
// that died have left.
func (w *Workspace) Check(repair bool) (found []Finding) {
	for _, path := range w.leftovers() {
		found = append(found, Finding{
			Fault: "temp_file", File: w.relative(path), Detail: "left by a program that died; nothing is lost by it",
			Advice: "repair removes it", Repaired: repair && os.RemoveAll(path) == nil,
		})
	}
	found = append(found, w.orphans()...)
	found = append(found, w.cutOff(repair)...)
	for _, name := range []string{GapLog, AuditLog} {
		torn, err := w.tornLines(name)
		if err != nil {
			found = append(found, w.unreadable(name, err))
		}
		if torn > 0 {
			found = append(found, Finding{
				Fault: "torn_line", File: name, Detail: fmt.Sprintf("lines that cannot be read, as a crash leaves one: %d", torn),
				Advice: "nothing need be done: such lines are passed over",
			})
		}
	}
	return found
}

// leftovers finds the temporary files and folders of programs that died.
func (w *Workspace) leftovers() (paths []string) {
	folders := []string{w.root, w.Path("images"), w.Path("proposals"), w.Path("trash"), w.Path(intentFolder), w.Path(rawsDir)}
	for _, dir := range []string{w.Path("exports"), w.Path("proofs")} {
		folders = append(folders, dir)
		below, _ := os.ReadDir(dir) // of images, and of darktables
		for _, entry := range below {
			folders = append(folders, filepath.Join(dir, entry.Name()))
		}
	}
	ids, _ := w.IDs()
	for _, id := range ids {
		folders = append(folders, w.ImageDir(id))
	}
	for _, dir := range folders {
		entries, _ := os.ReadDir(dir) // orphans tells of those that cannot be read
		for _, entry := range entries {
			// What is younger may be of someone who is at work.
			if path := filepath.Join(dir, entry.Name()); atomicfile.IsTemp(path) && isLeftover(path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// cutOff finds the edits of several images that a program was killed at. With repair
// they are taken back.
func (w *Workspace) cutOff(repair bool) (found []Finding) {
	if repair {
		w.settleAbandoned(context.Background(), "")
	}
	for _, name := range w.intentNames() {
		if w.opts.ReadOnly || isFree(w.intentLock(name)) {
			found = append(found, Finding{
				Fault: "cut_off", File: w.relative(w.intentPath(name)), Detail: "edits that were to be made all or none were cut off",
				Advice: "repair takes them back; where it cannot, put the images that the file names back from a backup, and remove it",
			})
		}
	}
	return found
}

// unreadable is the finding of a file or folder that cannot be read.
func (w *Workspace) unreadable(name string, err error) Finding {
	return Finding{
		Fault: "unreadable", File: name, Detail: err.Error(),
		Advice: "see to its permissions and to the disk, and check again; everything else was checked",
	}
}

func (w *Workspace) relative(path string) string {
	rel, err := filepath.Rel(w.root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// orphans finds what lies among the images, or in the trash, and is none.
func (w *Workspace) orphans() (found []Finding) {
	for folder, needs := range map[string]string{"images": "image.json", "trash": deletedName} {
		entries, err := os.ReadDir(w.Path(folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			found = append(found, w.unreadable(folder, err))
		}
		for _, entry := range entries {
			if atomicfile.IsTemp(entry.Name()) || atomicfile.IsClutter(entry.Name()) {
				continue
			}
			if !lacks(w.Path(folder, entry.Name()), needs) {
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
	return found
}

// IsNone reports whether a folder among the images is there that is no image.
func (w *Workspace) IsNone(id string) bool { return lacks(w.ImageDir(id), imageName) }

// lacks reports whether a folder is there without a file that it needs. One that comes and
// goes meanwhile, to the trash and back, is looked at again.
func lacks(dir, needs string) bool {
	for range 3 {
		if _, err := os.Stat(filepath.Join(dir, needs)); err == nil {
			return false
		}
		if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}
