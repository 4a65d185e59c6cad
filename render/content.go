package render

import (
	"context"
	"fmt"
	"io"

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
