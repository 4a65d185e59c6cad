package testutil

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// result is that of a call of the fake darktable.
type result struct {
	out    string
	stderr string
	err    error
}

// run calls the fake with a raw that exists.
func run(t *testing.T, f *Fake, args ...string) result {
	t.Helper()
	dir := t.TempDir()
	raw, out := filepath.Join(dir, "a b.dng"), filepath.Join(dir, "out.jpg")
	if err := os.WriteFile(raw, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command(f.CLI, append([]string{raw, "some.xmp", out, "--width", "300", "--height", "300", "--hq", "false"}, args...)...)
	cmd.Stderr = &stderr
	err := cmd.Run()
	return result{out, stderr.String(), err}
}

func TestFakeReportsItsVersion(t *testing.T) {
	t.Parallel()
	f := FakeDarktable(t, FakeOptions{Version: "3.8.1"})
	dt, err := probe(f.CLI)
	if err != nil {
		t.Fatal(err)
	}
	if dt.Name != "3.8.1" {
		t.Errorf("version %q, want 3.8.1", dt.Name)
	}
	if calls := f.Calls(); len(calls) != 0 {
		t.Errorf("--version was recorded as a call: %q", calls)
	}
}

func TestFakeThatWorks(t *testing.T) {
	t.Parallel()
	f := FakeDarktable(t, FakeOptions{Stderr: "a warning\n"})
	got := run(t, f, "--core", "--configdir", "/nowhere", "two words")
	if got.err != nil {
		t.Fatal(got.err, got.stderr)
	}
	if size := jpegSize(t, got.out); size != image.Pt(300, 200) {
		t.Errorf("size %v, want 300×200", size)
	}
	b, err := os.ReadFile(got.out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, fakeXMP) {
		t.Error("the JPEG lacks the XMP packet")
	}
	if !strings.HasPrefix(got.stderr, "a warning\n[export_job] exported to") {
		t.Errorf("stderr: %q", got.stderr)
	}
	calls := f.Calls()
	if len(calls) != 1 {
		t.Fatalf("%d calls recorded, want 1", len(calls))
	}
	want := []string{"some.xmp", got.out, "--width", "300", "--height", "300", "--hq", "false", "--core", "--configdir", "/nowhere", "two words"}
	if diff := cmp.Diff(want, calls[0][1:]); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

func TestFakeKeepsAnExistingFileLikeDarktable(t *testing.T) {
	t.Parallel()
	f := FakeDarktable(t, FakeOptions{})
	dir := t.TempDir()
	raw, out := filepath.Join(dir, "x.dng"), filepath.Join(dir, "out.jpg")
	for _, file := range []string{raw, out} {
		if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := exec.Command(f.CLI, raw, out).Run(); err != nil {
			t.Fatal(err)
		}
	}
	if b, _ := os.ReadFile(out); string(b) != "mine" {
		t.Error("the existing file was overwritten")
	}
	for _, name := range []string{"out_01.jpg", "out_02.jpg"} {
		if size := jpegSize(t, filepath.Join(dir, name)); size != image.Pt(1224, 816) {
			t.Errorf("%s has %v", name, size)
		}
	}
}

func TestFakeFaults(t *testing.T) {
	t.Parallel()
	exit := func(err error) int {
		if e, ok := errors.AsType[*exec.ExitError](err); ok {
			return e.ExitCode()
		}
		return 0
	}
	for _, tt := range []struct {
		options FakeOptions
		check   func(t *testing.T, got result)
	}{
		{FakeOptions{Behaviour: WritesNothing}, func(t *testing.T, got result) {
			if _, err := os.Stat(got.out); got.err != nil || err == nil {
				t.Errorf("status %v, file %v", got.err, err)
			}
		}},
		{FakeOptions{Behaviour: Fails, ExitCode: 7, Stderr: "no memory\n"}, func(t *testing.T, got result) {
			if exit(got.err) != 7 || got.stderr != "no memory\n" {
				t.Errorf("status %v, stderr %q", got.err, got.stderr)
			}
		}},
		{FakeOptions{Behaviour: Crashes}, func(t *testing.T, got result) {
			e, ok := errors.AsType[*exec.ExitError](got.err)
			if !ok || e.Sys().(syscall.WaitStatus).Signal() != syscall.SIGSEGV {
				t.Errorf("status %v, want a death by SIGSEGV", got.err)
			}
		}},
		{FakeOptions{Behaviour: Garbage}, func(t *testing.T, got result) {
			if _, err := decodeJPEG(got.out); got.err != nil || !errors.Is(err, image.ErrFormat) {
				t.Errorf("status %v, decoding %v", got.err, err)
			}
		}},
		{FakeOptions{Behaviour: Truncated}, func(t *testing.T, got result) {
			if _, err := decodeJPEG(got.out); got.err != nil || err == nil || errors.Is(err, image.ErrFormat) {
				t.Errorf("status %v, decoding %v", got.err, err)
			}
		}},
		{FakeOptions{Behaviour: WrongSize}, func(t *testing.T, got result) {
			if size := jpegSize(t, got.out); size != image.Pt(150, 100) {
				t.Errorf("size %v, want 150×100", size)
			}
		}},
		{FakeOptions{Behaviour: Floods}, func(t *testing.T, got result) {
			if size := jpegSize(t, got.out); len(got.stderr) < 3_900_000 || size != image.Pt(300, 200) {
				t.Errorf("%d bytes of stderr, size %v", len(got.stderr), size)
			}
		}},
		{FakeOptions{Width: 77, Height: 99}, func(t *testing.T, got result) {
			if size := jpegSize(t, got.out); size != image.Pt(77, 99) {
				t.Errorf("size %v, want 77×99", size)
			}
		}},
	} {
		t.Run(string(tt.options.Behaviour), func(t *testing.T) {
			t.Parallel()
			tt.check(t, run(t, FakeDarktable(t, tt.options)))
		})
	}
}

func TestFakeFollowsItsScript(t *testing.T) {
	t.Parallel()
	f := FakeDarktable(t, FakeOptions{Script: []Behaviour{Works, Fails, WritesNothing}})
	var got []bool
	for range 4 {
		a := run(t, f)
		_, err := os.Stat(a.out)
		got = append(got, a.err == nil, err == nil)
	}
	want := []bool{true, true, false, false, true, false, true, false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(status, file) of four calls (-want +got):\n%s", diff)
	}
}

func TestFakeHangs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		behaviour Behaviour
		signal    os.Signal
		left      int // processes alive after the signal to the leader
	}{
		{Hangs, syscall.SIGTERM, 0},
		{IgnoresTerm, syscall.SIGTERM, 2},
		{HangsInChild, syscall.SIGKILL, 1},
	} {
		t.Run(string(tt.behaviour), func(t *testing.T) {
			t.Parallel()
			f := FakeDarktable(t, FakeOptions{Behaviour: tt.behaviour})
			cmd := exec.Command(f.CLI, "x.dng", "x.jpg")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() { _ = cmd.Wait(); close(ended) }()
			processes := map[Behaviour]int{Hangs: 1, IgnoresTerm: 2, HangsInChild: 2}[tt.behaviour]
			WaitFor(t, "all processes to run", func() bool { return len(f.Running()) == processes })
			if err := cmd.Process.Signal(tt.signal); err != nil {
				t.Fatal(err)
			}
			if tt.behaviour == IgnoresTerm {
				// Meanwhile the signal would have ended it.
				if _, err := probe(f.CLI); err != nil {
					t.Fatal(err)
				}
			} else {
				<-ended
			}
			WaitFor(t, fmt.Sprintf("all processes but %d to end", tt.left), func() bool { return len(f.Running()) == tt.left })
		})
	}
}

func decodeJPEG(path string) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	m, _, err := image.Decode(f)
	return m, err
}

func jpegSize(t *testing.T, path string) image.Point {
	t.Helper()
	m, err := decodeJPEG(path)
	if err != nil {
		t.Fatal(err)
	}
	return m.Bounds().Size()
}

func BenchmarkFakeDarktable(b *testing.B) {
	f := FakeDarktable(b, FakeOptions{Behaviour: WritesNothing})
	for b.Loop() {
		if err := exec.Command(f.CLI, "x.dng", "x.jpg").Run(); err != nil {
			b.Fatal(err)
		}
	}
}
