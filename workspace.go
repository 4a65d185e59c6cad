package chemigram

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/render"
)

// workspaceFormat is the layout below. A program refuses a newer one.
//
//	chemigram.json          {"format": 1}
//	images/ID/image.json    where the raw is, its digest, what it says of itself
//	images/ID/history/      see versioning/FORMAT.md
//	images/ID/marks.json    rating and colour labels
//	images/ID/brief.md      what the picture is for; see docs/context.md
//	images/ID/notes.md      what was learned about it
//	proposals/ID.json       changes of tastes and notes that a person decides on
//	gaps.jsonl              what the vocabulary could not say
//	audit.jsonl             every executed call of a verb that can lose something
//	transcripts/            what was called in each session; see docs/mcp.md
//	images.log, .lock       which images came and went; may be deleted
//	trash/TIME-ID/          deleted images, with deleted.json: when, by whom, why
//	cache/                  previews; may be deleted at any time
//	exports/ID/             pictures, unless the caller names another folder
const workspaceFormat = 1

type workspace struct {
	root     string
	readOnly bool
	ids      idList
}

type workspaceFile struct {
	Format int `json:"format"`
}

// openWorkspace opens the workspace at root, or makes it.
func openWorkspace(root string, readOnly bool) (*workspace, error) {
	if root == "" {
		var err error
		if root, err = defaultWorkspace(); err != nil {
			return nil, err
		}
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	w := &workspace{root: root, readOnly: readOnly}
	data, err := os.ReadFile(w.path("chemigram.json"))
	if errors.Is(err, fs.ErrNotExist) {
		err := w.create()
		return w, err
	}
	if err != nil {
		return nil, err
	}
	var file workspaceFile
	if err := json.Unmarshal(data, &file); err != nil || file.Format < 1 {
		return nil, fault.New(fault.State, "%s is not a workspace's configuration: %q", w.path("chemigram.json"), shorten(string(data)))
	}
	if file.Format > workspaceFormat {
		return nil, fault.New(fault.State, "the workspace %s has format %d, this program knows formats up to %d: use a newer Chemigram",
			root, file.Format, workspaceFormat)
	}
	return w, nil
}

func (w *workspace) create() error {
	if w.readOnly {
		return fault.New(fault.State, "there is no workspace at %s, and a read-only engine does not make one", w.root)
	}
	entries, err := os.ReadDir(w.root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		if !atomicfile.IsTemp(entry.Name()) && entry.Name() != "images" {
			return fault.New(fault.State, "%s is neither empty nor a workspace (it has %q): name a folder of its own", w.root, entry.Name())
		}
	}
	if err := os.MkdirAll(w.path("images"), 0o777); err != nil {
		return err
	}
	data, err := json.Marshal(workspaceFile{Format: workspaceFormat})
	if err != nil {
		return err
	}
	return atomicfile.Write(w.path("chemigram.json"), append(data, '\n'), 0o644)
}

// defaultWorkspace is "chemigram" in the folder where the system's programs
// keep a user's data.
func defaultWorkspace() (string, error) {
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "chemigram"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fault.New(fault.State, "there is no home folder (%v): name a workspace", err)
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", "chemigram"), nil
	case "windows":
		return filepath.Join(home, "AppData", "Local", "chemigram"), nil
	}
	return filepath.Join(home, ".local", "share", "chemigram"), nil
}

func (w *workspace) path(elem ...string) string {
	return filepath.Join(append([]string{w.root}, elem...)...)
}

func (w *workspace) imageDir(id ImageID) string { return w.path("images", string(id)) }

// imageIDs lists the images by name.
func (w *workspace) imageIDs() (names []string, err error) {
	err = w.ids.use(w, func(ids imageIDs) { names = slices.Clone(ids.names) })
	return names, err
}

// pageOfIDs lists some of the images by name, and counts all.
func (w *workspace) pageOfIDs(offset, limit int) (page []string, total int, err error) {
	err = w.ids.use(w, func(ids imageIDs) { page, total = slices.Clone(pageOf(ids.names, offset, limit)), len(ids.names) })
	return page, total, err
}

func pageOf(all []string, offset, limit int) []string {
	from := min(offset, len(all))
	return all[from:min(from+limit, len(all))]
}

// add publishes an image folder that fill has prepared: all of it or nothing.
// It is fs.ErrExist when the id is taken.
func (w *workspace) add(ctx context.Context, id ImageID, fill func(dir string) error) (err error) {
	temp := w.path(".tmp-" + rand.Text())
	if err := os.Mkdir(temp, 0o777); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(temp)
		}
	}()
	if err := fill(temp); err != nil {
		return err
	}
	if _, err := os.Lstat(w.imageDir(id)); err == nil {
		return fmt.Errorf("image %s: %w", id, fs.ErrExist)
	}
	if err := w.relocate(ctx, id, temp, w.imageDir(id)); err != nil {
		return err
	}
	return atomicfile.SyncDir(w.path("images"))
}

// openCache opens the workspace's cache of pictures. A read-only engine has one
// of its own, in a temporary folder, as it writes nothing into the workspace.
func (w *workspace) openCache() (cache *render.Cache, temporary string, err error) {
	dir := w.path("cache")
	if w.readOnly {
		if dir, err = os.MkdirTemp("", "chemigram-cache-*"); err != nil {
			return nil, "", err
		}
		temporary = dir
	}
	cache, err = render.OpenCache(dir, nil)
	return cache, temporary, err
}
