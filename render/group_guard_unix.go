//go:build unix

package render

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/regularfile"
)

// guardScript runs a program beside a shell that waits for this program's end: the pipe
// that it reads closes then, however it ends, and the shell kills the whole group.
const guardScript = `(read -r _ <&3; kill -9 0) >/dev/null 2>&1 </dev/null & exec "$@" 3<&-`

// guard makes a wrapper's children end with this program, when the wrapper does not
// become darktable itself: the signal that the kernel sends at a parent's death goes to
// the wrapper alone. It is called before cmd starts; release is called when it has ended.
func guard(cmd *exec.Cmd) (release func(), err error) {
	const shell = "/bin/sh"
	if !isWrapper(cmd.Path) {
		return func() {}, nil
	}
	if _, err := os.Stat(shell); err != nil {
		return func() {}, nil //nolint:nilerr // there is nothing to guard with
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.ExtraFiles = []*os.File{r} // descriptor 3
	cmd.Args = append([]string{shell, "-c", guardScript, "sh", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = shell
	return func() { _ = errors.Join(r.Close(), w.Close()) }, nil
}

// isWrapper reports whether a program only starts darktable: it is a script, or has
// another name.
func isWrapper(path string) bool {
	if filepath.Base(path) != "darktable-cli" {
		return true
	}
	f, _, err := regularfile.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 2)
	_, err = f.Read(head)
	return err == nil && string(head) == "#!"
}
