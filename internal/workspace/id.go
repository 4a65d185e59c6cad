package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// IDPattern is the regular expression that an image's id matches whole.
const IDPattern = `[A-Za-z0-9][A-Za-z0-9_.-]{0,127}`

var validID = regexp.MustCompile(`\A` + IDPattern + `\z`)

// ValidID reports whether a text can be an image's id.
func ValidID(id string) bool { return validID.MatchString(id) }

// Choice is the id for a raw.
type Choice struct {
	ID string
	// Known is the image when this very file has the id already.
	Known *Image
	// Unreadable says of images whose ids were passed over why they cannot be read: each
	// may be of this file.
	Unreadable []string
}

// ChooseID finds the id for a raw: the one asked for, or one made from the file's name.
func (w *Workspace) ChooseID(asked string, raw Raw) (c Choice, err error) {
	stem := asked
	if asked == "" {
		stem = idFromPath(raw.Path)
	} else if !portable(asked) {
		return c, fault.Invalid("/image_id", "image_id %q is no folder's name on Windows: %q would be one", asked, "image-"+strings.TrimRight(asked, "."))
	}
	for n := 1; ; n++ {
		id := stem
		if n > 1 {
			id = fmt.Sprintf("%.120s-%d", stem, n)
		}
		if asked == "" && w.isOfAnother(id, raw.SHA256) {
			continue
		}
		img, err := w.open(id)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			clash, err := w.DiffersInCase(id)
			if _, there := os.Lstat(w.ImageDir(id)); err != nil || w.IsHalf(id) || !clash && there != nil {
				c.ID = id
				return c, err
			}
		case err != nil:
			// An image that cannot be read has its id all the same.
			if _, there := os.Lstat(w.ImageDir(id)); asked != "" || there != nil {
				return c, err
			}
			c.Unreadable = append(c.Unreadable, fmt.Sprintf("%s cannot be read, and may be of this very file: %v", id, err))
		case img.Raw.SHA256 == raw.SHA256:
			c.ID, c.Known = id, img
			return c, nil
		}
		if asked != "" {
			return c, w.taken(asked)
		}
	}
}

// DiffersInCase reports whether an image has this id but for upper and lower
// case: on many systems the two would be one folder.
func (w *Workspace) DiffersInCase(id string) (bool, error) {
	clash := false
	err := w.ids.use(w, func(ids imageIDs) { clash = ids.hasFolded(strings.ToLower(id)) })
	return clash, err
}

// taken is the fault for an id that another file has.
func (w *Workspace) taken(id string) error {
	suggestion := id
	for n := 2; ; n++ {
		suggestion = fmt.Sprintf("%.120s-%d", id, n)
		if clash, err := w.DiffersInCase(suggestion); err != nil || !clash {
			break
		}
	}
	out := fault.New(fault.State, "image_id %q is taken by another file; %q is free", id, suggestion).
		With("suggested_image_id", suggestion)
	out.Err = errTaken
	return out
}

// IsTaken reports whether an error says that another image has an id.
func IsTaken(err error) bool { return errors.Is(err, errTaken) }

// errTaken is the cause of the fault for an id that is taken.
var errTaken = errors.New("the id is taken")

// idFromPath makes an id of a file's name: what is not allowed in an id
// becomes a hyphen.
func idFromPath(path string) string {
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '-'
	}, stem)
	id = strings.TrimLeft(id, "._-")
	id = strings.TrimRight(id[:min(len(id), 120)], ".")
	if id == "" {
		id = "image"
	}
	if !portable(id) {
		id = "image-" + id[:min(len(id), 114)]
	}
	return id
}

// portable reports whether an id can be a folder's name on every system.
func portable(id string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(id), ".") // a device keeps its name with any ending
	return !strings.HasSuffix(id, ".") && !IsDevice(stem)
}

// devices are names that Windows keeps for devices, in every folder.
var devices = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$`)

// IsDevice reports whether Windows keeps a name, in lower case and without an
// ending, for a device.
func IsDevice(name string) bool { return devices.MatchString(name) }
