package objects

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fserr"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// Folder is a [Store] in a folder, of a disk or a network disk: each object is a file
// below it. Where the file system has no links, such as on memory cards, an object is a
// folder with the one file ".object" in it: one that is not empty is not replaced, either.
type Folder struct {
	dir  string
	root *os.Root
	// link is os.Root.Link, but for tests of file systems without links.
	link func(from, to string) error
}

// inFolder is the file's name in an object that is a folder. No object's part begins so.
const inFolder = ".object"

// tempPrefix begins the names of what is not finished yet. No object's part begins so.
const tempPrefix = ".tmp-"

// OpenFolder opens the store in a folder, which has to exist: a network disk that is not
// connected is Unreachable, and its place is not filled.
func OpenFolder(dir string) (*Folder, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, folderError("Open", dir, err)
	}
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Op: "Open", Kind: Unreachable, Message: "there is no folder " + dir + ": connect the disk that it is on, or make it"}
	}
	if err != nil {
		return nil, folderError("Open", dir, err)
	}
	return &Folder{dir: dir, root: root, link: root.Link}, nil
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }

// Moved reports whether another folder is at the path now, or none: a disk was taken away,
// or connected anew.
func (f *Folder) Moved() bool {
	was, err := f.root.Stat(".")
	if err != nil {
		return true
	}
	now, err := os.Stat(f.dir)
	return err != nil || !os.SameFile(was, now)
}

// Get opens an object.
func (f *Folder) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	const op = "Get"
	if err := check(ctx, op, name); err != nil {
		return nil, err
	}
	name = filepath.FromSlash(name)
	info, err := f.root.Lstat(name)
	if err == nil && info.IsDir() {
		name = filepath.Join(name, inFolder)
	}
	file, _, err := regularfile.OpenIn(f.root, name)
	if err != nil {
		return nil, folderError(op, filepath.ToSlash(name), err)
	}
	return file, nil
}

// Create makes an object.
func (f *Folder) Create(ctx context.Context, name string, content io.ReadSeeker) (err error) {
	const op = "Create"
	if err := check(ctx, op, name); err != nil {
		return err
	}
	if _, err := f.root.Lstat(filepath.FromSlash(name)); err == nil {
		return &Error{Op: op, Kind: Exists, Name: name}
	}
	if err := f.makeParents(path.Dir(name)); err != nil {
		return folderError(op, name, err)
	}
	temp := filepath.Join(filepath.FromSlash(path.Dir(name)), tempPrefix+strings.ToLower(rand.Text()))
	defer func() { _ = f.root.Remove(temp) }()
	if err := f.write(ctx, temp, content); err != nil {
		return folderError(op, name, err)
	}
	if err := f.publish(temp, filepath.FromSlash(name)); err != nil {
		return folderError(op, name, err)
	}
	if err := atomicfile.SyncDir(filepath.Join(f.dir, filepath.FromSlash(path.Dir(name)))); err != nil {
		return folderError(op, name, err)
	}
	return nil
}

// write fills a new file and flushes it to the disk.
func (f *Folder) write(ctx context.Context, temp string, content io.ReadSeeker) error {
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	file, err := f.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, regularfile.Reader(ctx, content))
	return errors.Join(err, atomicfile.Sync(file), file.Close())
}

// publish gives a finished file its name, where there is nothing of that name.
func (f *Folder) publish(temp, name string) error {
	err := f.link(temp, name)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) || fserr.NoSpace(err) || fserr.ReadOnly(err) {
		return err
	}
	// No links here. A folder that has something in it is not replaced by another.
	folder := temp + "-folder"
	if err := f.root.Mkdir(folder, 0o755); err != nil {
		return err
	}
	defer func() { _ = f.root.RemoveAll(folder) }()
	if err := f.root.Rename(temp, filepath.Join(folder, inFolder)); err != nil {
		return err
	}
	if err := atomicfile.SyncDir(filepath.Join(f.dir, folder)); err != nil {
		return err
	}
	if err := f.root.Rename(folder, name); err != nil {
		if _, there := f.root.Lstat(name); there == nil {
			return fs.ErrExist
		}
		return err
	}
	return nil
}

// makeParents makes the folders that a name lies in, so that they survive a power cut.
func (f *Folder) makeParents(parent string) error {
	if parent == "." {
		return nil
	}
	local := filepath.FromSlash(parent)
	if info, err := f.root.Stat(local); err == nil && info.IsDir() {
		return nil
	}
	if err := f.makeParents(path.Dir(parent)); err != nil {
		return err
	}
	if err := f.root.Mkdir(local, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return atomicfile.SyncDir(filepath.Join(f.dir, filepath.FromSlash(path.Dir(parent))))
}

// List gives a page of the objects.
func (f *Folder) List(ctx context.Context, prefix, page string) (list []Object, next string, err error) {
	const op = "List"
	err = CheckPrefix(prefix)
	if page != "" {
		err = errors.Join(err, CheckName(page))
	}
	if err = errors.Join(err, ctx.Err()); err != nil {
		return nil, "", err
	}
	w := folderWalk{ctx: ctx, root: f.root, prefix: prefix, after: page}
	if err := w.walk("."); err != nil && !errors.Is(err, errPageFull) {
		return nil, "", folderError(op, prefix, err)
	}
	if len(w.list) > MaxPage {
		w.list = w.list[:MaxPage]
		next = w.list[MaxPage-1].Name
	}
	return w.list, next, nil
}

// errPageFull ends a walk.
var errPageFull = errors.New("the page is full")

// folderWalk finds the objects after a name, in the order of their names.
type folderWalk struct {
	ctx           context.Context //nolint:containedctx // a walk is one call
	root          *os.Root
	prefix, after string
	list          []Object
}

// walk lists a folder and those in it.
func (w *folderWalk) walk(dir string) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	file, err := w.root.Open(filepath.FromSlash(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // deleted meanwhile
	}
	if err != nil {
		return err
	}
	entries, err := file.ReadDir(-1)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	// By the names of their objects: those in a folder begin with its name and a slash.
	found := make([]walked, 0, len(entries))
	for _, entry := range entries {
		if e := w.look(path.Join(dir, entry.Name()), entry); e.key != "" {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b walked) int { return strings.Compare(a.key, b.key) })
	for _, e := range found {
		if e.file == "" {
			err = w.walk(strings.TrimSuffix(e.key, "/"))
		} else {
			err = w.add(e.key, e.file)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// walked is an object, or a folder of objects, whose key ends with a slash.
type walked struct{ key, file string }

// look says what there is of a name. It is zero for what is unfinished, no object, or
// not asked for.
func (w *folderWalk) look(name string, entry fs.DirEntry) walked {
	below := name + "/"
	switch {
	case CheckName(name) != nil:
		return walked{}
	case entry.Type().IsRegular():
		return walked{name, name}
	case !entry.IsDir(), !strings.HasPrefix(below, w.prefix) && !strings.HasPrefix(w.prefix, below):
		return walked{}
	case w.after > below && !strings.HasPrefix(w.after, below): // all in it come before
		return walked{}
	}
	if _, err := w.root.Lstat(filepath.FromSlash(below + inFolder)); err == nil {
		return walked{name, below + inFolder}
	}
	return walked{key: below}
}

// add lists an object, whose content is in a file.
func (w *folderWalk) add(name, file string) error {
	if !strings.HasPrefix(name, w.prefix) || name <= w.after {
		return nil
	}
	info, err := w.root.Stat(filepath.FromSlash(file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	w.list = append(w.list, Object{Name: name, Size: info.Size(), Modified: info.ModTime()})
	if len(w.list) > MaxPage {
		return errPageFull
	}
	return nil
}

// Delete removes an object.
func (f *Folder) Delete(ctx context.Context, name string) error {
	const op = "Delete"
	if err := check(ctx, op, name); err != nil {
		return err
	}
	local := filepath.FromSlash(name)
	info, err := f.root.Lstat(local)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && info.IsDir():
		err = f.removeFolder(local)
	case err == nil:
		err = f.root.Remove(local)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return folderError(op, name, err)
	}
	return nil
}

// removeFolder removes an object that is a folder: in one step, as a reader takes it for
// whole. A folder of objects is none.
func (f *Folder) removeFolder(local string) error {
	if _, err := f.root.Lstat(filepath.Join(local, inFolder)); err != nil {
		return err
	}
	gone := filepath.Join(filepath.Dir(local), tempPrefix+strings.ToLower(rand.Text()))
	if err := f.root.Rename(local, gone); err != nil {
		return err
	}
	return f.root.RemoveAll(gone)
}

func check(ctx context.Context, op, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := CheckName(name); err != nil {
		e := *err.(*Error) //nolint:errorlint // CheckName gives no other
		e.Op = op
		return &e
	}
	return nil
}

// folderError gives an error of the file system a kind.
func folderError(op, name string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	kind := Unreachable
	_, notFile := errors.AsType[*regularfile.Error](err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		kind = NotFound
	case errors.Is(err, fs.ErrExist):
		kind = Exists
	case errors.Is(err, fs.ErrPermission), fserr.ReadOnly(err):
		kind = Denied
	case fserr.NoSpace(err):
		kind = Full
	case notFile:
		kind = Damaged
	}
	return &Error{Op: op, Kind: kind, Name: name, Err: err}
}
