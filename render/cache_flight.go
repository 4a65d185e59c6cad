package render

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/chemigram/chemigram/internal/owned"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// A flight is a picture that is being made, for which several callers wait.
type flight struct {
	done    chan struct{}
	picture Picture
	err     error
	waiting int // guarded by Cache.mu
	lease   *lease
}

// Picture gives the picture made by a recipe, and whether it was there. When it
// is not there, it is made: produce must write it to the path that it is given,
// a JPEG. Callers who want the same picture at the same time wait for one
// production, whose context has the values of the first caller's and no
// deadline. It is cancelled when all of them have given up; the last one to do so
// waits until it has ended, so that no darktable outlives the call.
func (c *Cache) Picture(ctx context.Context, r Recipe, produce func(ctx context.Context, path string) (Picture, error)) (p Picture, cached bool, err error) {
	return c.PictureWithin(ctx, r, 0, produce)
}

// PictureWithin is [Cache.Picture] for a caller who waits for limit at most; 0 is no
// limit. The production's context ends with the longest limit of those who wait: a
// [Job] without a Timeout has that one.
func (c *Cache) PictureWithin(
	ctx context.Context, r Recipe, limit time.Duration, produce func(ctx context.Context, path string) (Picture, error),
) (p Picture, cached bool, err error) {
	k, err := r.key()
	if err != nil {
		return Picture{}, false, err
	}
	return c.picture(ctx, k, limit, produce)
}

func (c *Cache) picture(ctx context.Context, k key, limit time.Duration, produce func(ctx context.Context, path string) (Picture, error)) (p Picture, cached bool, err error) {
	began := time.Now()
	if p, ok := c.get(k); ok {
		return p, true, nil
	}
	var end time.Time
	var over <-chan time.Time
	if limit > 0 {
		end, over = began.Add(limit), time.After(limit)
	}
	f := c.join(ctx, k, end, produce)
	for {
		select {
		case <-f.done:
			return f.picture, false, f.err
		case <-over:
			if c.outlasts(f, end) {
				c.leave(k, f)
				return Picture{}, false, gaveUp(context.DeadlineExceeded, began)
			}
		case <-ctx.Done():
			if c.leave(k, f) {
				<-f.done
			}
			return Picture{}, false, gaveUp(ctx.Err(), began)
		}
	}
}

// gaveUp is the error of a caller who does not wait any longer.
func gaveUp(why error, began time.Time) error {
	e := newError("cache", Canceled, "", "the caller gave up waiting for the picture", why)
	if errors.Is(why, context.DeadlineExceeded) {
		e.Kind = TimedOut
		e.Message = fmt.Sprintf("the picture was not there in time, after %v", time.Since(began).Round(time.Millisecond))
	}
	return e
}

// outlasts reports whether others wait for a flight, and longer than to the given time.
// Otherwise it ends now, and tells why.
func (c *Cache) outlasts(f *flight, end time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	until, limited := f.lease.Deadline()
	if f.waiting > 1 && (!limited || until.After(end)) {
		return true
	}
	f.lease.expireNow()
	return false
}

// join finds the flight of a recipe, or starts it.
func (c *Cache) join(ctx context.Context, k key, end time.Time, produce func(ctx context.Context, path string) (Picture, error)) *flight {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.flights[k]; f != nil {
		f.waiting++
		f.lease.extend(end)
		return f
	}
	f := &flight{done: make(chan struct{}), waiting: 1, lease: newLease(ctx, end)}
	c.flights[k] = f
	go func() {
		defer f.lease.cancel()
		defer close(f.done)
		f.picture, f.err = c.produce(f.lease, k, produce)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.flights[k] == f {
			delete(c.flights, k)
		}
	}()
	return f
}

// leave cancels a flight that nobody waits for any more, and reports so. A caller
// who wants the picture after that starts another flight.
func (c *Cache) leave(k key, f *flight) (last bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiting--; f.waiting > 0 {
		return false
	}
	f.lease.cancel()
	if c.flights[k] == f {
		delete(c.flights, k)
	}
	return true
}

// produce makes a picture and keeps it.
func (c *Cache) produce(ctx context.Context, k key, develop func(ctx context.Context, path string) (Picture, error)) (Picture, error) {
	folder, err := owned.MakeFolder(filepath.Join(c.dir, "tmp"), "")
	if err != nil {
		return Picture{}, c.systemError(err)
	}
	defer folder.Remove()
	p, err := develop(ctx, folder.Path("picture.jpg"))
	if err != nil {
		return Picture{}, err
	}
	if p, err = c.put(k, p, folder.Path()); err != nil {
		return Picture{}, c.systemError(err)
	}
	c.evict(p.Bytes)
	return p, nil
}

func (c *Cache) systemError(err error) error {
	return newError("cache", System, c.dir, "cannot write to the cache", err)
}

// put moves a picture into the cache. The folder tmp is on the cache's disk.
func (c *Cache) put(k key, p Picture, tmp string) (Picture, error) {
	e := entry{Extension: formatOf(p.Path).extensions[0], Width: p.Width, Height: p.Height, Format: p.Format}
	if err := e.digest(p.Path); err != nil {
		return Picture{}, err
	}
	path := c.contentPath(e)
	if err := moveInto(p.Path, path); err != nil {
		return Picture{}, err
	}
	data, err := json.Marshal(e)
	if err != nil {
		return Picture{}, err
	}
	index := filepath.Join(tmp, "recipe")
	if err := os.WriteFile(index, data, 0o666); err != nil {
		return Picture{}, err
	}
	p.Path, p.Bytes = path, e.Bytes
	return p, moveInto(index, c.recipePath(k))
}

// digest reads the content that the entry is about.
func (e *entry) digest(path string) error {
	f, _, err := regularfile.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if e.Bytes, err = io.Copy(h, f); err != nil {
		return err
	}
	e.Content = hex.EncodeToString(h.Sum(nil))
	return nil
}

// moveInto renames a file, and makes the folder that it goes to.
func moveInto(from, to string) error {
	err := os.Rename(from, to)
	if !os.IsNotExist(err) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.Rename(from, to)
}
