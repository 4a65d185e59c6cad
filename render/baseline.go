package render

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/xmp"
)

// BaselineSize is the longest edge of a picture that is developed for its history
// alone, in pixels. The smaller, the faster.
const BaselineSize = 64

// Default is what darktable makes of a raw without a sidecar.
type Default struct {
	// Packet is XMP that holds the history, as darktable writes it into a sidecar.
	// Of the raw it says what darktable took over when it imported it: rating, keywords
	// and place.
	Packet []byte
	// JPEG is the picture, of the size that was asked for, as [Darktable.Render]
	// develops it in sRGB. Its EXIF is what darktable knows of how the raw was taken.
	JPEG []byte
	// Width and Height are those of the whole picture in the raw's file, as it lies
	// there, in pixels; 0 when neither darktable nor the file's head says.
	Width, Height int
}

// baselineName is what darktable calls the picture that is developed for its history:
// by the size of the picture in the raw's file.
const baselineName = "$(SENSOR_WIDTH)x$(SENSOR_HEIGHT).jpg"

// Baseline is the history of [Darktable.Default], and fails as that does.
func (d *Darktable) Baseline(ctx context.Context, raw string) ([]byte, error) {
	made, err := d.Default(ctx, raw, BaselineSize)
	return made.Packet, err
}

// Default asks darktable for its own default history for a raw: black and
// white levels, matrix and white balance of this very file, and the tone mapper
// that this darktable chooses. It is the XMP packet of an export without an
// XMP argument, whose longest edge has so many pixels, and [github.com/chemigram/chemigram/xmp] parses it as a
// sidecar. darktable adds the history to what the raw's own packet says, and
// there are raws to whose packet it cannot add: then it is the sidecar that darktable
// writes beside a copy of the raw. Of either only what darktable itself writes into
// both is given, so that they are the same. The user's own presets are not
// applied (with them, darktable 5.4 writes no packet), and a sidecar of the user's
// beside the raw has no influence.
//
// A baseline belongs to a raw and to a version of darktable. A JPEG, TIFF or
// PNG has one too.
//
// It fails with an *Error of kind BadInput when raw is missing, is no file or
// may not be read, and Failed when darktable cannot develop it, with the Reason when
// its messages tell.
func (d *Darktable) Default(ctx context.Context, raw string, size int) (Default, error) {
	return d.historyOf(ctx, raw, size, nil)
}

// Rewritten is a sidecar as this darktable writes it that has read it for a raw: in its
// own format, with its own versions of parameters and the pipeline order that it uses.
// Darktable keeps modules that it does not know, as they are. It fails as
// [Darktable.Default] does.
func (d *Darktable) Rewritten(ctx context.Context, raw string, sidecar []byte) ([]byte, error) {
	made, err := d.historyOf(ctx, raw, BaselineSize, sidecar)
	return made.Packet, err
}

// historyOf is Default, and with a sidecar what darktable makes of the raw by that.
func (d *Darktable) historyOf(ctx context.Context, raw string, size int, sidecar []byte) (Default, error) {
	made, linked, err := d.defaultOf(ctx, raw, size, sidecar, false)
	if errors.Is(err, errNoHistory) {
		made, _, err = d.defaultOf(ctx, raw, size, sidecar, true)
		return made, err
	}
	if err != nil || linked == "" {
		return made, err
	}
	if beside, err := hasSidecar(linked); err != nil || beside {
		made, _, err = d.defaultOf(ctx, raw, size, sidecar, true) // the sidecar came meanwhile, and may have been read
		return made, err
	}
	return made, nil
}

// defaultOf is historyOf, with a copy of the raw when copied is set, beside which
// darktable writes a sidecar. Where there is none, linked is the raw's path.
func (d *Darktable) defaultOf(ctx context.Context, raw string, size int, sidecar []byte, copied bool) (made Default, linked string, err error) {
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
	profile, err := colorSpaceNamed("").args(tmp)
	if err != nil {
		return Default{}, "", systemError(op, raw, err)
	}
	sidecars := noSidecars // a link leads to the user's folder
	if copied {
		sidecars = allSidecars
	}
	args := []string{path}
	if sidecar != nil {
		edit := tmp.path("edit.xmp")
		if err := os.WriteFile(edit, sidecar, 0o600); err != nil {
			return Default{}, "", systemError(op, raw, err)
		}
		args = append(args, edit)
	}
	args = append(append(args, tmp.path("out", baselineName)), sizeArgs(size, false)...)
	args = append(args, profile...)
	args = append(args, coreArgsWith(tmp, sidecars)...)
	args = append(args, confArgs(formatOf(baselineName).confFor(&Job{}))...)
	printed, err := d.run(ctx, invocation{op: op, path: raw, tmp: tmp, args: args, reads: reads})
	if err != nil {
		return Default{}, "", d.explainRefusal(ctx, err, raw)
	}
	made, err = readDefault(tmp.path("out"), path+".xmp")
	if err != nil {
		e := &Error{
			Op: op, Kind: BadOutput, Path: raw, Stderr: printed, Command: d.launcher.argv(args, reads, tmp.path()),
			Message: "darktable wrote no history", Err: err,
		}
		if errors.Is(err, fs.ErrNotExist) {
			e.Kind, e.Message, e.Err = NoOutput, wroteNothing, nil
		}
		return Default{}, "", e
	}
	if made.Width == 0 {
		made.Width, made.Height = sizeSaid(ctx, raw)
	}
	return made, strings.Join(reads, ""), nil
}

// readDefault reads the one picture that darktable wrote into a folder, and the
// sidecar where there is one. The error is fs.ErrNotExist when there is no picture.
func readDefault(dir, sidecar string) (made Default, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return made, err
	}
	if len(entries) == 0 {
		return made, fs.ErrNotExist
	}
	name := entries[0].Name()
	if _, err := fmt.Sscanf(name, "%dx%d.jpg", &made.Width, &made.Height); err != nil || made.Width < 1 || made.Height < 1 {
		made.Width, made.Height = 0, 0
	}
	if made.Packet, err = readHistory(sidecar, filepath.Join(dir, name)); err != nil {
		return made, err
	}
	made.JPEG, err = regularfile.Read(filepath.Join(dir, name), maxLoadedFile)
	return made, err
}

// errNoHistory is the error when darktable developed a picture and wrote its history
// nowhere.
var errNoHistory = errors.New("neither the picture nor a sidecar holds one")

// readHistory gives the history that darktable wrote into a sidecar, or else into the
// packet of a picture, and what it says of the picture.
func readHistory(sidecar, picture string) ([]byte, error) {
	packet, err := ReadPacket(picture)
	if err != nil && !errors.Is(err, ErrNoPacket) {
		return nil, err
	}
	if beside, err := regularfile.Read(sidecar, xmp.MaxSize); err == nil {
		packet = beside
	}
	s, err := xmp.Parse(packet)
	if err != nil || s.HistoryEnd() == 0 {
		return nil, errNoHistory
	}
	return s.OfDarktable().Bytes(), nil
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
