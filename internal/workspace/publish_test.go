package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestACopyTakesNoNameThatIsTaken(t *testing.T) {
	t.Parallel()
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	if err := os.WriteFile(from, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := copyNew(from, to); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(from, []byte("later"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := copyNew(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over another file: %v", err)
	}
	if was, err := os.ReadFile(to); err != nil || string(was) != "theirs" {
		t.Errorf("the copy holds %q, %v", was, err)
	}
}
