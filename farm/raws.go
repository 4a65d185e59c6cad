package farm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/chemigram/chemigram/internal/filestamp"
	"github.com/chemigram/chemigram/internal/owned"
	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/objects"
)

// raws are those that a worker has fetched, in a folder:
//
//	raws/SHA256/NAME    a raw under a name that a job gave it
//	tmp/                raws on their way, each in a folder of its process
//
// A raw is verified when it comes and when a process first uses it, and when its stamp
// has changed since. The least recently used go first.
type raws struct {
	dir   string
	limit int64
	store objects.Store

	mu      sync.Mutex
	used    map[string]int             // by digest: how many jobs use it
	flights map[string]*sync.Mutex     // by digest: one fetches, the others wait
	checked map[string]filestamp.Stamp // by digest: when it was last found to be right
}

// mostNames is how many names one raw has at once.
const mostNames = 16

// rawsPrefix begins the names of folders in tmp.
const rawsPrefix = "raw-"

func openRaws(dir string, limit int64, store objects.Store) (*raws, error) {
	r := &raws{
		dir: dir, limit: limit, store: store,
		used: map[string]int{}, flights: map[string]*sync.Mutex{}, checked: map[string]filestamp.Stamp{},
	}
	for _, sub := range []string{"raws", "tmp"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, err
		}
	}
	owned.Sweep(filepath.Join(dir, "tmp"), rawsPrefix)
	return r, nil
}

// get gives the path of a job's raw, which is there until release is called. Without the
// raw in the store it fails with objects.NotFound, with errDamaged when the store has
// something else.
func (r *raws) get(ctx context.Context, j *job) (path string, release func(), err error) {
	r.mu.Lock()
	r.used[j.Raw]++
	flight := r.flights[j.Raw]
	if flight == nil {
		flight = &sync.Mutex{}
		r.flights[j.Raw] = flight
	}
	r.mu.Unlock()
	release = func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.used[j.Raw]--; r.used[j.Raw] <= 0 {
			delete(r.used, j.Raw)
			delete(r.flights, j.Raw)
		}
	}
	flight.Lock()
	defer flight.Unlock()
	if path, err = r.find(ctx, j); err == nil {
		return path, release, nil
	}
	if path, err = r.fetch(ctx, j); err != nil {
		release()
		return "", nil, err
	}
	return path, release, nil
}

// path is where a raw lies under a job's name of it.
func (r *raws) path(j *job) string { return filepath.Join(r.dir, "raws", j.Raw, j.RawName) }

// find gives the raw when it is here, under any name.
func (r *raws) find(ctx context.Context, j *job) (string, error) {
	path, folder := r.path(j), filepath.Join(r.dir, "raws", j.Raw)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(folder)
		if err != nil || len(entries) == 0 || len(entries) >= mostNames {
			return "", errors.Join(fs.ErrNotExist, os.RemoveAll(folder))
		}
		if err := os.Link(filepath.Join(folder, entries[0].Name()), path); err != nil {
			return "", err
		}
	}
	if err := r.verify(ctx, path, j.Raw); err != nil {
		if ctx.Err() == nil {
			_ = os.RemoveAll(folder)
		}
		return "", err
	}
	now := time.Now()
	_ = os.Chtimes(folder, now, now) // it was used
	return path, nil
}

// verify makes sure that a file is the raw of a digest. One that was found right is read
// again when its stamp has changed.
func (r *raws) verify(ctx context.Context, path, digest string) error {
	f, info, err := regularfile.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	stamp := filestamp.Of(info)
	r.mu.Lock()
	known := r.checked[digest] == stamp
	r.mu.Unlock()
	if known {
		return nil
	}
	sum := sha256.New()
	if err := regularfile.Copy(ctx, sum, f, info.Size()); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != digest {
		return errDamaged
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checked[digest] = stamp
	return nil
}

// fetch brings a raw from the store.
func (r *raws) fetch(ctx context.Context, j *job) (string, error) {
	if err := r.evict(j.RawBytes); err != nil {
		return "", err
	}
	from, err := getTold(ctx, r.store, rawObject(j.Raw))
	if err != nil {
		return "", err
	}
	defer from.Close()
	tmp, err := owned.MakeFolder(filepath.Join(r.dir, "tmp"), rawsPrefix)
	if err != nil {
		return "", err
	}
	defer tmp.Remove()
	if err := copyVerified(ctx, tmp.Path(j.RawName), from, j.RawBytes, j.Raw); err != nil {
		return "", err
	}
	folder := filepath.Join(r.dir, "raws", j.Raw)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	if err := os.Rename(tmp.Path(j.RawName), r.path(j)); err != nil {
		return "", err
	}
	return r.path(j), r.verify(ctx, r.path(j), j.Raw)
}

// kept is a raw that is here.
type kept struct {
	digest string
	bytes  int64
	used   time.Time
}

// evict makes room for so many bytes. What jobs use stays. Processes that share the
// folder may each remove what another would keep, never what it reads: darktable has the
// file open, or the job is tried again.
func (r *raws) evict(more int64) error {
	entries, err := os.ReadDir(filepath.Join(r.dir, "raws"))
	if err != nil {
		return err
	}
	var all []kept
	total := more
	for _, entry := range entries {
		k := kept{digest: entry.Name()}
		if info, err := entry.Info(); err == nil {
			k.used = info.ModTime()
		}
		names, _ := os.ReadDir(filepath.Join(r.dir, "raws", k.digest))
		for _, name := range names {
			if info, err := name.Info(); err == nil {
				k.bytes = max(k.bytes, info.Size()) // the names are links of one file
			}
		}
		total += k.bytes
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.digest, b.digest)) })
	for _, k := range all {
		if total <= r.limit {
			return nil
		}
		r.mu.Lock()
		if r.used[k.digest] == 0 {
			delete(r.checked, k.digest)
			if os.RemoveAll(filepath.Join(r.dir, "raws", k.digest)) == nil {
				total -= k.bytes
			}
		}
		r.mu.Unlock()
	}
	return nil
}
