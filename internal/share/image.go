package share

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/exif"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/versioning"
)

// Image is what a remote says of an image.
type Image struct {
	Format int `json:"chemigram_image"` // 1
	// First is the image's first snapshot.
	First versioning.Hash `json:"first"`
	// ImageID is the id that it has where it comes from.
	ImageID string `json:"image_id"`
	// Raw is the SHA-256 of the raw in hex, RawSize its bytes, and RawName the name of its
	// file, without a folder.
	Raw     string `json:"raw"`
	RawSize int64  `json:"raw_size"`
	RawName string `json:"raw_name"`
	// EXIF is what the raw says of itself.
	EXIF exif.Summary `json:"exif"`
	// Darktable is the version that made the baseline.
	Darktable  string    `json:"darktable"`
	IngestedAt time.Time `json:"ingested_at"`
}

// digestLike is what a raw is known by: it becomes a folder's name where it is cloned.
var digestLike = regexp.MustCompile(`\A[0-9a-z]{1,64}\z`)

// Describe says what an image is, on the remote. Where it says so already, that stays.
func (r *Remote) Describe(ctx context.Context, i Image) error {
	r.mu.Lock()
	known := r.described[i.First]
	r.mu.Unlock()
	if known {
		return nil
	}
	i.Format = 1
	data, err := seal(i)
	if err != nil {
		return err
	}
	if err := r.Probe(ctx); err != nil {
		return err
	}
	if _, err = r.create(ctx, imageName(i.First), data, mostSmall); err != nil {
		return r.fault(err)
	}
	const most = 10000
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.described) >= most {
		clear(r.described)
	}
	r.described[i.First] = true
	return nil
}

// Image reads what an image is.
func (r *Remote) Image(ctx context.Context, first versioning.Hash) (Image, error) {
	if _, err := r.read(ctx, imageName(first), mostSmall); errors.Is(err, objects.NotFound) {
		return Image{}, fault.Unknown("image", first.String(), nil)
	}
	return r.describe(ctx, imageName(first))
}

// Images lists the images of the remote, by their first snapshots, and counts all.
func (r *Remote) Images(ctx context.Context, offset, limit int) (images []Image, total int, err error) {
	err = r.each(ctx, imagesFolder, func(name string) error {
		if total++; total <= offset || len(images) >= limit {
			return nil
		}
		i, err := r.describe(ctx, name)
		images = append(images, i)
		return err
	})
	return images, total, err
}

// Count counts the images of the remote.
func (r *Remote) Count(ctx context.Context) (n int, err error) {
	err = r.each(ctx, imagesFolder, func(string) error {
		n++
		return nil
	})
	return n, err
}

func (r *Remote) describe(ctx context.Context, name string) (i Image, err error) {
	if err := r.readSealed(ctx, name, &i); err != nil {
		return Image{}, err
	}
	if !digestLike.MatchString(i.Raw) || imageName(i.First) != name || i.Format != 1 || strings.ContainsAny(i.RawName, `/\`) {
		return Image{}, r.damaged(name, errors.New("it is another image than its name says"))
	}
	return i, nil
}
