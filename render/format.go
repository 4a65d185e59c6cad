package render

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/render/internal/imagefile"
)

const defaultQuality = 92

// A format is a kind of picture file that darktable writes.
type format struct {
	name imagefile.Format
	// extensions of the format, the first being the one that darktable wants.
	extensions []string
	// depths are the bits per channel that can be asked for, the default
	// first.
	depths []int
	// conf gives darktable's configuration for a quality and a bit depth.
	conf func(quality, depth int) []string
}

const confPrefix = "plugins/imageio/format/"

var formats = []format{
	{
		name: imagefile.JPEG, extensions: []string{".jpg", ".jpeg"}, depths: []int{8},
		conf: func(quality, _ int) []string {
			return []string{fmt.Sprintf(confPrefix+"jpeg/quality=%d", quality)}
		},
	},
	{
		name: imagefile.PNG, extensions: []string{".png"}, depths: []int{8, 16},
		conf: func(_, depth int) []string {
			return []string{fmt.Sprintf(confPrefix+"png/bpp=%d", depth), confPrefix + "png/compression=5"}
		},
	},
	{
		name: imagefile.TIFF, extensions: []string{".tif", ".tiff"}, depths: []int{8, 16, 32},
		conf: func(_, depth int) []string {
			return []string{
				fmt.Sprintf(confPrefix+"tiff/bpp=%d", depth),
				// Deflate with a predictor; x/image/tiff reads that for integers.
				confPrefix + "tiff/compress=2", confPrefix + "tiff/compresslevel=6",
				confPrefix + "tiff/shortfile=0",
			}
		},
	},
	{
		name: imagefile.WebP, extensions: []string{".webp"}, depths: []int{8},
		conf: func(quality, _ int) []string {
			return []string{fmt.Sprintf(confPrefix+"webp/quality=%d", quality), confPrefix + "webp/comp_type=0"}
		},
	},
	{
		name: imagefile.AVIF, extensions: []string{".avif"}, depths: []int{8, 10, 12},
		conf: func(quality, depth int) []string {
			return []string{
				fmt.Sprintf(confPrefix+"avif/quality=%d", quality),
				fmt.Sprintf(confPrefix+"avif/bpp=%d", depth),
				confPrefix + "avif/compression_type=1", // lossy
			}
		},
	},
	{
		name: imagefile.JXL, extensions: []string{".jxl"}, depths: []int{8, 10, 12, 16, 32},
		conf: func(quality, depth int) []string {
			return []string{
				fmt.Sprintf(confPrefix+"jxl/quality=%d", quality),
				fmt.Sprintf(confPrefix+"jxl/bpp=%d", depth),
				fmt.Sprintf(confPrefix+"jxl/pixel_type=%t", depth == 32),
			}
		},
	},
	{
		name: imagefile.EXR, extensions: []string{".exr"}, depths: []int{32, 16},
		conf: func(_, depth int) []string {
			return []string{fmt.Sprintf(confPrefix+"exr/bpp=%d", depth)}
		},
	},
}

// formatOf finds the format that path's extension names.
func formatOf(path string) *format {
	ext := strings.ToLower(filepath.Ext(path))
	i := slices.IndexFunc(formats, func(f format) bool { return slices.Contains(f.extensions, ext) })
	if i < 0 {
		return nil
	}
	return &formats[i]
}

func extensions() []string {
	var all []string
	for _, f := range formats {
		all = append(all, f.extensions...)
	}
	return all
}

// confFor is darktable's configuration for a job in this format.
func (f *format) confFor(j *Job) []string {
	conf := f.conf(cmp.Or(j.Quality, defaultQuality), cmp.Or(j.BitDepth, f.depths[0]))
	if j.Uncompressed {
		conf = append(conf, confPrefix+"tiff/compress=0", confPrefix+"png/compression=0")
	}
	return conf
}

// Formats are the names that [Picture.Format] may have.
func Formats() []string {
	all := make([]string, len(formats))
	for i, f := range formats {
		all[i] = string(f.name)
	}
	return all
}

// Extension gives the extension by which darktable, and [Job.Output], know a
// format: ".jpg" for jpeg. It is "" when there is no such format.
func Extension(name string) string {
	i := slices.IndexFunc(formats, func(f format) bool { return string(f.name) == name })
	if i < 0 {
		return ""
	}
	return formats[i].extensions[0]
}
