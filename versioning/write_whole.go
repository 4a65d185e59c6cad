package versioning

import (
	"errors"
	"io/fs"
	"path"
)

// begin makes the journal with its first transaction. The caller holds the
// lock.
func (h *History) begin(t transaction) error {
	payload, err := t.encode()
	if err != nil {
		return &Error{Kind: Invalid, Err: err}
	}
	content := append(newHeader(h.opts.Now()).encode(), encodeFrame(1, payload)...)
	return h.writeWhole(journalName, content)
}

// writeWhole puts a file in place in one step: after a crash it is there whole
// or not at all.
func (h *History) writeWhole(name string, content []byte) error {
	temp := name + tempSuffix
	err := h.writeSynced(temp, content)
	if err == nil {
		err = h.folder.rename(temp, name)
	}
	if err != nil {
		if e := h.folder.remove(temp); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
		return fileError(name, err)
	}
	return fileError(name, h.syncFolder(path.Dir(name)))
}

func (h *History) writeSynced(name string, content []byte) error {
	f, err := h.folder.create(name)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(content, 0)
	if err == nil && h.opts.Durability == Full {
		err = f.sync()
	}
	return errors.Join(err, f.Close())
}

func (h *History) syncFolder(dir string) error {
	if h.opts.Durability == Relaxed {
		return nil
	}
	return h.folder.sync(dir)
}
