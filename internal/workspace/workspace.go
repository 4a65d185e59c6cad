// Package workspace keeps images, and what belongs to them, on disk.
//
// A workspace is a folder:
//
//	chemigram.json          {"format": 1}
//	images/ID/image.json    where the raw is, its digest, what it says of itself
//	images/ID/history/      see versioning/FORMAT.md
//	images/ID/marks.json    rating and colour labels
//	images/ID/brief.md      what the picture is for; see docs/context.md
//	images/ID/notes.md      what was learned about it
//	images/ID/shared.json   what of these a remote had last
//	proposals/ID.json       changes of tastes and notes that a person decides on
//	gaps.jsonl              what the vocabulary could not say
//	audit.jsonl             the intent and the outcome of every call that can lose something
//	proofs/                 which moves hold on which darktable; see docs/authoring.md
//	transcripts/            what was called in each session; see docs/mcp.md
//	intents/                how to take back what a crash has cut off
//	remotes.json            where images are shared with other workspaces; see docs/sharing.md
//	raws/SHA256/            raws that came from there
//	images.log, .lock       which images came and went; may be deleted
//	trash/TIME-ID/          deleted images, with deleted.json: when, by whom, why
//	cache/                  previews, and what raws were when they were read; may be
//	                        deleted at any time
//	exports/ID/             pictures, unless the caller names another folder
package workspace

import (
	"cmp"
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
	"time"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/versioning"
)

// format is the layout of the package's comment. A program refuses a newer one.
const format = 1

// Workspace is an open workspace. It is safe for concurrent use.
type Workspace struct {
	root   string
	opts   Options
	ids    idList
	images imageCache
	raws   rawMemory
}

// Options say how a workspace is opened.
type Options struct {
	// ReadOnly writes nothing.
	ReadOnly bool
	// LockWait limits how long a writer waits for another. Default: 10 s.
	LockWait time.Duration
	// Actor is who calls when the context does not say.
	Actor string
}

// file is chemigram.json.
type file struct {
	Format int `json:"format"`
}

// Open opens the workspace at root, or makes it. No root is the user's own.
func Open(root string, opts *Options) (*Workspace, error) {
	if root == "" {
		var err error
		if root, err = defaultRoot(); err != nil {
			return nil, err
		}
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	w := &Workspace{root: root}
	if opts != nil {
		w.opts = *opts
	}
	w.opts.LockWait = cmp.Or(w.opts.LockWait, 10*time.Second)
	if err := w.check(); errors.Is(err, fs.ErrNotExist) {
		err = w.create()
		return w, err
	} else if err != nil {
		return nil, err
	}
	if !w.opts.ReadOnly {
		sweep(root)
		w.sweepIntents()
		w.settleAbandoned(context.Background(), "")
	}
	return w, nil
}

// check makes sure that there is a workspace of a format that is known.
func (w *Workspace) check() error {
	data, err := regularfile.Read(w.Path("chemigram.json"), mostOwn)
	if err != nil {
		return err
	}
	var f file
	if err := json.Unmarshal(data, &f); err != nil || f.Format < 1 {
		return fault.New(fault.State, "%s is not a workspace's configuration: %q", w.Path("chemigram.json"), fault.Shorten(string(data)))
	}
	if f.Format > format {
		return fault.New(fault.State, "the workspace %s has format %d, this program knows formats up to %d: use a newer Chemigram",
			w.root, f.Format, format)
	}
	return nil
}

func (w *Workspace) create() error {
	if w.opts.ReadOnly {
		return fault.New(fault.State, "there is no workspace at %s, and a read-only engine does not make one", w.root)
	}
	entries, err := os.ReadDir(w.root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		if !atomicfile.IsTemp(entry.Name()) && !atomicfile.IsClutter(entry.Name()) && entry.Name() != "images" {
			return fault.New(fault.State, "%s is neither empty nor a workspace (it has %q): name a folder of its own", w.root, entry.Name())
		}
	}
	if err := atomicfile.MkdirAll(w.Path("images"), 0o777); err != nil {
		return err
	}
	data, err := json.Marshal(file{Format: format})
	if err != nil {
		return err
	}
	return atomicfile.Write(w.Path("chemigram.json"), append(data, '\n'), 0o644)
}

// defaultRoot is "chemigram" in the folder where the system's programs keep a
// user's data.
func defaultRoot() (string, error) {
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

// Root is the workspace's folder.
func (w *Workspace) Root() string { return w.root }

// CheckWritable refuses to write into a workspace that is read-only.
func (w *Workspace) CheckWritable() error {
	if w.opts.ReadOnly {
		return fault.New(fault.Permission, "the engine is read-only").With("violation", "read_only")
	}
	return nil
}

// Path is the path of something in the workspace.
func (w *Workspace) Path(elem ...string) string {
	return filepath.Join(append([]string{w.root}, elem...)...)
}

// ImageDir is the folder of an image.
func (w *Workspace) ImageDir(id string) string { return w.Path("images", id) }

// IDs lists the images by name.
func (w *Workspace) IDs() (names []string, err error) {
	err = w.ids.use(w, func(ids imageIDs) { names = slices.Clone(ids.names) })
	return names, err
}

// Page lists some of the images by name, and counts all.
func (w *Workspace) Page(offset, limit int) (page []string, total int, err error) {
	err = w.ids.use(w, func(ids imageIDs) {
		total = len(ids.names)
		from := min(offset, total)
		page = slices.Clone(ids.names[from:min(from+limit, total)])
	})
	return page, total, err
}

// Add publishes a new image with its first state: all of it or nothing. It is a state
// fault when the id is taken. A change without an actor gets the call's.
func (w *Workspace) Add(ctx context.Context, f File, baseline []byte, change versioning.Change) (record versioning.Record, err error) {
	err = w.add(ctx, f.ImageID, func(dir string) error {
		if err := f.Write(dir); err != nil {
			return err
		}
		history, err := versioning.Open(filepath.Join(dir, "history"), w.historyOptions(""))
		if err != nil {
			return err
		}
		change.Actor = cmp.Or(change.Actor, w.Actor(ctx))
		record, err = history.Init(ctx, baseline, change)
		return err
	})
	return record, err
}

// add publishes an image's folder that fill has prepared.
func (w *Workspace) add(ctx context.Context, id string, fill func(dir string) error) (err error) {
	temp := w.Path(".tmp-" + rand.Text())
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
	if err := atomicfile.SyncDir(temp); err != nil {
		return err
	}
	if w.IsHalf(id) {
		if err := w.setAside(ctx, id); err != nil {
			return err
		}
	}
	if err := w.relocate(ctx, id, temp, w.ImageDir(id), w.isFree(id)); errors.Is(err, fs.ErrExist) {
		return w.taken(id)
	} else if err != nil {
		return err
	}
	return errors.Join(atomicfile.SyncDir(w.Path("images")), atomicfile.SyncDir(w.root))
}

// isFree gives a function that fails with fs.ErrExist when there is something in the
// place of an image: a rename may put a folder in the place of an empty one.
func (w *Workspace) isFree(id string) func() error {
	return func() error {
		_, err := os.Lstat(w.ImageDir(id))
		if err == nil {
			return fs.ErrExist
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
}

// historyOptions are those of an image's history; no id is one that is not published
// yet, or that is settled just now.
func (w *Workspace) historyOptions(id string) *versioning.Options {
	opts := &versioning.Options{LockWait: w.opts.LockWait, ReadOnly: w.opts.ReadOnly}
	if id != "" {
		opts.Locked = func(context.Context) (func(context.Context) error, error) { return w.unsettled(id), nil }
	}
	return opts
}

// Probe reports whether the workspace can be written to, by writing to it.
func (w *Workspace) Probe() error {
	probe := w.Path(".tmp-probe")
	defer func() { _ = os.Remove(probe) }()
	if err := atomicfile.Write(probe, nil, 0o644); err != nil {
		return fmt.Errorf("the workspace cannot be written to: %w", err)
	}
	return nil
}
