package proving

import (
	"cmp"
	"context"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/chemigram/chemigram/internal/owned"
	"github.com/chemigram/chemigram/internal/proving/testscenes"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
	"github.com/chemigram/chemigram/xmp"
)

// folderPrefix begins the names of the folders with the test scenes.
const folderPrefix = "chemigram-proof-"

// renderer develops the test scenes with one darktable.
type renderer struct {
	darktable *render.Darktable
	limit     time.Duration // for each picture
	folder    *owned.Folder
	paint     func(path string, scene vocab.Scene) error

	mu      sync.Mutex
	painted map[vocab.Scene]bool
}

func newRenderer(darktable *render.Darktable, limit time.Duration, paint func(string, vocab.Scene) error) (*renderer, error) {
	owned.Sweep(os.TempDir(), folderPrefix)
	folder, err := owned.MakeFolder(os.TempDir(), folderPrefix)
	return &renderer{darktable: darktable, limit: cmp.Or(limit, render.DefaultTimeout), folder: folder, paint: paint, painted: map[vocab.Scene]bool{}}, err
}

func (r *renderer) close() { r.folder.Remove() }

// raw gives the raw of a scene, which is painted when it is first asked for.
func (r *renderer) raw(name vocab.Scene) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	path := r.folder.Path(string(name) + ".dng")
	if r.painted[name] {
		return path, nil
	}
	err := r.paint(path, name)
	r.painted[name] = err == nil
	return path, err
}

// Baseline gives a scene's baseline, as the darktable sets it up.
func (r *renderer) Baseline(ctx context.Context, name vocab.Scene) (*xmp.Sidecar, error) {
	raw, err := r.raw(name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	packet, err := r.darktable.Baseline(ctx, raw)
	if err != nil {
		return nil, err
	}
	return xmp.Parse(packet)
}

// Places names parts of a scene.
func (r *renderer) Places(name vocab.Scene) map[string]prove.Place { return testscenes.Places(name) }

// Render develops scenes together.
func (r *renderer) Render(ctx context.Context, shots []prove.Shot) ([]image.Image, error) {
	dir, err := os.MkdirTemp(r.folder.Path(), "")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	jobs, pictures := make([]render.Job, len(shots)), make([]image.Image, len(shots))
	for i, shot := range shots {
		raw, err := r.raw(shot.Scene)
		if err != nil {
			return nil, err
		}
		jobs[i] = render.Job{Raw: raw, Sidecar: shot.Sidecar, Output: filepath.Join(dir, strconv.Itoa(i)+".png"), BitDepth: 16, Uncompressed: true, Timeout: r.limit}
	}
	for i, outcome := range r.darktable.RenderAll(ctx, jobs, nil) {
		if outcome.Err != nil {
			return nil, outcome.Err
		}
		if pictures[i], err = render.Load(outcome.Picture.Path); err != nil {
			return nil, err
		}
	}
	return pictures, nil
}
