//go:build unix

package regularfile

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestWhatIsNoFileIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	short, err := os.MkdirTemp("", "s") //nolint:usetesting // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	socket := filepath.Join(short, "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for path, is := range map[string]string{pipe: "named pipe", link: "named pipe", dir: "folder", socket: "socket", "/dev/zero": "device", "/dev/tty": "device"} {
		_, _, err := Open(path)
		if refused, ok := errors.AsType[*Error](err); !ok || refused.Is != is {
			t.Errorf("%s: %v, want an error that it is a %s", path, err, is)
		}
		if _, err := Read(path, 10); err == nil {
			t.Errorf("%s was read", path)
		}
	}
	if _, _, err := OpenIn(root, "pipe"); err == nil {
		t.Error("the pipe was opened below its folder")
	}
	// Looked at as a file, and another thing by the time that it is opened.
	_, _, err = open(pipe, func(string) (os.FileInfo, error) { return nil, os.ErrNotExist }, func() (*os.File, error) {
		return os.OpenFile(pipe, os.O_RDONLY|nonblocking, 0)
	})
	if refused, ok := errors.AsType[*Error](err); !ok || refused.Is != "named pipe" {
		t.Errorf("a pipe that came meanwhile: %v", err)
	}
}
