package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
)

// ColorLabels are darktable's, in its order: a sidecar has their numbers.
func ColorLabels() []string { return []string{"red", "yellow", "green", "blue", "purple"} }

// Marks are what a person thinks of a picture: marks.json. They are no part of the
// look, and not in its history.
type Marks struct {
	Rating      int      `json:"rating"` // in stars, 0 to 5; -1 is rejected
	ColorLabels []string `json:"color_labels"`
}

// SetMarks changes an image's marks, under its lock, and gives them as they are now:
// with the labels in darktable's order.
func (i *Image) SetMarks(ctx context.Context, change func(*Marks)) (Marks, error) {
	_, unlock, err := i.History.Lock(ctx, "set_rating")
	if err != nil {
		return Marks{}, err
	}
	defer unlock()
	was, given, err := i.Marks()
	if err != nil {
		return Marks{}, err
	}
	next := was
	change(&next)
	if next = next.ordered(); given && next.Equal(was) {
		return was, nil
	}
	return next, next.write(i.Dir)
}

// ordered is the marks with their labels in darktable's order.
func (m Marks) ordered() Marks {
	m.ColorLabels = slices.DeleteFunc(ColorLabels(), func(label string) bool { return !slices.Contains(m.ColorLabels, label) })
	return m
}

// Equal reports whether marks are the same, in whatever order the labels are.
func (m Marks) Equal(other Marks) bool {
	return m.Rating == other.Rating && slices.Equal(m.ordered().ColorLabels, other.ordered().ColorLabels)
}

// write writes marks.json into an image's folder.
func (m Marks) write(dir string) error {
	data, err := marshalChecked(struct {
		Marks
		checksum
	}{m, checksum{noChecksum}})
	if err != nil {
		return err
	}
	return atomicfile.Write(marksPath(dir), data, 0o644)
}

// marksName is the file of an image's marks.
const marksName = "marks.json"

func marksPath(dir string) string { return filepath.Join(dir, marksName) }

// Marks reads an image's marks; given is false for a picture that nobody marked.
func (i *Image) Marks() (m Marks, given bool, err error) { return readMarks(i.Dir) }

// Marks reads the marks of an image that need not be open.
func (w *Workspace) Marks(id string) (m Marks, given bool, err error) {
	return readMarks(w.ImageDir(id))
}

func readMarks(dir string) (m Marks, given bool, err error) {
	data, err := readMarksFile(dir)
	if err == nil && data == nil {
		return Marks{ColorLabels: []string{}}, false, nil
	}
	if err == nil {
		m, err = decodeMarks(data)
	}
	if err != nil {
		return Marks{ColorLabels: []string{}}, false, fault.New(fault.State, "%s cannot be read: %v", marksPath(dir), err)
	}
	return m, true, nil
}

// readMarksFile reads marks.json; nil when there is none.
func readMarksFile(dir string) ([]byte, error) {
	data, err := readOwn(dir, marksName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// decodeMarks reads what a file of marks says.
func decodeMarks(data []byte) (Marks, error) {
	m := Marks{ColorLabels: []string{}}
	if err := unmarshalMended(data, &m); err != nil {
		return Marks{}, err
	}
	if m.Rating < -1 || m.Rating > 5 {
		return Marks{}, fmt.Errorf("its rating is %d, and a rating is -1 to 5", m.Rating)
	}
	for _, label := range m.ColorLabels {
		if !slices.Contains(ColorLabels(), label) {
			return Marks{}, fmt.Errorf("its colour label %q is none", fault.Shorten(label))
		}
	}
	return m, nil
}

// Mark writes marks into a sidecar.
func (m Marks) Mark(sidecar *xmp.Sidecar) (*xmp.Sidecar, error) {
	sidecar, err := sidecar.WithProperty("xmp:Rating", strconv.Itoa(m.Rating))
	if err != nil {
		return nil, err
	}
	numbers := []string{}
	for _, label := range m.ColorLabels {
		numbers = append(numbers, strconv.Itoa(slices.Index(ColorLabels(), label)))
	}
	return sidecar.WithList("darktable:colorlabels", numbers)
}

// MarksOf reads marks out of a sidecar; what is not understood is left out.
func MarksOf(sidecar *xmp.Sidecar) Marks {
	m := Marks{ColorLabels: []string{}}
	text, _ := sidecar.Property("xmp:Rating")
	if stars, err := strconv.Atoi(text); err == nil && stars >= -1 && stars <= 5 {
		m.Rating = stars
	}
	labels := ColorLabels()
	for _, number := range sidecar.List("darktable:colorlabels") {
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < len(labels) {
			m.ColorLabels = append(m.ColorLabels, labels[n])
		}
	}
	return m
}

// Marked gives a version and its sidecar as it leaves the workspace: with the name of
// the raw, and the marks that the image has now.
func (i *Image) Marked(ctx context.Context, ref string) (Version, *xmp.Sidecar, error) {
	shown, err := i.At(ctx, ref)
	if err != nil {
		return Version{}, nil, err
	}
	sidecar := shown.Sidecar
	if named, err := sidecar.WithProperty("xmpMM:DerivedFrom", filepath.Base(i.Raw.Path)); err == nil {
		sidecar = named // a name with characters that XML cannot hold stays out
	}
	m, given, err := i.Marks()
	if err != nil || !given {
		return shown, sidecar, err
	}
	sidecar, err = m.Mark(sidecar)
	return shown, sidecar, err
}
