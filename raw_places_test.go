package chemigram

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

// A raw that goes away between two verbs, comes back, or gives way to another file of its
// name, is said to be so by each verb that needs it, and nothing of the image is lost.
func TestARawGoesAwayAndComesBack(t *testing.T) {
	e, _ := openFake(t, testutil.FakeOptions{}, "a")
	apply(t, e, "exposure", 0.5)
	img, err := e.workspace.Image("a")
	if err != nil {
		t.Fatal(err)
	}
	raw := img.Raw.Path
	content, err := os.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	head := headHash(t, e)
	verbs := map[string]func() error{
		"render_preview": func() error {
			_, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "a", Size: 77})
			return err
		},
		"export_final": func() error {
			_, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a", Size: 78})
			return err
		},
		"export_sidecar": func() error {
			_, err := e.ExportSidecar(t.Context(), ExportSidecarParams{ImageID: "a", BesideRaw: true, Overwrite: true})
			return err
		},
		"image_stats": func() error {
			_, err := e.ImageStats(t.Context(), ImageStatsParams{ImageID: "a"})
			return err
		},
	}
	for _, c := range []struct {
		what  string
		spoil func() error
	}{
		{"gone", func() error { return os.Remove(raw) }},
		{"another file", func() error { return os.WriteFile(raw, []byte("another file, of another length"), 0o600) }},
		{"another of its length", func() error { return os.WriteFile(raw, []byte("for the fakE a")[:len(content)], 0o600) }},
		{"cut off", func() error { return os.Truncate(raw, 3) }},
		{"empty", func() error { return os.Truncate(raw, 0) }},
		{"a folder", func() error { return errors.Join(os.Remove(raw), os.Mkdir(raw, 0o700)) }},
	} {
		if err := c.spoil(); err != nil {
			t.Fatal(err)
		}
		for name, verb := range verbs {
			if err := verb(); !errors.Is(err, ErrState) {
				t.Errorf("%s, the raw being %s: %v, want a state_error", name, c.what, err)
			}
		}
		if got := headHash(t, e); got != head {
			t.Errorf("the raw being %s has changed the edit", c.what)
		}
		if err := errors.Join(os.RemoveAll(raw), os.WriteFile(raw, content, 0o600)); err != nil {
			t.Fatal(err)
		}
		for name, verb := range verbs {
			if err := verb(); err != nil {
				t.Errorf("%s, after the raw was %s and came back: %v", name, c.what, err)
			}
		}
	}

	// Another file of the name is an image of its own.
	if err := os.WriteFile(raw, []byte("another photograph"), 0o600); err != nil {
		t.Fatal(err)
	}
	res, err := e.Ingest(t.Context(), IngestParams{RawPath: raw})
	if err != nil || !res.Created || res.ImageID == "a" {
		t.Errorf("%+v, %v: want another image", res, err)
	}
	if got := headHash(t, e); got != head {
		t.Error("the other file has changed the edit")
	}
}

// A card that is pulled out while darktable reads from it is said to be so, whatever
// darktable says, and leaves no image; put in again, it is ingested.
func TestACardIsPulledOutWhileItIsRead(t *testing.T) {
	for _, behaviour := range []testutil.Behaviour{testutil.Works, testutil.Fails, testutil.WritesNothing} {
		for _, pull := range []string{"rm %q", ": > %q", "echo more >> %q"} {
			t.Run(fmt.Sprint(behaviour, " ", pull), func(t *testing.T) {
				e, raw, in := pulled(t, pull, behaviour, testutil.Works)
				content := []byte("a photograph")
				if err := errors.Join(os.WriteFile(raw, content, 0o600), os.WriteFile(in, nil, 0o600)); err != nil {
					t.Fatal(err)
				}
				_, err := e.Ingest(t.Context(), IngestParams{RawPath: raw})
				failure, _ := errors.AsType[*Error](err)
				if failure == nil || failure.Code != ErrState || !failure.Recoverable {
					t.Errorf("%v, want a state_error that can be recovered from", err)
				}
				if list, err := e.ListImages(t.Context(), ListImagesParams{}); err != nil || list.Total != 0 {
					t.Errorf("%d images are there, %v", list.Total, err)
				}
				if err := os.WriteFile(raw, content, 0o600); err != nil {
					t.Fatal(err)
				}
				if res, err := e.Ingest(t.Context(), IngestParams{RawPath: raw}); err != nil || !res.Created || res.ImageID != "a" {
					t.Errorf("put in again: %+v, %v", res, err)
				}
				if found, err := e.Verify(t.Context(), VerifyParams{}); err != nil || len(found.Findings) > 0 {
					t.Errorf("verify: %+v, %v", found.Findings, err)
				}
			})
		}
	}
}

// pulled is an engine whose darktable has a command of the shell run on a raw at its next
// call once there is a file in, and then does as the fake one.
func pulled(t *testing.T, command string, script ...testutil.Behaviour) (e *Engine, raw, in string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake darktable is a script of the shell")
	}
	packet := baseline.Packet("5.4.1")
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1", XMP: packet, Stderr: "can't open file", Script: script})
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	raw, in = filepath.Join(t.TempDir(), "a.dng"), filepath.Join(t.TempDir(), "in")
	cli := filepath.Join(t.TempDir(), "darktable-cli")
	text := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *--version*) ;; *) if [ -e %q ]; then rm %q; "+command+"; fi;; esac\nexec %q \"$@\"\n", in, in, raw, fake.CLI)
	if err := os.WriteFile(cli, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: cli, Workers: -1, Processes: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e, raw, in
}

// So are those that are pulled out while a picture is developed.
func TestACardIsPulledOutWhileAPictureIsDeveloped(t *testing.T) {
	for name, verb := range map[string]func(e *Engine) error{
		"render_preview": func(e *Engine) error {
			_, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "a", Size: 77})
			return err
		},
		"export_final": func(e *Engine) error {
			_, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a"})
			return err
		},
		"export_batch": func(e *Engine) error {
			res, err := e.ExportBatch(t.Context(), ExportBatchParams{Items: []ExportItem{{ImageID: "a"}}})
			if err == nil && res.Outcomes[0].ErrorCode != "" {
				err = &Error{Code: res.Outcomes[0].ErrorCode, Message: res.Outcomes[0].Error}
			}
			return err
		},
	} {
		e, raw, in := pulled(t, "rm %q", testutil.Works, testutil.Fails, testutil.Fails)
		content := []byte("a photograph")
		if err := os.WriteFile(raw, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw}); err != nil {
			t.Fatal(err)
		}
		head := headHash(t, e)
		if err := os.WriteFile(in, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := verb(e); !errors.Is(err, ErrState) {
			t.Errorf("%s: %v, want a state_error", name, err)
		}
		if err := os.WriteFile(raw, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := verb(e); errors.Is(err, ErrState) || headHash(t, e) != head {
			t.Errorf("%s, put in again: %v", name, err)
		}
	}
}
