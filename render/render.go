package render

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chemigram/chemigram/render/internal/imagefile"
)

// Render develops one picture, checks it and publishes it at job.Output, which
// is there whole or not at all. It fails with an *Error of kind BadInput,
// Exists, Unsupported, Failed, NoOutput, BadOutput, TimedOut, Canceled or
// System.
func (d *Darktable) Render(ctx context.Context, job Job) (Picture, error) {
	const op = "render"
	began := time.Now()
	f, space, err := job.plan()
	if err != nil {
		return Picture{}, err
	}
	if err := vacant(job.Output); err != nil {
		return Picture{}, err
	}
	box, err := newScratch(d.scratch)
	if err != nil {
		return Picture{}, systemError(op, job.Raw, err)
	}
	defer box.remove()
	path, reads, err := box.view(job.Raw, false)
	if err != nil {
		return Picture{}, inputError(op, job.Raw, err)
	}
	sidecar := box.at("edit.xmp")
	if err := os.WriteFile(sidecar, job.Sidecar, 0o600); err != nil {
		return Picture{}, systemError(op, job.Raw, err)
	}
	profile, err := space.args(box)
	if err != nil {
		return Picture{}, systemError(op, job.Raw, err)
	}

	out := box.at("out", "picture"+f.extensions[0])
	args := append([]string{path, sidecar, out}, sizeArgs(job.Size, job.HighQuality)...)
	args = append(args, profile...)
	args = append(args, coreArgs(box, f.confFor(&job)...)...)
	said, err := d.run(ctx, run{op: op, path: job.Raw, box: box, args: args, reads: reads, timeout: job.Timeout})
	if err != nil {
		return Picture{}, d.explainRender(err, f, job.Raw)
	}
	if err := f.finish(out, &job); err != nil {
		return Picture{}, err
	}
	p, err := look(out, f, job.Size)
	if err != nil {
		return Picture{}, d.blame(err, said, d.launcher.argv(args, reads, box.dir), job.Raw)
	}
	if err := publish(out, job.Output); err != nil {
		return Picture{}, err
	}
	p.Path, p.Duration = job.Output, time.Since(began)
	return p, nil
}

// explainRender tells a format that this darktable lacks from a raw that it
// cannot develop. darktable-cli has no question for its formats, so its own
// word for it, in the English that it was asked for, must do.
func (d *Darktable) explainRender(err error, f *format, raw string) error {
	e, ok := errors.AsType[*Error](err)
	if ok && e.Kind == Failed && strings.Contains(e.Stderr, "unknown extension") {
		told := *e
		told.Kind = Unsupported
		told.Message = fmt.Sprintf("the installed darktable %v cannot write %s", d.version, f.name)
		return &told
	}
	return explainFailure(err, fmt.Sprintf("darktable %v could not develop %s", d.version, filepath.Base(raw)))
}

// look checks what darktable has written.
func look(path string, f *format, size int) (Picture, error) {
	opened, err := os.Open(path)
	if err != nil {
		return Picture{}, err
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		return Picture{}, err
	}
	w, h, err := imagefile.Check(f.name, opened, info.Size())
	if err == nil && (w < 1 || h < 1) {
		err = fmt.Errorf("its size is %d × %d", w, h)
	}
	if err == nil && size > 0 && max(w, h) > size {
		err = fmt.Errorf("its size is %d × %d; the longest edge should be %d at most", w, h, size)
	}
	if err != nil {
		return Picture{}, &Error{Op: "render", Kind: BadOutput, Message: "darktable ended well and wrote a " + string(f.name) + " that is wrong", Err: err}
	}
	return Picture{Width: w, Height: h, Bytes: info.Size(), Format: string(f.name)}, nil
}

// blame completes the error of a picture that was looked at and found wrong.
func (d *Darktable) blame(err error, said string, argv []string, raw string) error {
	e, ok := errors.AsType[*Error](err)
	switch {
	case ok:
	case errors.Is(err, fs.ErrNotExist):
		e = &Error{Op: "render", Kind: NoOutput, Message: "darktable ended well and wrote nothing"}
	default:
		e = &Error{Op: "render", Kind: System, Message: "cannot look at what darktable wrote", Err: err}
	}
	e.Path, e.Stderr, e.Command = raw, said, argv
	return e
}
