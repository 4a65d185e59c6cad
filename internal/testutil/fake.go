package testutil

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Behaviour is what a [Fake] does when it is called to develop a picture.
type Behaviour string

// The behaviours of a fake darktable. Only Works, Floods, WrongSize, Truncated,
// Garbage and FillsDisk leave a file.
const (
	// Works writes a grey JPEG of the requested size whose XMP packet is FakeOptions.XMP,
	// whatever the extension of the output.
	Works Behaviour = "works"
	// Hangs never ends.
	Hangs Behaviour = "hangs"
	// IgnoresTerm never ends, and SIGTERM, SIGINT and SIGHUP do not stop it.
	IgnoresTerm Behaviour = "ignores-term"
	// HangsInChild waits for a child process that never ends and that survives
	// when only its parent is killed.
	HangsInChild Behaviour = "hangs-in-child"
	// WritesNothing exits 0 at once.
	WritesNothing Behaviour = "writes-nothing"
	// Fails exits with FakeOptions.ExitCode.
	Fails Behaviour = "fails"
	// Crashes dies by SIGSEGV.
	Crashes Behaviour = "crashes"
	// Garbage writes a file that is no picture.
	Garbage Behaviour = "garbage"
	// Truncated writes the first part of a JPEG.
	Truncated Behaviour = "truncated"
	// WrongSize writes a JPEG of half the requested size.
	WrongSize Behaviour = "wrong-size"
	// Floods writes 3.9 MB to stderr, then works.
	Floods Behaviour = "floods"
	// FloodsForEver writes to stderr and never ends.
	FloodsForEver Behaviour = "floods-for-ever"
	// FillsDisk writes to its output until the disk is full, which it reports on
	// stderr, and exits 0.
	FillsDisk Behaviour = "fills-disk"
)

// FakeOptions are the version, the behaviour and the output of a fake darktable.
type FakeOptions struct {
	// Version is the version it reports. Default "5.4.1".
	Version string
	// Behaviour is what it does at every call. Default Works.
	Behaviour Behaviour
	// Script, when given, is what it does at the first call, the second and so
	// on; calls past its end do what the last one did. --version is not counted as
	// a call.
	Script []Behaviour
	// Stderr is what every call writes to stderr first.
	Stderr string
	// ExitCode is what Fails exits with. Default 1.
	ExitCode int
	// Width and Height are the size of the JPEG. Default: the largest picture of 3 to
	// 2 in the requested size.
	Width, Height int
	// XMP is the packet in the JPEG. Default: the history that darktable 4.2.1
	// gave to a raw of the synthetic camera.
	XMP []byte
	// PNG is what Works writes to an output of that extension. Default: a JPEG there, too.
	PNG []byte
}

// Fake is a replacement of darktable-cli that fails on demand, in ways that the real
// one cannot be made to. It develops nothing.
type Fake struct {
	// CLI is the path to run as darktable-cli.
	CLI string

	tb  testing.TB
	dir string
}

//go:embed fake/darktable-cli.sh
var fakeScript []byte

//go:embed fake/baseline.xmp
var fakeXMP []byte

// FakeDarktable makes a fake darktable-cli, a shell script that starts in a few
// milliseconds. The end of the test ends its processes and removes its files.
func FakeDarktable(tb testing.TB, o FakeOptions) *Fake {
	tb.Helper()
	if runtime.GOOS == "windows" {
		tb.Skip("the fake darktable is a POSIX shell script")
	}
	f := &Fake{tb: tb, dir: tb.TempDir()}
	f.CLI = filepath.Join(f.dir, "darktable-cli")
	if o.Script == nil {
		o.Script = []Behaviour{cmp.Or(o.Behaviour, Works)}
	}
	var script, size strings.Builder
	for _, b := range o.Script {
		fmt.Fprintln(&script, b)
	}
	if o.Width > 0 && o.Height > 0 {
		fmt.Fprintln(&size, o.Width, o.Height)
	}
	if o.XMP == nil {
		o.XMP = fakeXMP
	}
	f.write("version", fmt.Appendf(nil, "darktable %s\nCopyright (C) nobody.\n", cmp.Or(o.Version, "5.4.1")))
	f.write("script", []byte(script.String()))
	f.write("size", []byte(size.String()))
	f.write("stderr", []byte(o.Stderr))
	f.write("status", fmt.Appendln(nil, cmp.Or(o.ExitCode, 1)))
	f.write("head", jpegHead(o.XMP))
	f.write("tail", jpegTail)
	if o.PNG != nil {
		f.write("png", o.PNG)
	}
	f.write("body", fakeScript)
	// A program that this process itself had open for writing may be "busy" when
	// another goroutine forks at the wrong moment; so another process writes it.
	if out, err := exec.Command("cp", filepath.Join(f.dir, "body"), f.CLI).CombinedOutput(); err != nil {
		tb.Fatalf("copy the fake darktable: %v: %s", err, out)
	}
	tb.Cleanup(func() {
		for _, pid := range f.Running() {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill()
			}
		}
	})
	return f
}

func (f *Fake) write(name string, data []byte) {
	f.tb.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), data, 0o700); err != nil {
		f.tb.Fatal(err)
	}
}

// Calls returns the arguments of every call so far, in the order in which they
// started; --version is not counted as a call.
func (f *Fake) Calls() [][]string {
	f.tb.Helper()
	var calls [][]string
	for n := 1; ; n++ {
		args, err := os.ReadFile(filepath.Join(f.dir, fmt.Sprintf("call.%d", n), "args"))
		list, complete := strings.CutSuffix(string(args), "\x00")
		if err != nil || !complete {
			return calls
		}
		calls = append(calls, strings.Split(list, "\x00"))
	}
}

// Running returns the ids of the processes, those of calls and their children, that
// are still alive.
func (f *Fake) Running() []int {
	f.tb.Helper()
	files, err := filepath.Glob(filepath.Join(f.dir, "call.*", "pids"))
	if err != nil {
		f.tb.Fatal(err)
	}
	var pids []int
	for _, file := range files {
		list, err := os.ReadFile(file)
		if err != nil {
			f.tb.Fatal(err)
		}
		for word := range strings.FieldsSeq(string(list)) {
			if pid, err := strconv.Atoi(word); err == nil && alive(pid) {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// alive reports whether a process runs. A zombie does not, nor does one that was
// killed and has not come to its end yet, as on a busy machine.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err == nil {
		_, rest, _ := bytes.Cut(stat, []byte(") "))
		fields := strings.Fields(string(rest)) // state, parent, group, session, terminal, its group, flags
		const exiting = 0x4                    // PF_EXITING
		if len(fields) > 6 {
			if flags, err := strconv.ParseUint(fields[6], 10, 64); err == nil && flags&exiting != 0 {
				return false
			}
		}
		return !bytes.HasPrefix(rest, []byte("Z")) && !killPending(pid)
	}
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err != nil || !bytes.HasPrefix(bytes.TrimSpace(out), []byte("Z"))
}

// killPending reports whether a process has been sent SIGKILL.
func killPending(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return true // it has ended meanwhile
	}
	for line := range strings.Lines(string(status)) {
		key, value, _ := strings.Cut(line, ":")
		if key != "SigPnd" && key != "ShdPnd" {
			continue
		}
		pending, err := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
		if err == nil && pending&(1<<(syscall.SIGKILL-1)) != 0 {
			return true
		}
	}
	return false
}

// jpegHead is a JPEG up to its frame header: the XMP packet in its segment and a
// quantisation table of ones.
func jpegHead(xmp []byte) []byte {
	const namespace = "http://ns.adobe.com/xap/1.0/\x00"
	out := []byte{0xff, 0xd8}
	out = append(out, 0xff, 0xe1)
	n := 2 + len(namespace) + len(xmp)
	out = append(out, byte(n>>8), byte(n))
	out = append(append(out, namespace...), xmp...)
	out = append(out, 0xff, 0xdb, 0, 67, 0)
	return append(out, bytes.Repeat([]byte{1}, 64)...)
}

// jpegTail is the rest of a JPEG up to its scan data: Huffman tables with one
// code, a zero bit, which means "no change" for DC and "end of block" for AC, and
// the header of a scan of three channels.
var jpegTail = func() []byte {
	table := func(class byte) []byte {
		return append([]byte{0xff, 0xc4, 0, 20, class, 1}, make([]byte, 16)...)
	}
	out := append(table(0x00), table(0x10)...)
	return append(out, 0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0)
}()
