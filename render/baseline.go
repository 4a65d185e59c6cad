package render

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram/internal/regularfile"
)

// baselineSize is the longest edge of the picture that is developed for its
// history alone. The smaller, the faster.
const baselineSize = 64

// Default is what darktable makes of a raw without a sidecar.
type Default struct {
	// Packet is the XMP packet of the picture, which holds the history.
	Packet []byte
	// JPEG is the picture, 64 pixels long. Its EXIF is what darktable knows of
	// how the raw was taken.
	JPEG []byte
}

// Baseline is the history of [Darktable.Default], and fails as that does.
func (d *Darktable) Baseline(ctx context.Context, raw string) ([]byte, error) {
	made, err := d.Default(ctx, raw)
	return made.Packet, err
}

// Default asks darktable for its own default history for a raw: black and
// white levels, matrix and white balance of this very file, and the tone mapper
// that this darktable chooses. It is the XMP packet of a tiny export without an
// XMP argument, and [github.com/chemigram/chemigram/xmp] parses it as a
// sidecar. The user's own presets are not applied (with them, darktable 5.4
// writes no packet), and a sidecar of the user's beside the raw has no
// influence.
//
// A baseline belongs to a raw and to a version of darktable. A JPEG, TIFF or
// PNG has one too.
//
// It fails with an *Error of kind BadInput when raw is missing, is no file or
// may not be read, and Failed when darktable cannot develop it.
func (d *Darktable) Default(ctx context.Context, raw string) (Default, error) {
	made, linked, err := d.defaultOf(ctx, raw, false)
	if err != nil || linked == "" {
		return made, err
	}
	if beside, err := hasSidecar(linked); err != nil || beside {
		made, _, err = d.defaultOf(ctx, raw, true) // the sidecar came meanwhile, and may have been read
		return made, err
	}
	return made, nil
}

// defaultOf is Default, with a copy of the raw when copied is set. Where there is none,
// linked is the raw's path.
func (d *Darktable) defaultOf(ctx context.Context, raw string, copied bool) (made Default, linked string, err error) {
	const op = "baseline"
	tmp, err := newScratch(d.scratch)
	if err != nil {
		return Default{}, "", systemError(op, raw, err)
	}
	defer tmp.remove()
	path, reads, err := addRaw(ctx, tmp.path("raw"), raw, copied, nil)
	if err != nil {
		return Default{}, "", inputError(op, raw, err)
	}
	out := tmp.path("out", "baseline.jpg")
	args := append([]string{path, out}, sizeArgs(baselineSize, false)...)
	args = append(args, coreArgs(tmp)...)
	printed, err := d.run(ctx, invocation{op: op, path: raw, tmp: tmp, args: args, reads: reads})
	if err != nil {
		return Default{}, "", explainFailure(err, fmt.Sprintf(
			"darktable %v cannot develop %s; is it a whole raw of a camera that it knows, or a JPEG, TIFF or PNG?", d.version, filepath.Base(raw)))
	}
	packet, err := ReadPacket(out)
	if err != nil {
		e := &Error{
			Op: op, Kind: BadOutput, Path: raw, Stderr: printed, Command: d.launcher.argv(args, reads, tmp.dir),
			Message: "darktable wrote no history into its picture", Err: err,
		}
		if errors.Is(err, fs.ErrNotExist) {
			e.Kind, e.Message, e.Err = NoOutput, wroteNothing, nil
		}
		return Default{}, "", e
	}
	jpeg, err := regularfile.Read(out, maxLoadedFile)
	if err != nil {
		return Default{}, "", systemError(op, raw, err)
	}
	return Default{Packet: packet, JPEG: jpeg}, strings.Join(reads, ""), nil
}

// explainFailure replaces the message of an error of kind Failed, and gives others
// as they are.
func explainFailure(err error, message string) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Kind != Failed {
		return err
	}
	explained := *e
	explained.Message = message
	return &explained
}
