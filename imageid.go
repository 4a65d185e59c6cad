package chemigram

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// chooseID finds the id for a raw: the one asked for, or one made from the
// file's name. known is the image when this very file has the id already.
func (e *Engine) chooseID(asked ImageID, raw rawFile) (id ImageID, known *image, err error) {
	stem := asked
	if asked == "" {
		stem = idFromPath(raw.Path)
	} else if !portable(asked) {
		return "", nil, fault.New(fault.InvalidInput, "image_id %q is no folder's name on Windows: %q would be one", asked, "image-"+strings.TrimRight(string(asked), "."))
	}
	for n := 1; ; n++ {
		id := stem
		if n > 1 {
			id = ImageID(fmt.Sprintf("%.120s-%d", stem, n))
		}
		img, err := e.shelf.open(e.workspace, id, e.historyOptions())
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if clash, err := e.differsInCase(id); err != nil || !clash {
				return id, nil, err
			}
		case err != nil:
			return "", nil, err
		case img.Raw.SHA256 == raw.SHA256:
			return id, img, nil
		}
		if asked != "" {
			return "", nil, e.taken(asked)
		}
	}
}

// differsInCase tells whether an image has this id but for upper and lower
// case: on many systems the two would be one folder.
func (e *Engine) differsInCase(id ImageID) (bool, error) {
	clash := false
	err := e.workspace.ids.use(e.workspace, func(ids imageIDs) { clash = ids.hasFolded(strings.ToLower(string(id))) })
	return clash, err
}

// taken is the error for an id that another file has.
func (e *Engine) taken(id ImageID) error {
	suggestion := id
	for n := 2; ; n++ {
		suggestion = ImageID(fmt.Sprintf("%.120s-%d", id, n))
		if clash, err := e.differsInCase(suggestion); err != nil || !clash {
			break
		}
	}
	return fault.New(fault.State, "image_id %q is taken by another file; %q is free", id, suggestion).
		With("suggested_image_id", string(suggestion))
}

// idFromPath makes an id of a file's name: what is not allowed in an id
// becomes a hyphen.
func idFromPath(path string) ImageID {
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
	if !portable(ImageID(id)) {
		id = "image-" + id[:min(len(id), 114)]
	}
	return ImageID(id)
}

// portable tells whether an id can be a folder's name on every system.
func portable(id ImageID) bool {
	stem, _, _ := strings.Cut(strings.ToLower(string(id)), ".") // a device keeps its name with any ending
	return !strings.HasSuffix(string(id), ".") && !devices.MatchString(stem)
}
