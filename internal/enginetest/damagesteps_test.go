package enginetest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram"
)

// damages are what a walk does to the files of a history, none of which loses anything.
var damages = []struct {
	name, file string
	rewritten  bool // Repair writes a new journal, which is no later version of another
	change     func(w *world, data []byte) []byte
}{
	{"a flipped byte in the index", "index", false, func(w *world, data []byte) []byte { return flipped(data, w.r.IntN(max(1, len(data)))) }},
	{"no index", "index", false, func(*world, []byte) []byte { return nil }},
	{"a torn tail", "journal", false, func(_ *world, data []byte) []byte { return append(data, "CgT1 and no more"...) }},
	{"no copy of the baseline", "baseline", false, func(*world, []byte) []byte { return nil }},
	{"a flipped byte in the first line", "journal", true, func(w *world, data []byte) []byte { return flipped(data, w.r.IntN(256)) }},
	{"a flipped byte in the first transaction", "journal", true, func(w *world, data []byte) []byte { return flipped(data, 256+24+w.r.IntN(400)) }},
}

func flipped(data []byte, at int) []byte {
	if at < len(data) {
		data[at] ^= 0x10
	}
	return data
}

// damage damages a history, reads it all the same, and repairs it.
func (w *world) damage(at place) error {
	d := pick(w.r, damages)
	w.did("%s of %s in workspace %d", d.name, at.id, at.s)
	path := filepath.Join(w.root(at.s), "images", string(at.id), "history", d.file)
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if data = d.change(w, data); data == nil {
		err = os.RemoveAll(path)
	} else {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		return err
	}
	if err := errors.Join(w.checkHead(at.s, at.id, at.p), w.checkLog(at.s, at.id, at.p)); err != nil {
		return fmt.Errorf("before the repair: %w", err)
	}
	if _, err := at.Repair(w.ctx, chemigram.VerifyParams{ImageID: at.id}); err != nil {
		return err
	}
	if d.rewritten {
		at.p.last = &publication{}
	}
	found, err := at.Verify(w.ctx, chemigram.VerifyParams{ImageID: at.id})
	if err == nil && len(found.Findings) > 0 {
		err = fmt.Errorf("after the repair verify finds %+v", found.Findings)
	}
	return errors.Join(err, w.checkHead(at.s, at.id, at.p), w.checkLog(at.s, at.id, at.p))
}
