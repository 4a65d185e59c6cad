package chemigram

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// choosesAll tells whether p asks for nothing that an image must have.
func (p ListImagesParams) choosesAll() bool {
	p.Limit, p.Offset = 0, 0
	return p == ListImagesParams{}
}

// pageOfImages gives the ids of a page of the images that p chooses, and counts
// all of them.
func (e *Engine) pageOfImages(ctx context.Context, p ListImagesParams) (ids []string, total int, err error) {
	if p.choosesAll() {
		return e.workspace.pageOfIDs(int(p.Offset), int(p.Limit))
	}
	ids, err = e.workspace.imageIDs()
	if err == nil {
		ids, err = e.chosen(ctx, ids, p)
	}
	return pageOf(ids, int(p.Offset), int(p.Limit)), len(ids), err
}

// chosen gives the images for which all that p asks for holds.
func (e *Engine) chosen(ctx context.Context, ids []string, p ListImagesParams) ([]string, error) {
	if p.choosesAll() {
		return ids, nil
	}
	var found []string
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		file, err := e.workspace.readImageFile(ImageID(id))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted meanwhile
		}
		if p.choosesFile(id, file) && e.choosesMarks(id, p) {
			found = append(found, id)
		}
	}
	return found, nil
}

// choosesFile asks what an image was registered with.
func (p ListImagesParams) choosesFile(id string, file imageFile) bool {
	exif := file.EXIF
	return matchesQuery(p.Query, id, exif.Make, exif.Model, exif.LensModel) &&
		matchesQuery(p.Camera, exif.Make, exif.Model) &&
		matchesQuery(p.Lens, exif.LensModel) &&
		takenWithin(exif.TakenAt, string(p.TakenSince), string(p.TakenUntil))
}

// choosesMarks asks what a person thinks of an image. Marks that cannot be read
// are no reason to hide it: list_images says what is wrong.
func (e *Engine) choosesMarks(id string, p ListImagesParams) bool {
	if p.MinRating == nil && p.ColorLabel == "" {
		return true
	}
	m, _, err := readMarks(e.workspace.imageDir(ImageID(id)))
	if err != nil {
		return true
	}
	return (p.MinRating == nil || m.Rating >= *p.MinRating) &&
		(p.ColorLabel == "" || slices.Contains(m.ColorLabels, p.ColorLabel))
}

// takenWithin compares times of a camera's clock, which knows no zone: as far
// as a bound says, and without its zone. A picture without a time is in no
// period.
func takenWithin(taken, since, until string) bool {
	if since == "" && until == "" {
		return true
	}
	if taken == "" {
		return false
	}
	since, until = localTime(since), localTime(until)
	taken = localTime(taken)
	return (since == "" || taken >= since) && (until == "" || taken[:min(len(taken), len(until))] <= until)
}

// localTime is a time as text without its zone: 2026-10-01T18:30:00.
func localTime(t string) string {
	t = strings.Replace(t, " ", "T", 1)
	if day, clock, ok := strings.Cut(t, "T"); ok {
		if i := strings.IndexAny(clock, "Z+-"); i >= 0 {
			clock = clock[:i]
		}
		return day + "T" + clock
	}
	return t
}
