package workspace

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// MostPictures bounds the files of one search.
const MostPictures = 100_000

// rawExtensions are those of raws, and pictureExtensions those of other pictures, that
// darktable opens.
var (
	rawExtensions = strings.Fields(`3fr ari arw bay bmq cap cine cr2 cr3 crw cs1 dc2 dcr dng gpr erf fff ia iiq k25 kc2 kdc mdc mef mos mrw
		nef nrw orf ori pef pxn qtk raf raw rdc rw1 rw2 rwl sr2 srf srw sti x3f`)
	pictureExtensions = strings.Fields(`avif bmp dcm exr fits gif hdr heic heif hif j2c j2k jfif jng jp2 jpc jpeg jpf jpg jpx jxl miff mng
		pbm pfm pgm png pnm ppm qoi tif tiff webp`)
	sidecarExtensions = strings.Fields(`xmp pp3 dop cos on1 arp`)
)

// extension is that of a name, in lower case and without its dot.
func extension(name string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
}

// stem is a name without its extension.
func stem(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

func isRaw(name string) bool { return slices.Contains(rawExtensions, extension(name)) }
func isPicture(name string) bool {
	return isRaw(name) || slices.Contains(pictureExtensions, extension(name))
}

// Found is a file that a search for pictures came by.
type Found struct {
	Path string
	// Skipped says why it is not to be taken; empty when it is.
	Skipped string
	// Err is what kept the search from looking at it.
	Err error
}

// FindPictures lists the files that the paths name, each once, and those in the
// folders that they name; recursive goes into the folders of these, too. A file that
// is named is taken whatever it is and wherever it lies; in a folder those are whose
// extension is that of a raw or another picture. A JPEG beside a raw of its name is
// skipped, as the camera's own development of it. Links are not followed in folders,
// hidden files and sidecars are not mentioned.
func FindPictures(paths []string, recursive bool, roots []string) ([]Found, error) {
	s := search{roots: roots, recursive: recursive, named: map[string]bool{}, seen: map[string]bool{}}
	for _, path := range paths {
		if path, err := filepath.Abs(path); err == nil {
			s.named[path] = true
		}
	}
	for _, path := range paths {
		if err := s.add(path); err != nil {
			return nil, err
		}
	}
	return s.found, nil
}

// search is a search for pictures.
type search struct {
	roots     []string
	recursive bool
	named     map[string]bool // which are not looked at where they lie
	seen      map[string]bool
	found     []Found
}

// add takes a path that was named.
func (s *search) add(path string) error {
	path, err := filepath.Abs(path)
	if err == nil {
		err = Allowed(path, s.roots, "raws")
	}
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(path)
	}
	if err == nil && info.IsDir() {
		return s.folder(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fault.Unknown("file", path, nil)
	}
	return s.note(Found{Path: path, Err: err})
}

// note adds a file to what was found, once.
func (s *search) note(f Found) error {
	if s.seen[f.Path] {
		return nil
	}
	if len(s.found) == MostPictures {
		return fault.New(fault.InvalidInput, "there are more than %d files: name folders one by one", MostPictures)
	}
	s.seen[f.Path] = true
	s.found = append(s.found, f)
	return nil
}

// folder takes the files of a folder, and then the folders in it.
func (s *search) folder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return s.note(Found{Path: dir, Err: err})
	}
	raws := map[string]string{}
	for _, entry := range entries {
		if name := entry.Name(); isRaw(name) && entry.Type().IsRegular() {
			raws[strings.ToLower(stem(name))] = name
		}
	}
	var folders []string
	for _, entry := range entries {
		name := entry.Name()
		path := filepath.Join(dir, name)
		switch {
		case strings.HasPrefix(name, "."), s.named[path], !entry.IsDir() && slices.Contains(sidecarExtensions, extension(name)):
			continue
		case entry.IsDir():
			folders = append(folders, path)
			continue
		}
		if err := s.note(Found{Path: path, Skipped: whySkipped(path, entry, raws)}); err != nil {
			return err
		}
	}
	for _, folder := range folders {
		var err error
		if s.recursive {
			err = s.folder(folder)
		} else {
			err = s.note(Found{Path: folder, Skipped: "a folder: give recursive to go into it"})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// whySkipped says why a file of a folder is not taken; raws are those of the folder,
// by their names in lower case and without extension.
func whySkipped(path string, entry fs.DirEntry, raws map[string]string) string {
	name := entry.Name()
	switch raw := raws[strings.ToLower(stem(name))]; {
	case entry.Type()&fs.ModeSymlink != 0 && (isPicture(name) || leadsToFolder(path)):
		return "a link: name it by itself"
	case !isPicture(name):
		return "not the extension of a picture that darktable opens"
	case !entry.Type().IsRegular():
		return "not a file but a " + regularfile.Describe(entry.Type())
	case raw != "" && slices.Contains([]string{"jpg", "jpeg", "heic", "heif", "hif"}, extension(name)):
		return "the camera's picture of " + raw + ": name it by itself to take it, too"
	}
	return ""
}

// leadsToFolder reports whether a link leads to a folder.
func leadsToFolder(link string) bool {
	info, err := os.Stat(link)
	return err == nil && info.IsDir()
}

// Companions are the files beside a raw that belong to it, by their names: sidecars of
// darktable, its duplicates, Lightroom and RawTherapee, and the pictures that have its
// name, sorted.
func Companions(raw string) []string {
	dir, name := filepath.Split(raw)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return nil // it may be entered and not listed
	}
	var names []string
	for _, entry := range entries {
		other := entry.Name()
		if other == name || !entry.Type().IsRegular() {
			continue
		}
		isSidecar := slices.Contains(sidecarExtensions, extension(other))
		switch {
		case (isSidecar || isPicture(other)) && strings.EqualFold(stem(other), stem(name)), isSidecar && isSidecarOf(stem(other), name, entries):
			names = append(names, other)
		}
	}
	return names
}

// numbered is the number that darktable puts before the extension of a picture for the
// sidecar of a duplicate.
var numbered = regexp.MustCompile(`_\d+(\.[^.]*)$`)

// isSidecarOf reports whether a sidecar's name, without ".xmp", is that of a picture of
// darktable's: NAME.EXT, or NAME_01.EXT for a duplicate. Where the folder has another
// picture whose name it is sooner, the sidecar belongs to that.
func isSidecarOf(sidecar, picture string, folder []fs.DirEntry) bool {
	original := numbered.ReplaceAllString(sidecar, "$1")
	// How a picture may be called, the likeliest first.
	ways := []func(name string) bool{
		func(name string) bool { return name == sidecar },
		func(name string) bool { return strings.EqualFold(name, sidecar) },
		func(name string) bool { return name == original },
		func(name string) bool { return strings.EqualFold(name, original) },
	}
	for i, fits := range ways {
		if fits(picture) {
			return !slices.ContainsFunc(folder, func(entry fs.DirEntry) bool {
				return slices.ContainsFunc(ways[:i], func(sooner func(string) bool) bool { return sooner(entry.Name()) })
			})
		}
	}
	return false
}
