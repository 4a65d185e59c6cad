package testutil

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Disk is a file system in memory (tmpfs) of a limited size.
type Disk struct {
	// Dir is the folder where it is mounted.
	Dir string
}

// diskEnv is set in the process that runs a test on a Disk.
const diskEnv = "CHEMIGRAM_TEST_DISK"

// OnDisk runs the rest of a test on a disk of a size such as "4m": in a process with a
// mount namespace of its own, so that no other process sees the disk and nothing of it
// remains. Where the system does not allow that, the test is skipped. A test that uses
// it has no subtests.
func OnDisk(t *testing.T, size string, rest func(Disk)) {
	t.Helper()
	if os.Getenv(diskEnv) == t.Name() {
		d := Disk{t.TempDir()}
		if err := syscall.Mount("tmpfs", d.Dir, "tmpfs", 0, "size="+size); err != nil {
			t.Skipf("no disk can be mounted here: %v", err)
		}
		t.Cleanup(func() { _ = syscall.Unmount(d.Dir, syscall.MNT_DETACH) })
		rest(d)
		return
	}
	cmd := ThisProgram(t, []string{diskEnv + "=" + t.Name()}, "-test.v", "-test.short="+strconv.FormatBool(testing.Short()),
		"-test.run=^"+regexp.QuoteMeta(t.Name())+"$")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	switch output := strings.TrimSpace(string(out)); {
	case err != nil && len(out) == 0:
		t.Skipf("no process may have mounts of its own here: %v", err)
	case err != nil:
		t.Errorf("%v\n%s", err, output)
	case strings.Contains(output, "--- SKIP"):
		t.Skip(output)
	default:
		t.Log(output)
	}
}

// Leave fills the disk until free bytes are left, rounded up to pages of 4 KiB. A
// negative number removes what Leave filled it with.
func (d Disk) Leave(t *testing.T, free int64) {
	t.Helper()
	ballast := filepath.Join(d.Dir, "ballast")
	_ = os.Remove(ballast) // it may not be there
	if free < 0 {
		return
	}
	var stat syscall.Statfs_t
	if err := syscall.Statfs(d.Dir, &stat); err != nil {
		t.Fatal(err)
	}
	pages := int64(stat.Bavail) - (free+stat.Bsize-1)/stat.Bsize
	if pages <= 0 {
		t.Fatalf("%d bytes are not free", free)
	}
	if err := os.WriteFile(ballast, make([]byte, pages*stat.Bsize), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Protect mounts the disk read-only, for the superuser, too.
func (d Disk) Protect(t *testing.T) {
	t.Helper()
	if err := syscall.Mount("", d.Dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
}
