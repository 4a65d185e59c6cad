package render

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"path/filepath"

	"github.com/chemigram/chemigram/xmp"
)

// Recipe is everything that the pixels of a developed picture depend on.
// [Job.Recipe] makes it of the job that develops the picture, so that the two cannot
// disagree.
type Recipe struct {
	// State is the hash of the edit, Raw that of the raw's content.
	State, Raw string
	// RawName is the raw's file name: by its extension darktable chooses how to
	// read it, and a watermark may show it.
	RawName string
	// Darktable is the identity of the one that develops, and Path how: "exact"
	// for the export path.
	Darktable, Path string
	// Size is the longest edge of the whole picture, 0 for the full size;
	// Region is what is shown of it.
	Size   int
	Region Region
	// Quality is that of the JPEG, and HighQuality that of [Job].
	Quality     int
	HighQuality bool
	// BitDepth and ColorSpace are those of [Job].
	BitDepth   int
	ColorSpace string
}

// Recipe gives the recipe of the picture that a job develops in a way, "exact" for
// the export path, and of which a region is shown; the zero Region is the whole
// picture. It fails with an *Error of kind BadInput when the job does not say which
// content its raw has and which darktable develops it, or when its sidecar cannot be
// read.
func (j *Job) Recipe(path string, region Region) (Recipe, error) {
	look, err := xmp.Parse(j.Sidecar)
	if err != nil {
		return Recipe{}, newError("cache", BadInput, j.Raw, "the sidecar cannot be read", err)
	}
	state := look.Hash()
	r := Recipe{
		State: hex.EncodeToString(state[:]), Raw: j.RawDigest, RawName: filepath.Base(j.Raw),
		Darktable: j.Darktable, Path: path, Size: j.Size, Region: region,
		Quality: cmp.Or(j.Quality, defaultQuality), HighQuality: j.HighQuality,
		BitDepth: j.BitDepth, ColorSpace: j.ColorSpace,
	}
	_, err = r.key()
	return r, err
}

// key is the recipe's hash. The version in front changes when the same recipe
// begins to mean another picture. A recipe that leaves out what every picture
// depends on has none.
func (r Recipe) key() (key, error) {
	if r.State == "" || r.Raw == "" || r.Darktable == "" || r.Path == "" {
		return key{}, newError("cache", BadInput, "", fmt.Sprintf(
			"the recipe %+v is incomplete; it must say which edit of which raw's content is developed, by which darktable and how", r), nil)
	}
	b, err := json.Marshal(r) // fails on an infinite region
	if err != nil {
		return key{}, newError("cache", BadInput, "", "the recipe cannot be encoded", err)
	}
	return sha256.Sum256(append([]byte("chemigram picture 2\n"), b...)), nil
}

// drawnKey is the hash of a picture that was drawn here: of its pixels.
func drawnKey(m image.Image) key {
	b := m.Bounds()
	pixels, ok := m.(*image.RGBA)
	if !ok || len(pixels.Pix) != 4*b.Dx()*b.Dy() {
		pixels = image.NewRGBA(image.Rectangle{Max: b.Size()})
		draw.Draw(pixels, pixels.Rect, m, b.Min, draw.Src)
	}
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "chemigram drawn 1\n%d %d\n", b.Dx(), b.Dy())
	_, _ = sum.Write(pixels.Pix)
	return key(sum.Sum(nil))
}
