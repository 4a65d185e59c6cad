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

	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/render/internal/imagefile"
)

// Render develops one picture, checks it and publishes it at job.Output, which
// is there whole or not at all. It fails with an *Error of kind BadInput,
// Exists, Unsupported, Failed, NoOutput, BadOutput, TimedOut, Canceled or
// System.
func (d *Darktable) Render(ctx context.Context, job Job) (Picture, error) {
	p, err := d.renderElsewhere(ctx, job, Region{})
	if errors.Is(err, errHere) {
		return d.render(ctx, job, nil)
	}
	return p, err
}

// render is Render on this machine. Copies of raws are taken from copies, unless it is nil.
func (d *Darktable) render(ctx context.Context, job Job, copies *rawCopies) (Picture, error) {
	const op = "render"
	began := time.Now()
	f, space, err := job.plan()
	if err != nil {
		return Picture{}, err
	}
	if err := checkVacant(job.Output); err != nil {
		return Picture{}, err
	}
	tmp, err := newScratch(d.scratch)
	if err != nil {
		return Picture{}, systemError(op, job.Raw, err)
	}
	defer tmp.remove()
	path, reads, err := addRaw(ctx, tmp.path("raw"), job.Raw, !d.launcher.sees(job.Raw), copies)
	if err != nil {
		return Picture{}, inputError(op, job.Raw, err)
	}
	sidecar := tmp.path("edit.xmp")
	if err := os.WriteFile(sidecar, job.Sidecar, 0o600); err != nil {
		return Picture{}, systemError(op, job.Raw, err)
	}
	profile, err := space.args(tmp)
	if err != nil {
		return Picture{}, systemError(op, job.Raw, err)
	}

	out := tmp.path("out", "picture"+f.extensions[0])
	args := append([]string{path, sidecar, out}, sizeArgs(job.Size, job.HighQuality)...)
	args = append(args, profile...)
	args = append(args, coreArgs(tmp, f.confFor(&job)...)...)
	printed, err := d.run(ctx, invocation{op: op, path: job.Raw, tmp: tmp, args: args, reads: reads, timeout: job.Timeout})
	if err != nil {
		return Picture{}, d.explainRender(err, f, job.Raw)
	}
	p, err := f.finishPicture(out, &job)
	if err != nil {
		return Picture{}, d.completeError(err, printed, d.launcher.argv(args, reads, tmp.path()), job.Raw)
	}
	if err := job.verify(d); err != nil {
		return Picture{}, err
	}
	if err := job.publish(out); err != nil {
		return Picture{}, err
	}
	p.Path, p.Duration = job.Output, time.Since(began)
	return p, nil
}

// explainRender distinguishes a format that this darktable lacks from a raw that
// it cannot develop. darktable-cli has no option that lists its formats, so its
// English message must do.
func (d *Darktable) explainRender(err error, f *format, raw string) error {
	e, ok := errors.AsType[*Error](err)
	if ok && e.Kind == Failed && strings.Contains(e.Stderr, "unknown extension") {
		explained := *e
		explained.Kind = Unsupported
		explained.Message = fmt.Sprintf("the installed darktable %v cannot write %s", d.version, f.name)
		return &explained
	}
	return explainFailure(err, fmt.Sprintf("darktable %v could not develop %s", d.version, filepath.Base(raw)))
}

// checkPicture checks what darktable has written: it must be a whole file of the
// format, and its longest edge at most size, 0 for no bound.
func checkPicture(path string, f *format, size int) (Picture, error) {
	opened, info, err := regularfile.Open(path)
	if err != nil {
		return Picture{}, err
	}
	defer opened.Close()
	w, h, err := imagefile.Check(f.name, opened, info.Size())
	if err == nil && (w < 1 || h < 1) {
		err = fmt.Errorf("its size is %d × %d", w, h)
	}
	if err == nil && size > 0 && max(w, h) > size {
		err = fmt.Errorf("its size is %d × %d; the longest edge should be %d at most", w, h, size)
	}
	if err != nil {
		return Picture{}, &Error{Op: "render", Kind: BadOutput, Message: "darktable exited with status 0 and wrote a " + string(f.name) + " that is wrong", Err: err}
	}
	return Picture{Width: w, Height: h, Bytes: info.Size(), Format: string(f.name)}, nil
}

// wroteNothing is the message of an error of kind NoOutput.
const wroteNothing = "darktable exited with status 0 and wrote nothing"

// completeError adds the circumstances to an error of checkPicture.
func (d *Darktable) completeError(err error, printed string, argv []string, raw string) error {
	e, ok := errors.AsType[*Error](err)
	switch {
	case ok:
	case errors.Is(err, fs.ErrNotExist):
		e = &Error{Op: "render", Kind: NoOutput, Message: wroteNothing}
	default:
		e = &Error{Op: "render", Kind: System, Message: "cannot read what darktable wrote", Err: err}
	}
	e.Path, e.Stderr, e.Command = raw, printed, argv
	return e
}
