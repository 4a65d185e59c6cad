//go:build unix

package workspace

import (
	"errors"
	"os"
	"syscall"
	"testing"

	"github.com/chemigram/chemigram/internal/fault"
)

// A pipe in a raw's place is looked at, and not opened: nobody writes into it.
func TestAPipeInARawsPlaceIsNotOpened(t *testing.T) {
	t.Parallel()
	_, img := withRaw(t)
	if err := os.Remove(img.Raw.Path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(img.Raw.Path, 0o600); err != nil {
		t.Skip(err)
	}
	if err := img.CheckRaw(t.Context()); !errors.Is(err, fault.State) {
		t.Errorf("err = %v, want a state fault", err)
	}
	if _, err := DigestFile(t.Context(), img.Raw.Path); !errors.Is(err, fault.State) {
		t.Errorf("its digest: %v, want a state fault", err)
	}
}
