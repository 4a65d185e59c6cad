package render

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/render/internal/imagefile"
)

// readHead has f read a file.
func readHead(ctx context.Context, path string, f func(r io.ReaderAt, size int64)) {
	file, info, err := regularfile.Open(path)
	if err != nil {
		return
	}
	defer func() { _ = file.Close() }()
	f(regularfile.ReaderAt(ctx, file), info.Size())
}

// CutShort says that a file ends before a picture in it does, by what the file says of
// itself, and what to do; there is nothing when that cannot be seen. darktable refuses
// many of these files, and develops others with what there is.
func CutShort(ctx context.Context, path string) (says []string) {
	readHead(ctx, path, func(r io.ReaderAt, size int64) {
		if imagefile.IsCutShort(r, size) && ctx.Err() == nil {
			says = []string{fmt.Sprintf("%s ends before a picture in it does: copy it again from where it was first", path)}
		}
	})
	return says
}

// sizeSaid is the size of the picture that a file has by its own head, 0 × 0 when it does
// not say.
func sizeSaid(ctx context.Context, path string) (width, height int) {
	readHead(ctx, path, func(r io.ReaderAt, size int64) { width, height = imagefile.Size(r, size) })
	return width, height
}

// A content is what a file is, whatever its name says.
type content struct {
	imagefile.Kind
	// unusual is which kind of JPEG or WebP it is, of those that few programs read.
	unusual string
	// maker and model are those of the camera that wrote a raw.
	maker, model string
	// cut is whether it ends before a picture in it does.
	cut bool
}

func contentOf(ctx context.Context, path string) (c content) {
	readHead(ctx, path, func(r io.ReaderAt, size int64) {
		c.Kind = imagefile.KindOf(r, size)
		c.unusual = imagefile.Unusual(r, size)
		c.maker, c.model = imagefile.Camera(r, size)
		c.cut = imagefile.IsCutShort(r, size)
	})
	return c
}

// fits reports whether a path has an extension of the kind of picture that it is.
func (c content) fits(path string) bool {
	return slices.Contains(c.Extensions, strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."))
}

// isOther reports whether it is known to be no picture.
func (c content) isOther() bool { return c.Name != "" && !c.IsPicture() }

// isMisnamed reports whether it is a picture of another kind than its extension says. What
// begins as a TIFF may be a raw.
func (c content) isMisnamed(path string) bool {
	return c.IsPicture() && !c.fits("a.tif") && !c.fits(path)
}

// isPortable reports whether it is a portable map, of which it can be told whether it is
// whole.
func (c content) isPortable() bool { return c.fits("a.pnm") }
