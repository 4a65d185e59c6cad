package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/chemigram/chemigram/internal/regularfile"
)

// idLog is the file by which running programs learn which images came and
// went, so that they need not read the names of all. Each line has the time of the folder
// of images before a change and after it, Unix, in ns, and the image's id. The log
// counts only where its times lead to the folder's, and may be deleted.
const idLog = "images.log"

const (
	mostIDLog     = 1 << 20  // bytes that it grows to before it begins anew
	mostIDChanges = 16 << 10 // bytes of it that are cheaper than to read all names
)

// idChange is one line of the log.
type idChange struct {
	before, after int64
	id            string
}

// relocate renames the folder of an image into the folder of images or out of it,
// and notes it in the log, unless ready fails. Nobody else does meanwhile, so that what
// changed from before to after is this image alone.
func (w *Workspace) relocate(ctx context.Context, id string, from, to string, ready func() error) error {
	unlock, err := lockFile(ctx, w.Path("images.lock"), 10*time.Second)
	if err != nil {
		return err
	}
	defer unlock()
	before, err := folderTime(w.Path("images"))
	if err != nil {
		return err
	}
	if err := ready(); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	// Without the line, programs read the names.
	if after, err := folderTime(w.Path("images")); err == nil {
		_ = w.noteChange(idChange{before, after, id})
	}
	return nil
}

func (w *Workspace) noteChange(c idChange) error {
	if err := RefuseLink(w.root, idLog); err != nil {
		return err
	}
	how := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if info, err := os.Stat(w.Path(idLog)); err == nil && info.Size() > mostIDLog {
		how |= os.O_TRUNC
	}
	f, _, err := regularfile.OpenFile(w.Path(idLog), how, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%d %d %s\n", c.before, c.after, c.id)
	return errors.Join(err, f.Close())
}

// changesSince gives the changes after the first bytes of the log, and its length.
// It is not ok where the log does not tell, or tells too much.
func (w *Workspace) changesSince(read int64) (changes []idChange, size int64, ok bool) {
	info, err := os.Stat(w.Path(idLog))
	if err != nil {
		return nil, 0, read == 0
	}
	if size = info.Size(); size == read {
		return nil, size, true
	}
	if size < read || size-read > mostIDChanges {
		return nil, size, false
	}
	f, _, err := regularfile.Open(w.Path(idLog))
	if err != nil {
		return nil, size, false
	}
	defer func() { _ = f.Close() }()
	data, err := ReadRange(f, read, size-read)
	if err != nil {
		return nil, size, false
	}
	for line := range bytes.Lines(data) {
		var c idChange
		if _, err := fmt.Sscanf(string(line), "%d %d %s\n", &c.before, &c.after, &c.id); err != nil || !ValidID(c.id) {
			return nil, size, false
		}
		changes = append(changes, c)
	}
	return changes, size, true
}
