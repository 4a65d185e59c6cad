package render

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// checkVacant fails when something is at path, or when its folder is not there.
func checkVacant(path string) error {
	const op = "render"
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return existsError(op, path)
	case !errors.Is(err, fs.ErrNotExist):
		return newError(op, System, path, "cannot see whether the output exists", err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return newError(op, BadInput, path, "the output's folder does not exist", err)
	}
	return nil
}

func existsError(op, path string) error {
	return newError(op, Exists, path, "the output exists and is never overwritten", fs.ErrExist)
}

// publish publishes a finished file as the job's output.
func (j *Job) publish(from string) error {
	if err := publish(from, j.Output); err != nil || !j.Durable {
		return err
	}
	f, _, err := regularfile.Open(j.Output)
	if err == nil {
		err = errors.Join(atomicfile.Sync(f), f.Close(), atomicfile.SyncDir(filepath.Dir(j.Output)))
	}
	if err != nil {
		return newError("publish", System, j.Output, "cannot write the output", err)
	}
	return nil
}

// publish moves a finished file to path, which must not exist. Whoever looks at
// path sees the whole file or none.
func publish(from, path string) error {
	err := atomicfile.Publish(from, path)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return existsError("publish", path)
	}
	return newError("publish", System, path, "cannot write the output", err)
}
