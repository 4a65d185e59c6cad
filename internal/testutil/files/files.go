package files

import (
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// A File is one of the world.
type File struct {
	// Kind and What say what is odd about it: "DNG with XMP", "DerivedFrom as a structure".
	Kind, What string
	// Name is its name in a folder.
	Name string
	// Width and Height are those of the picture in it, before it is turned.
	Width, Height int
	// Turned is true when it is shown turned by a quarter.
	Turned bool
	// Chart is true when its development shows the chart, upright.
	Chart bool
	// Wrong is what darktable itself does wrong with it, or this file, so that its chart is
	// not as it was written; empty of most.
	Wrong string
	// WrongOn begins the version of the darktable that does so; empty for all.
	WrongOn string
	// Darker is by how many stops darktables show the chart darker than it was written, by
	// what their versions begin with; nil of most.
	Darker map[string]float64
	// Refused is what darktable says when it does not open it; empty of most.
	Refused string
	// Look is true when its pixels are held as in no other file, so that previews are
	// worth a look.
	Look bool
	// Large is true when it takes minutes.
	Large bool
	// Beside are files beside it, by what is added to its name without extension.
	Beside map[string][]byte
	// Said is the size that the file says its picture has, where that is less than Width and
	// Height; zero of most.
	Said image.Point
	// Through is the extension of a file that darktable is to make of this one, which is
	// then tried in its place; empty when it is tried itself.
	Through string
	// Setting is a setting of darktable's for that, as NAME=VALUE; empty for none.
	Setting string

	write func(io.Writer) error
	place func(dir, name string) (path string, err error)
	seal  func(path string) error // what is done when it is written
}

// Write writes the file into a folder and gives its path.
func (f File) Write(dir string) (path string, err error) {
	path = filepath.Join(dir, f.Name)
	if f.place != nil {
		if path, err = f.place(dir, f.Name); err != nil {
			return "", err
		}
	}
	for suffix, data := range f.Beside {
		if err := os.WriteFile(strings.TrimSuffix(path, filepath.Ext(path))+suffix, data, 0o600); err != nil {
			return "", err
		}
	}
	w, err := os.Create(path)
	if err != nil {
		return "", err
	}
	if err := f.write(w); err != nil {
		return "", errors.Join(err, w.Close())
	}
	if err := w.Close(); err != nil || f.seal == nil {
		return path, err
	}
	return path, f.seal(path)
}

// Unseal makes the folders below one writable, so that it can be removed.
func Unseal(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			err = os.Chmod(path, 0o700)
		}
		return err
	})
}

// Shown is the width and height that it is shown with.
func (f File) Shown() (width, height int) {
	if f.Turned {
		return f.Height, f.Width
	}
	return f.Width, f.Height
}

// Width and height of those files of which the size is not what is odd.
const width, height = 96, 64

// IsWrongOn reports whether a version of darktable does something wrong with it.
func (f File) IsWrongOn(version string) bool {
	return f.Wrong != "" && strings.HasPrefix(version, f.WrongOn)
}

// DarkerOn is by how many stops a version of darktable shows the chart darker.
func (f File) DarkerOn(version string) float64 {
	for begins, ev := range f.Darker {
		if strings.HasPrefix(version, begins) {
			return ev
		}
	}
	return 0
}

// All are all the files, in the order of a list that is read. Their names are such
// that all lie in one folder.
func All() []File {
	all := slices.Concat(raws(), layouts(), cameras(), exif(), names(), places(), companions(), pictures(), heics(), converted())
	for i, f := range all {
		all[i].Refused = refusals[f.Name]
		if strings.Contains(f.What, "tungsten") && f.Wrong == "" {
			all[i].Wrong = "its greys are not looked at: of tungsten light darktable 4.2.1 develops them as they were written, and 5.4.1 some 10 L* lighter"
			all[i].WrongOn = "5."
		}
		switch f.Kind {
		case "DNG, layout", "NEF", "PEF", "ORF", "ARW":
			all[i].Look = !strings.Contains(f.What, ", ") || f.Kind == "DNG, layout" && !f.Chart
		case "DNG", "JPEG", "PNG", "TIFF", "PFM", "PPM":
			all[i].Look = !strings.Contains(f.What, "grey")
		default:
			all[i].Look = f.Through != ""
		}
	}
	return all
}

// refusals are what darktable says of the files that it does not open, by their names.
var refusals = map[string]string{
	"exif_numbers_as_texts.dng": "darktable-rs-identify says: Wrong type 2 encountered. Expected Long, Offset, Rational or Undefined on 0x8827",
	"exif_unknown_tags.dng":     "darktable-rs-identify says: No decoder found. Sorry.",
	"IMG_0001":                  "darktable-cli says: no images to export, aborting",
	"plain.qoi":                 "darktable-cli says: no images to export, aborting",
}

// raw is a DNG of the chart.
func raw(kind, what, name string, w, h int, o dng.Options) File {
	return File{
		Kind: kind, What: what, Name: name, Width: w, Height: h, Turned: o.Orientation >= 5, Chart: o.Orientation < 2,
		write: func(out io.Writer) error { return dng.Write(out, scene.Chart{}.Image(w, h), o) },
	}
}

func sizeName(size [2]int) string { return fmt.Sprintf("%dx%d", size[0], size[1]) }

// fileName makes a plain name of words.
func fileName(words string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, words)
}
