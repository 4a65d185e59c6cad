package chemigram

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/render"
)

// fileName tells all that a batch's file depends on: that is how it is found
// again.
func (p ExportBatchParams) fileName(dir string, id ImageID, state string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s_%s_%s_q%d", id, state[:16], p.ColorSpace, p.Quality)
	if p.Size > 0 {
		fmt.Fprintf(&b, "_%dpx", p.Size)
	}
	if p.BitDepth > 0 {
		fmt.Fprintf(&b, "_%dbit", p.BitDepth)
	}
	if p.Sharpen > 0 {
		fmt.Fprintf(&b, "_sharp%g", p.Sharpen)
	}
	if p.Metadata != Metadata(render.KeepMetadata) {
		fmt.Fprintf(&b, "_%s", p.Metadata)
	}
	return filepath.Join(dir, b.String()+extensions[p.Format])
}

// skipFinished skips an item whose file is there. Anything else of that name
// stays as it is and is an error: a file that is not whole, or that says that
// it shows another state.
func (o *ExportOutcome) skipFinished() error {
	if _, err := os.Lstat(o.OutputPath); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	picture, state, err := render.Inspect(o.OutputPath)
	switch {
	case err != nil:
		return fault.New(fault.State, "there is another file at %s, which is not overwritten: %v", o.OutputPath, err)
	case state != "" && state != o.StateHash:
		return fault.New(fault.State, "the file at %s shows the state %s and is not overwritten: move it away", o.OutputPath, state)
	}
	o.Skipped, o.Width, o.Height = true, picture.Width, picture.Height
	return nil
}
