package render

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/chemigram/chemigram/internal/owned"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// DefaultCacheLimit bounds a cache when its options do not: 1 GiB.
const DefaultCacheLimit = 1 << 30

// Cache keeps pictures by the recipes that they were made by.
//
//	recipe/ab/ab12….json   the name of a recipe's content
//	content/cd/cd34….jpg   the picture, named by the beginning of its SHA-256
//	tmp/                   pictures that are being made, each in a folder of its process
//	lock                   held by the process that evicts
//
// A content is written before the recipe that names it, and both appear by
// renaming, so that a reader sees a whole file or none. Its hash is checked
// whenever it is read, and anything wrong is a miss, so nothing needs to be
// flushed to the disk, and what a crash has damaged is made again.
//
// Many goroutines and many processes may use one folder at once. What is in it
// may be deleted at any time. The path of a picture that was returned stays
// valid until it is evicted, a minute at the least.
type Cache struct {
	dir    string
	folder *owned.Folder // that a temporary cache is in
	limit  int64

	mu      sync.Mutex
	written int64 // since the folder was scanned
	scanned bool
	flights map[key]*flight
}

// CacheOptions are the options of [OpenCache].
type CacheOptions struct {
	// Limit is how many bytes of pictures are kept; default
	// [DefaultCacheLimit]. The least recently used go first. Each process may
	// exceed it by a sixteenth before it notices.
	Limit int64
}

type key [sha256.Size]byte

func (k key) String() string { return hex.EncodeToString(k[:]) }

func (k *key) parse(s string) bool {
	n, err := hex.Decode(k[:], []byte(s[:min(len(s), 2*len(k))]))
	return err == nil && n == len(k) && len(s) == 2*n
}

// OpenCache opens the cache in dir, which is made when it is not there. No dir is a
// temporary folder, which Close removes. A nil opts means defaults. What killed processes
// have left goes.
func OpenCache(dir string, opts *CacheOptions) (_ *Cache, err error) {
	var o CacheOptions
	if opts != nil {
		o = *opts
	}
	owned.Sweep(os.TempDir(), cachePrefix, previewsPrefix)
	var folder *owned.Folder
	if dir == "" {
		if folder, err = owned.MakeFolder(os.TempDir(), cachePrefix); err == nil {
			dir = folder.Path("cache")
		}
	} else {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return nil, err
	}
	for _, sub := range []string{"recipe", "content", "tmp"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			return nil, newError("cache", System, dir, "cannot make the cache's folder", err)
		}
	}
	owned.Sweep(filepath.Join(dir, "tmp"), "")
	return &Cache{dir: dir, folder: folder, limit: cmp.Or(o.Limit, DefaultCacheLimit), flights: map[key]*flight{}}, nil
}

// Close removes a temporary cache. Another one stays as it is.
func (c *Cache) Close() error {
	if c.folder != nil {
		c.folder.Remove()
	}
	return nil
}

// entry is what a recipe's file holds.
type entry struct {
	Content       string
	Extension     string
	Width, Height int
	Bytes         int64
	Format        string
}

func (c *Cache) recipePath(k key) string {
	name := k.String()
	return filepath.Join(c.dir, "recipe", name[:2], name+".json")
}

func (c *Cache) contentPath(e entry) string {
	return filepath.Join(c.dir, "content", e.Content[:2], e.Content[:16]+e.Extension)
}

// KeepDeveloped keeps a JPEG that darktable developed by a recipe.
func (c *Cache) KeepDeveloped(ctx context.Context, r Recipe, jpeg []byte) (Picture, error) {
	p, _, err := c.Picture(ctx, r, func(_ context.Context, path string) (Picture, error) {
		if err := os.WriteFile(path, jpeg, 0o666); err != nil {
			return Picture{}, err
		}
		made, err := checkPicture(path, formatOf(path), r.Size)
		made.Path = path
		return made, err
	})
	return p, err
}

// Get gives the picture made by a recipe, and whether there is one.
func (c *Cache) Get(r Recipe) (Picture, bool) {
	k, err := r.key()
	if err != nil {
		return Picture{}, false
	}
	return c.get(k)
}

func (c *Cache) get(k key) (Picture, bool) {
	began := time.Now()
	e, ok := c.entry(k)
	if !ok {
		return Picture{}, false
	}
	path := c.contentPath(e)
	if err := verify(path, e); err != nil {
		if !errors.Is(err, os.ErrNotExist) {
			_ = os.Remove(path)
		}
		_ = os.Remove(c.recipePath(k))
		return Picture{}, false
	}
	return Picture{Path: path, Width: e.Width, Height: e.Height, Bytes: e.Bytes, Format: e.Format, Duration: time.Since(began)}, true
}

// maxRecipe is how many bytes of a recipe's file are read.
const maxRecipe = 64 << 10

// entry reads a recipe's file. It is not ok when what the file says could be outside
// of the cache.
func (c *Cache) entry(k key) (e entry, ok bool) {
	data, err := regularfile.Read(c.recipePath(k), maxRecipe)
	if err != nil || json.Unmarshal(data, &e) != nil {
		return entry{}, false
	}
	sum, err := hex.DecodeString(e.Content)
	f := formatOf(e.Extension)
	return e, err == nil && len(sum) == sha256.Size && f != nil && e.Extension == f.extensions[0]
}

// verify reads a content, and records that it was used.
func verify(path string, e entry) error {
	f, info, err := regularfile.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if n, err := io.Copy(h, io.LimitReader(f, e.Bytes+1)); err != nil || n != e.Bytes || hex.EncodeToString(h.Sum(nil)) != e.Content {
		return errors.Join(errors.New("the content is not what it was"), err)
	}
	if now := time.Now(); now.Sub(info.ModTime()) > minKept/2 {
		_ = os.Chtimes(path, now, now) // a cache that cannot be written to still serves
	}
	return nil
}
