package owned

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

// ownerDir is the environment variable that makes a copy of this test program own a
// folder and a lock in that folder, until it is killed.
const ownerDir = "CHEMIGRAM_TEST_OWNER_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(ownerDir); dir != "" {
		folder, err := MakeFolder(dir, "work-")
		if err == nil {
			err = os.WriteFile(folder.Path("picture"), nil, 0o600)
		}
		if err == nil {
			_, err = Lock(filepath.Join(dir, "a.lock"))
		}
		fmt.Println("ready", err)
		_, _ = os.Stdin.Read(make([]byte, 1)) // the parent never writes
		return
	}
	os.Exit(m.Run())
}

func TestWhatAKilledProcessOwnedIsReclaimed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	owner := testutil.ThisProgram(t, []string{ownerDir + "=" + dir})
	if _, err := owner.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "ready <nil>\n" {
		t.Fatalf("it printed %q, %v", line, err)
	}
	reclaimed := false
	look := func() (folders int) {
		t.Helper()
		Sweep(dir, "work-")
		Reclaim(filepath.Join(dir, "a.lock"), func() { reclaimed = true })
		found, err := filepath.Glob(filepath.Join(dir, "work-*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	if n := look(); n != 1 || reclaimed {
		t.Errorf("of a process that lives %d folders are left, and its lock was reclaimed: %t", n, reclaimed)
	}
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = owner.Wait()
	if n := look(); n != 0 || !reclaimed {
		t.Errorf("of a process that was killed %d folders are left, and its lock was reclaimed: %t", n, reclaimed)
	}
	if _, err := os.Lstat(filepath.Join(dir, "a.lock")); err == nil {
		t.Error("the lock's file is still there")
	}
}

// Sweepers never take away what a maker has just made and not locked yet.
func TestMakersAndSweepersAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stop := make(chan struct{})
	var sweepers, makers sync.WaitGroup
	for range 2 {
		sweepers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					Sweep(dir, "work-")
				}
			}
		})
	}
	for range 4 {
		makers.Go(func() {
			for range 100 {
				f, err := MakeFolder(dir, "work-")
				if err != nil {
					t.Error(err)
					return
				}
				picture := f.Path("picture")
				if err := os.WriteFile(picture, nil, 0o600); err != nil {
					t.Error(err)
				}
				if _, err := os.Stat(picture); err != nil {
					t.Error(err)
				}
				f.Remove()
			}
		})
		makers.Go(func() {
			path := filepath.Join(t.TempDir(), "a.lock")
			for range 100 {
				release, err := Lock(path)
				if err != nil {
					t.Error(err)
					return
				}
				Reclaim(path, func() { t.Error("a lock that is held was reclaimed") })
				release()
				Reclaim(path, func() {})
			}
		})
	}
	makers.Wait()
	close(stop)
	sweepers.Wait()
	Sweep(dir, "work-")
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

func TestOnlyFoldersOfTheirKindAreSwept(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	for _, name := range []string{"work-12-345-dead", "work-12-346", "holiday", "work-of-the-week", "work-12", "work-12-345-copy", "my-work-12-345"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "work-3-4"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(dir, "work-5-6")); err != nil {
		t.Skip(err)
	}
	// What stands in the place of a lock and is none is not opened.
	if err := os.MkdirAll(filepath.Join(dir, "work-1-2", "lock"), 0o700); err != nil {
		t.Fatal(err)
	}
	Sweep(dir, "work-")
	for name, want := range map[string]bool{
		"work-12-345-dead": false, "work-12-346": false, "holiday": true, "work-of-the-week": true, "work-12": true,
		"work-12-345-copy": true, "my-work-12-345": true, "work-3-4": true, "work-5-6": true, "work-1-2": true,
	} {
		if _, err := os.Lstat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", name, err == nil, want)
		}
	}
	if _, err := os.Stat(elsewhere); err != nil {
		t.Error(err)
	}
}
