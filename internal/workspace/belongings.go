package workspace

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
)

// Belongings are the files that belong to an image beside its history, by name: its
// marks, brief and notes. One that is not there is missing.
type Belongings map[string]string

// sharedName is the file that has, by remote, the belongings that were there last.
const sharedName = "shared.json"

type sharedFile struct {
	Last map[string]Belongings `json:"last"`
	checksum
}

// Check refuses what cannot belong to an image.
func (b Belongings) Check() error {
	for name, text := range b {
		switch {
		case !slices.Contains(belongings, name):
			return fault.New(fault.State, "%q does not belong to an image", fault.Shorten(name))
		case len(text) > mostOwn || !utf8.ValidString(text):
			return fault.New(fault.State, "%s has more than %d bytes, or is not UTF-8", name, mostOwn)
		}
	}
	if marks, ok := b[marksName]; ok {
		if _, err := decodeMarks([]byte(marks)); err != nil {
			return fault.New(fault.State, "%s cannot be read: %v", marksName, err)
		}
	}
	return nil
}

// ShareBelongings has merge, from the belongings that a remote had last and those that are
// here, make those of now, which are written; and remembers what the remote has then.
func (i *Image) ShareBelongings(ctx context.Context, remote string, merge func(last, mine Belongings) (now, there Belongings)) error {
	_, unlock, err := i.History.Lock(ctx, "share")
	if err != nil {
		return err
	}
	defer unlock()
	notes, err := i.workspace.Lock(ctx, i.workspace.Path("proposals", ".lock")) // who confirms notes holds it
	if err != nil {
		return err
	}
	defer notes()
	mine := Belongings{}
	for _, name := range belongings {
		text, err := readOwn(i.Dir, name)
		if err == nil {
			mine[name] = string(text)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	shared, err := i.readShared()
	if err != nil {
		return err
	}
	now, there := merge(shared.Last[remote], maps.Clone(mine))
	if err := errors.Join(now.Check(), there.Check()); err != nil {
		return err
	}
	for _, name := range belongings {
		if text, ok := now[name]; ok && text != mine[name] {
			if err := atomicfile.Write(filepath.Join(i.Dir, name), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	if maps.Equal(shared.Last[remote], there) {
		return nil
	}
	shared.Last[remote] = there
	shared.CRC32C = noChecksum
	data, err := marshalChecked(shared)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(i.Dir, sharedName), data, 0o644)
}

// readShared reads shared.json. One that is damaged is as none: then what is here and
// there is put together.
func (i *Image) readShared() (sharedFile, error) {
	none := sharedFile{Last: map[string]Belongings{}}
	data, err := ReadBounded(i.Dir, sharedName, 16*mostOwn)
	if errors.Is(err, os.ErrNotExist) {
		return none, nil
	}
	if err != nil {
		return none, err
	}
	var s sharedFile
	if unmarshalMended(data, &s) != nil || s.Last == nil {
		return none, nil
	}
	return s, nil
}
