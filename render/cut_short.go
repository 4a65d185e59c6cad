package render

import (
	"context"
	"fmt"

	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/render/internal/imagefile"
)

// CutShort says that a file ends before a picture in it does, by what the file says of
// itself, and what to do; there is nothing when that cannot be seen. darktable refuses
// many of these files, and develops others with what there is.
func CutShort(ctx context.Context, path string) []string {
	f, info, err := regularfile.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	if !imagefile.IsCutShort(regularfile.ReaderAt(ctx, f), info.Size()) || ctx.Err() != nil {
		return nil
	}
	return []string{fmt.Sprintf("%s ends before a picture in it does: copy it again from where it was first", path)}
}
