package chemigram

import (
	"bytes"
	"encoding/json"
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

// isLeftover tells whether a temporary file or folder is of a program that died.
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

// verifyWorkspace looks at what belongs to no image.
func (e *Engine) verifyWorkspace(repair bool) ([]FaultFinding, error) {
	w := e.workspace
	var found []FaultFinding
	for _, pattern := range []string{".tmp-*", "images/.tmp-*", "images/*/.tmp-*", "proposals/.tmp-*", "trash/.tmp-*"} {
		paths, err := filepath.Glob(w.path(filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if !isLeftover(path) {
				continue // gone meanwhile, or of someone who is at work
			}
			found = append(found, FaultFinding{
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
	for _, name := range []string{gapLog, auditLog} {
		torn, err := w.tornLines(name)
		if err != nil {
			return nil, err
		}
		found = append(found, torn...)
	}
	return found, nil
}

func (w *workspace) relative(path string) string {
	rel, err := filepath.Rel(w.root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// orphans finds what lies among the images, or in the trash, and is none.
func (w *workspace) orphans() ([]FaultFinding, error) {
	var found []FaultFinding
	for folder, needs := range map[string]string{"images": "image.json", "trash": trashNoteName} {
		entries, err := os.ReadDir(w.path(folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, entry := range entries {
			if atomicfile.IsTemp(entry.Name()) {
				continue
			}
			if _, err := os.Stat(w.path(folder, entry.Name(), needs)); err == nil {
				continue
			}
			found = append(found, FaultFinding{
				Fault: "unknown_file", File: folder + "/" + entry.Name(),
				Detail: "it is no image: it has no " + needs,
				Advice: "put " + needs + " back from a backup, or move it elsewhere; a history in it is whole by itself",
			})
		}
	}
	return found, nil
}

// tornLines finds lines of a log that are no JSON.
func (w *workspace) tornLines(name string) ([]FaultFinding, error) {
	data, err := os.ReadFile(w.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	torn := 0
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !json.Valid(line) {
			torn++
		}
	}
	if torn == 0 {
		return nil, nil
	}
	return []FaultFinding{{
		Fault: "torn_line", File: name, Detail: fmt.Sprintf("lines that cannot be read, as a crash leaves one: %d", torn),
		Advice: "nothing need be done: such lines are passed over",
	}}, nil
}
