package chemigram

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/workspace"
)

// What no darktable has to look at is refused before one is started: with a code, what is
// wrong with which file, and whether the same call may go well another time. (What
// darktable refuses has tests of its own: by its words, and by files that are cut off.)
func TestWhatIsNoFileToIngestIsRefused(t *testing.T) {
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1"})
	e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: fake.CLI, Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	write := func(path string) error { return os.WriteFile(path, []byte("a photograph"), 0o600) }
	for name, tt := range map[string]struct {
		make func(path string) error
		code Code
		says string
	}{
		"not there":            {func(string) error { return nil }, ErrNotFound, "no file"},
		"a link to nothing":    {func(path string) error { return os.Symlink("gone", path) }, ErrNotFound, "no file"},
		"empty":                {func(path string) error { return os.WriteFile(path, nil, 0o600) }, ErrInvalidInput, "is empty"},
		"a folder":             {func(path string) error { return os.Mkdir(path, 0o700) }, ErrInvalidInput, "folder"},
		"a pipe":               {func(path string) error { return syscall.Mkfifo(path, 0o600) }, ErrInvalidInput, "pipe"},
		"too large":            {func(path string) error { return errors.Join(write(path), os.Truncate(path, workspace.MostRaw+1)) }, ErrInvalidInput, "may have up to"},
		"that may not be read": {func(path string) error { return errors.Join(write(path), os.Chmod(path, 0)) }, ErrPermission, "permission"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.nef")
			if err := tt.make(path); err != nil {
				t.Fatal(err)
			}
			var err error
			ingest := func() { _, err = e.Ingest(t.Context(), IngestParams{RawPath: path}) }
			if name == "that may not be read" {
				asNobody(t, ingest)
			} else {
				ingest()
			}
			refused, ok := errors.AsType[*Error](err)
			if !ok || refused.Code != tt.code || !strings.Contains(refused.Message, path) || !strings.Contains(refused.Message, tt.says) || !refused.Recoverable {
				t.Errorf("%+v, want a %s that says %q of %s and is recoverable", err, tt.code, tt.says, path)
			}
			res, err := e.Ingest(t.Context(), IngestParams{RawPaths: []string{path}})
			switch { // of many, it is one of the outcomes, or, as the user named it, the call's error
			case name == "that may not be read": // but by this user, perhaps
			case name == "a folder" && err == nil && len(res.Outcomes) == 0:
			case err == nil && res.Failed == 1 && res.Outcomes[0].ErrorCode == tt.code:
			case errors.Is(err, tt.code):
			default:
				t.Errorf("of many: %+v, %v", res.Outcomes, err)
			}
		})
	}
	if calls := fake.Calls(); len(calls) > 1 { // it was asked for its version
		t.Errorf("darktable was started %d times", len(calls))
	}
}

// asNobody calls a function that opens its files as a user without rights.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	done := make(chan error)
	go func() {
		const nobody = 65534
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		err := syscall.Setfsuid(nobody)
		if err == nil {
			f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Skip(err)
	}
}
