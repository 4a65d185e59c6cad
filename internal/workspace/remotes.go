package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
)

// Remote is a place where images are shared with other workspaces.
type Remote struct {
	Name     string `json:"name"`
	Location string `json:"location"` // a folder's absolute path, or a URL
	ID       string `json:"id"`       // that tells it from every other remote
}

// RemotePattern is the regular expression that a remote's name matches whole.
const RemotePattern = `[a-z0-9][a-z0-9_-]{0,39}`

var validRemote = regexp.MustCompile(`\A` + RemotePattern + `\z`)

// remotesFile is remotes.json.
type remotesFile struct {
	Remotes []Remote `json:"remotes"`
	checksum
}

const (
	remotesName = "remotes.json"
	mostRemotes = 100
)

// Remotes lists the remotes, by name.
func (w *Workspace) Remotes() ([]Remote, error) {
	data, err := readOwn(w.root, remotesName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list, err := decodeRemotes(data)
	if err != nil {
		return nil, fault.New(fault.State, "%s is damaged: %v: remove it, and add the remotes again", w.Path(remotesName), err)
	}
	return list, nil
}

func decodeRemotes(data []byte) ([]Remote, error) {
	var f remotesFile
	if err := unmarshalMended(data, &f); err != nil {
		return nil, err
	}
	for _, r := range f.Remotes {
		if !validRemote.MatchString(r.Name) {
			return nil, fmt.Errorf("%q is no remote's name", fault.Shorten(r.Name))
		}
	}
	return f.Remotes, nil
}

// ChangeRemotes changes the list of the remotes.
func (w *Workspace) ChangeRemotes(ctx context.Context, change func([]Remote) ([]Remote, error)) error {
	unlock, err := w.Lock(ctx, w.Path("remotes.lock"))
	if err != nil {
		return err
	}
	defer unlock()
	list, err := w.Remotes()
	if err != nil {
		return err
	}
	if list, err = change(slices.Clone(list)); err != nil {
		return err
	}
	if len(list) > mostRemotes {
		return fault.New(fault.State, "there are %d remotes already: remove one first", mostRemotes)
	}
	data, err := marshalChecked(remotesFile{list, checksum{noChecksum}})
	if err != nil {
		return err
	}
	return atomicfile.Write(w.Path(remotesName), data, 0o644)
}

// AddFrom publishes a new image whose history fill makes: all of it or nothing.
func (w *Workspace) AddFrom(ctx context.Context, f File, fill func(*versioning.History) error) error {
	return w.add(ctx, f.ImageID, func(dir string) error {
		if err := f.Write(dir); err != nil {
			return err
		}
		// Filled without waiting for the disk, and then written durably, once.
		incoming := filepath.Join(dir, "incoming")
		from, err := versioning.Open(incoming, &versioning.Options{Durability: versioning.Relaxed})
		if err != nil {
			return err
		}
		if err := fill(from); err != nil {
			return err
		}
		if err := importWhole(ctx, filepath.Join(incoming, "journal"), filepath.Join(dir, "history"), w.historyOptions("")); err != nil {
			return err
		}
		return os.RemoveAll(incoming)
	})
}

// importWhole makes a history of a journal.
func importWhole(ctx context.Context, journal, dir string, opts *versioning.Options) error {
	f, err := os.Open(journal)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	to, err := versioning.Open(dir, opts)
	if err != nil {
		return err
	}
	_, err = to.Import(ctx, io.NewSectionReader(f, 0, info.Size()))
	return err
}

// KeepRaw keeps a raw that comes from a remote: fill writes it, and it is published, as
// raws/SHA256/NAME, when its content has that digest.
func (w *Workspace) KeepRaw(ctx context.Context, sum, name string, fill func(*os.File) error) error {
	if _, err := w.MakeFolder("raws"); err != nil {
		return err
	}
	dir := w.Path("raws", sum)
	if err := atomicfile.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".tmp-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	err = fill(temp)
	if err = errors.Join(err, temp.Chmod(0o644), atomicfile.Sync(temp), temp.Close()); err != nil {
		return err
	}
	if digest, err := DigestFile(ctx, temp.Name()); err != nil || digest != sum {
		return errors.Join(err, fault.New(fault.State, "the raw that came is not the one that was meant: nothing was kept"))
	}
	if err := Publish(temp.Name(), filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
