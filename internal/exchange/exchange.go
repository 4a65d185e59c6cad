// Package exchange shares the images of a workspace with other workspaces: it knows which
// remotes there are, and what of an image goes there and comes back.
package exchange

import (
	"context"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/share"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/objects"
)

// Options say what an Exchange works with.
type Options struct {
	Workspace *workspace.Workspace
	// Open opens a store whose location is a URL; nil knows none but file.
	Open func(ctx context.Context, location string) (objects.Store, error)
	// Roots are the folders below which a remote's may be; none allow every folder.
	Roots []string
	// Progress is told how far a call is.
	Progress func(ctx context.Context, done, total int, what string)
}

// Exchange shares the images of a workspace. It is safe for concurrent use.
type Exchange struct {
	Options
	mu   sync.Mutex
	open map[string]opened // by name and location
	old  []opened          // folders that were put in the place of others
}

// opened is a remote that is in use.
type opened struct {
	*share.Remote
	close func() error
	// moved reports whether something else is at the place now.
	moved func() bool
}

// New makes an exchange.
func New(o Options) *Exchange { return &Exchange{Options: o, open: map[string]opened{}} }

// Close closes the stores that are open.
func (x *Exchange) Close() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, r := range x.open {
		_ = r.close() // what was acknowledged is there
	}
	for _, r := range x.old {
		_ = r.close()
	}
	clear(x.open)
}

// Add remembers a remote, after its store was tried. A name that is taken by another
// place is refused.
func (x *Exchange) Add(ctx context.Context, name, location string) (added workspace.Remote, changed bool, err error) {
	added = workspace.Remote{Name: name, Location: location}
	if folder, ok := folderOf(location); ok {
		if added.Location, err = filepath.Abs(folder); err != nil {
			return added, false, err
		}
	}
	if strings.Contains(location, "@") && strings.Contains(location, "://") {
		return added, false, fault.Invalid("/location", "a location has no name or password in it: give them in the environment")
	}
	remote, err := x.connect(ctx, added)
	if err == nil {
		added.ID, err = remote.Identify(ctx)
	}
	if err != nil {
		return added, false, err
	}
	err = x.Workspace.ChangeRemotes(ctx, func(list []workspace.Remote) ([]workspace.Remote, error) {
		at := slices.IndexFunc(list, func(r workspace.Remote) bool { return r.Name == name })
		if at >= 0 && list[at] != added {
			return nil, fault.New(fault.State, "the remote %s is at %s: choose another name, or remove that one first", name, list[at].Location)
		}
		if changed = at < 0; changed {
			list = append(list, added)
			slices.SortFunc(list, func(a, b workspace.Remote) int { return strings.Compare(a.Name, b.Name) })
		}
		return list, nil
	})
	return added, changed && err == nil, err
}

// Remove forgets a remote. What is there stays.
func (x *Exchange) Remove(ctx context.Context, name string) (removed workspace.Remote, err error) {
	err = x.Workspace.ChangeRemotes(ctx, func(list []workspace.Remote) ([]workspace.Remote, error) {
		removed, err = choose(list, name)
		return slices.DeleteFunc(list, func(r workspace.Remote) bool { return r == removed }), err
	})
	return removed, err
}

// Remote opens a remote by name; "" is the only one.
func (x *Exchange) Remote(ctx context.Context, name string) (*share.Remote, workspace.Remote, error) {
	list, err := x.Workspace.Remotes()
	if err != nil {
		return nil, workspace.Remote{}, err
	}
	known, err := choose(list, name)
	if err != nil {
		return nil, known, err
	}
	remote, err := x.connect(ctx, known)
	if err == nil {
		err = remote.Check(ctx, known.ID)
	}
	return remote, known, err
}

// choose finds a remote by name.
func choose(list []workspace.Remote, name string) (workspace.Remote, error) {
	if name == "" && len(list) == 1 {
		return list[0], nil
	}
	names := make([]string, len(list))
	for i, r := range list {
		if names[i] = r.Name; r.Name == name {
			return r, nil
		}
	}
	switch {
	case len(list) == 0:
		return workspace.Remote{}, fault.New(fault.State, "there is no remote: add_remote adds one")
	case name == "":
		return workspace.Remote{}, fault.Invalid("/remote", "there are several remotes: name one of %q", names)
	}
	return workspace.Remote{}, fault.Missing("remote", name, names)
}

// folderOf gives the folder that a location names.
func folderOf(location string) (string, bool) {
	const scheme = "file://" // in any case, as in every URL
	if len(location) >= len(scheme) && strings.EqualFold(location[:len(scheme)], scheme) {
		return location[len(scheme):], true
	}
	return location, !strings.Contains(location, "://")
}

// wrappedFolder gives the folder that a location names in which something is done to the
// objects on their way, as in age+file:///folder.
func wrappedFolder(location string) (string, bool) {
	u, err := url.Parse(location)
	if err != nil || !strings.HasSuffix(u.Scheme, "+file") {
		return "", false
	}
	folder := u.Path
	if runtime.GOOS == "windows" {
		folder = strings.TrimPrefix(folder, "/") // of /C:/pictures
	}
	return filepath.FromSlash(folder), true
}

// connect opens a remote's store, once.
func (x *Exchange) connect(ctx context.Context, r workspace.Remote) (*share.Remote, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	key := r.Name + " " + r.Location
	if known, ok := x.open[key]; ok {
		if !known.moved() {
			return known.Remote, nil
		}
		x.old = append(x.old, known) // somebody may be at it
		delete(x.open, key)
	}
	next, store, err := x.openStore(ctx, r)
	if err != nil {
		return nil, share.Fault(r.Name, err)
	}
	next.Remote = share.New(r.Name, store)
	x.open[key] = next
	return next.Remote, nil
}

func (x *Exchange) openStore(ctx context.Context, r workspace.Remote) (opened, objects.Store, error) {
	folder, plain := folderOf(r.Location)
	wrapped := false
	if !plain {
		folder, wrapped = wrappedFolder(r.Location)
	}
	if plain || wrapped {
		if err := errors.Join(workspace.Allowed(folder, x.Roots, "a remote"), x.Workspace.CheckOutput(folder)); err != nil {
			return opened{}, nil, err
		}
	}
	if plain {
		store, err := objects.OpenFolder(folder)
		if err != nil {
			return opened{}, nil, err
		}
		return opened{close: store.Close, moved: store.Moved}, store, nil
	}
	if x.Open == nil {
		return opened{}, nil, fault.New(fault.NotImplemented, "this program opens remotes in folders alone, and not %.100q", r.Location).
			With("capability", "remotes by URL").With("requires", "a program with Options.OpenRemote")
	}
	store, err := x.Open(ctx, r.Location)
	closing, moved := func() error { return nil }, func() bool { return false }
	if closer, ok := store.(io.Closer); ok {
		closing = closer.Close
	}
	if m, ok := store.(interface{ Moved() bool }); ok {
		moved = m.Moved
	}
	return opened{close: closing, moved: moved}, store, err
}
