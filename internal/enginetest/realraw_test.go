package enginetest

import (
	"bytes"
	"context"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/render"
)

// canon is a raw of a camera, through Adobe's converter: darktable 5.4 cannot add its
// history to the packet that the raw has.
func canon(t *testing.T) string { return testutil.SharedData(t, "raws", "canon_eos_6d.dng") }

// openOn opens an engine on a darktable, in a new workspace.
func openOn(t *testing.T, dt testutil.Darktable) *chemigram.Engine {
	t.Helper()
	testutil.AcquireDarktable(t)
	root := t.TempDir()
	e, err := chemigram.Open(t.Context(), &chemigram.Options{
		Workspace: root, Darktable: dt.CLI, Processes: 1, Workers: 1, Tastes: filepath.Join(root, "tastes"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// copyFile copies a file to a path.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	r, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	w, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, r); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Every verb does what it does on a raw of a camera.
func TestEveryVerbWorksOnARealRaw(t *testing.T) {
	raw := canon(t)
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		dir := t.TempDir()
		for _, name := range []string{"raws", "kept"} {
			if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		e := openOn(t, dt)
		for _, id := range soakImages {
			copyFile(t, raw, soakRaw(dir, id))
			res, err := e.Ingest(t.Context(), chemigram.IngestParams{RawPath: soakRaw(dir, id), ImageID: id})
			if err != nil {
				t.Fatal(err)
			}
			if got := res.EXIFSummary; got.Model != "Canon EOS 6D" || got.LensModel == "" || got.Width == 0 || got.Height == 0 {
				t.Errorf("it says of itself %+v", got)
			}
		}
		list, err := e.ListVocabulary(t.Context(), chemigram.ListVocabularyParams{Layer: "L2", Limit: 500, AvailableOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		s := &soaker{
			Engine: e, ctx: t.Context(), dir: dir, label: "0-0", r: rand.New(rand.NewPCG(18, 0)),
			looks: []string{list.Entries[0].Name}, tell: func(ack) error { return nil }, kept: map[string]int{},
		}
		done, last := map[string]bool{}, map[string]string{}
		again := []string{"Undo", "Undo", "Undo", "Undo", "Undo", "Undo"} // so that there is something to redo
		for range 20 {                                                    // some need what others made, or draw what is not there
			if len(done) == len(soakVerbs) && !slices.Contains(slices.Collect(maps.Values(done)), false) {
				break
			}
			for _, s.verb = range slices.Concat(again, slices.Sorted(maps.Keys(soakVerbs))) {
				if done[s.verb] && s.verb != "Undo" {
					continue
				}
				if s.verb == "RestoreImage" { // its image may have come back by Ingest
					_ = soakVerbs["DeleteImage"](s)
				}
				told := s.ended(soakVerbs[s.verb](s))
				done[s.verb], last[s.verb] = done[s.verb] || told.Message == "", told.Message
				if told.Message != "" && !expected(told) {
					t.Errorf("%s: %s %s", told.Verb, told.Code, told.Message)
				}
			}
		}
		for verb := range soakVerbs {
			if !done[verb] {
				t.Errorf("%s never did what it does; the last time it said: %s", verb, last[verb])
			}
		}
	})
}

// What the engine exports of a raw of a camera has the pixels of darktable's own
// development, and carries the history and the stamp, in every format that can.
func TestARealRawLooksAsDarktableDevelopsIt(t *testing.T) {
	raw := canon(t)
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e := openOn(t, dt)
		if _, err := e.Ingest(t.Context(), chemigram.IngestParams{RawPath: raw, ImageID: "c"}); err != nil {
			t.Fatal(err)
		}
		own := filepath.Join(t.TempDir(), "own.png")
		core := t.TempDir()
		cmd := exec.CommandContext(t.Context(), dt.CLI, raw, own, "--hq", "true", "--apply-custom-presets", "false", "--icc-type", "SRGB",
			"--core", "--configdir", core, "--cachedir", core, "--tmpdir", core, "--library", ":memory:", "--disable-opencl", "--conf", "write_sidecar_files=never")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		want := loadPicture(t, own)
		for _, format := range []chemigram.Format{"png", "jpeg", "tiff", "webp"} {
			path := exported(t.Context(), t, e, chemigram.ExportFinalParams{ImageID: "c", Format: format})
			if format == "png" {
				if d, err := pixel.Compare(want, loadPicture(t, path)); err != nil || d.Max != 0 {
					t.Errorf("the export differs from darktable's own: %+v, %v", d, err)
				}
			}
			checkCarries(t, path, true)
			checkCarries(t, exported(t.Context(), t, e, chemigram.ExportFinalParams{ImageID: "c", Format: format, Size: 64, Metadata: "strip_location"}), true)
			checkCarries(t, exported(t.Context(), t, e, chemigram.ExportFinalParams{ImageID: "c", Format: format, Size: 64, Metadata: "strip_all"}), false)
		}
	})
}

func exported(ctx context.Context, t *testing.T, e *chemigram.Engine, p chemigram.ExportFinalParams) (path string) {
	t.Helper()
	res, err := e.ExportFinal(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	return res.OutputPath
}

func loadPicture(t *testing.T, path string) *pixel.Image {
	t.Helper()
	m, err := pixel.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// checkCarries asks whether a picture carries the history and the stamp, or nothing
// of either.
func checkCarries(t *testing.T, path string, want bool) {
	t.Helper()
	_, stamp, err := render.InspectStamp(path)
	if err != nil || (stamp.State != "") != want {
		t.Errorf("%s: the stamp is %+v, %v; want one: %v", path, stamp, err, want)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if has := bytes.Contains(data, []byte("darktable:history")) && bytes.Contains(data, []byte(`"colorin"`)); has != want {
		t.Errorf("%s: the history is there: %v, want %v", path, has, want)
	}
	if !want && bytes.Contains(data, []byte("EF24-105mm")) {
		t.Errorf("%s: the lens is there", path)
	}
}
