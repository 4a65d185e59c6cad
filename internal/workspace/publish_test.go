package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestPublishingTakesNoNameThatIsTaken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	if err := os.WriteFile(from, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Publish(from, to); err != nil {
		t.Fatal(err)
	}
	if err := Publish(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over another file: %v", err)
	}
	for _, want := range []string{"to_2.x", "to_3.x"} {
		_ = os.WriteFile(filepath.Join(dir, "to.x"), nil, 0o600)
		if got, err := PublishNew(from, filepath.Join(dir, "to"), ".x"); err != nil || filepath.Base(got) != want {
			t.Errorf("published at %s, %v, want %s", got, err, want)
		}
	}
}

func TestABackupIsKeptUnderANameOfItsOwn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.xmp")
	if got, err := BackUp(path); err != nil || got != "" {
		t.Errorf("of nothing: %q, %v", got, err)
	}
	if err := os.WriteFile(path, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a.xmp.bak", "a.xmp.bak2"} {
		got, err := BackUp(path)
		if err != nil || filepath.Base(got) != want {
			t.Errorf("kept at %s, %v, want %s", got, err, want)
		}
		if data, err := os.ReadFile(got); err != nil || string(data) != "theirs" {
			t.Errorf("%s holds %q, %v", got, data, err)
		}
	}
}
