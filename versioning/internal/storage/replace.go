package storage

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/chemigram/chemigram/internal/atomicfile"
)

const tempSuffix = ".tmp"

// IsTemp reports whether a name is that of a file which [Replace] has not
// finished.
func IsTemp(name string) bool { return strings.HasSuffix(name, tempSuffix) }

// Replace writes a file beside the one of that name, and renames it over that
// one: after a crash the file has its old content or all of the new. With
// durable the content survives a power cut, and after Folder.Sync the name too.
func Replace(dir Folder, name string, content []byte, durable bool) error {
	return ReplaceFrom(dir, name, bytes.NewReader(content), durable)
}

// ReplaceFrom is Replace with what a reader gives.
func ReplaceFrom(dir Folder, name string, content io.Reader, durable bool) error {
	temp := name + tempSuffix
	err := write(dir, temp, content, durable)
	if err == nil {
		err = dir.Rename(temp, name)
	}
	if err == nil {
		return nil
	}
	if e := dir.Remove(temp); e != nil && !errors.Is(e, fs.ErrNotExist) {
		err = errors.Join(err, e)
	}
	return err
}

func write(dir Folder, name string, content io.Reader, durable bool) error {
	f, err := dir.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.NewOffsetWriter(f, 0), content)
	if err == nil && durable {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// IsClutter reports whether a file name is one that file managers leave behind.
func IsClutter(name string) bool { return atomicfile.IsClutter(name) }
