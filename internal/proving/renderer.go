package proving

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/chemigram/chemigram/internal/owned"
	"github.com/chemigram/chemigram/internal/proving/testscenes"
	"github.com/chemigram/chemigram/internal/regularfile"
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
	painted map[vocab.Scene]string // the digest of its raw
}

func newRenderer(darktable *render.Darktable, limit time.Duration, paint func(string, vocab.Scene) error) (*renderer, error) {
	owned.Sweep(os.TempDir(), folderPrefix)
	folder, err := owned.MakeFolder(os.TempDir(), folderPrefix)
	return &renderer{darktable: darktable, limit: cmp.Or(limit, render.DefaultTimeout), folder: folder, paint: paint, painted: map[vocab.Scene]string{}}, err
}

func (r *renderer) close() { r.folder.Remove() }

// mostScene is how many bytes the raw of a scene may have.
const mostScene = 256 << 20

// raw gives the raw of a scene, which is painted when it is first asked for, and its
// digest.
func (r *renderer) raw(name vocab.Scene) (path, digest string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	path = r.folder.Path(string(name) + ".dng")
	if digest := r.painted[name]; digest != "" {
		return path, digest, nil
	}
	if err := r.paint(path, name); err != nil {
		return "", "", err
	}
	content, err := regularfile.Read(path, mostScene)
	if err != nil {
		return "", "", err
	}
	sum := sha256.Sum256(content)
	r.painted[name] = hex.EncodeToString(sum[:])
	return path, r.painted[name], nil
}

// Baseline gives a scene's baseline, as the darktable sets it up.
func (r *renderer) Baseline(ctx context.Context, name vocab.Scene) (*xmp.Sidecar, error) {
	raw, _, err := r.raw(name)
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
		raw, digest, err := r.raw(shot.Scene)
		if err != nil {
			return nil, err
		}
		jobs[i] = render.Job{Raw: raw, RawDigest: digest, Sidecar: shot.Sidecar, Output: filepath.Join(dir, strconv.Itoa(i)+".png"), BitDepth: 16, Uncompressed: true, Timeout: r.limit}
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
