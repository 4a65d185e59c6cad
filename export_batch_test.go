package chemigram

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

// openFake opens an engine on a fake darktable, with images of these ids.
func openFake(t *testing.T, fake testutil.FakeOptions, ids ...ImageID) (*Engine, *testutil.Fake) {
	t.Helper()
	packet := baseline.Packet("5.4.1")
	end := []byte("<?xpacket end=") // before it is room in a picture's packet
	fake.Version, fake.XMP = "5.4.1", bytes.Replace(packet, end, append(bytes.Repeat([]byte(" "), 1000), end...), 1)
	f := testutil.FakeDarktable(t, fake)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: f.CLI, Workers: -1, Processes: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for _, id := range ids {
		raw := filepath.Join(t.TempDir(), string(id)+".dng")
		if err := os.WriteFile(raw, []byte("for the fake "+id), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw}); err != nil {
			t.Fatal(err)
		}
	}
	return e, f
}

// became is what became of each item, in short.
func became(res ExportBatchResult) (all []string) {
	for _, o := range res.Outcomes {
		switch {
		case o.ErrorCode != "":
			all = append(all, fmt.Sprintf("%s %s", o.ImageID, o.ErrorCode))
		case o.Skipped:
			all = append(all, fmt.Sprintf("%s skipped %dx%d", o.ImageID, o.Width, o.Height))
		default:
			all = append(all, fmt.Sprintf("%s exported %dx%d", o.ImageID, o.Width, o.Height))
		}
	}
	return all
}

func TestABatchThatIsRepeatedDoesTheRest(t *testing.T) {
	e, _ := openFake(t, testutil.FakeOptions{Width: 90, Height: 60}, "a", "b")
	apply(t, e, "exposure", 1)
	p := ExportBatchParams{
		Size: 100, OutputDir: t.TempDir(),
		Items: []ExportItem{{ImageID: "a"}, {ImageID: "a", RefOrHash: "HEAD~1"}, {ImageID: "nobody"}},
	}
	var steps []string
	ctx := WithProgress(t.Context(), func(done, total int, what string) { steps = append(steps, fmt.Sprintf("%d/%d %s", done, total, what)) })
	res, err := e.ExportBatch(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a exported 90x60", "a exported 90x60", "nobody not_found"}, became(res)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"0/3 planned", "1/3 nobody: failed", "2/3 a: exported", "3/3 a: exported"}, steps); diff != "" {
		t.Error(diff)
	}

	p.Items, p.Choose = p.Items[:2], &ListImagesParams{}
	if res, err = e.ExportBatch(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	want := ExportBatchResult{Exported: 1, Skipped: 2, Chosen: 2, Outcomes: res.Outcomes}
	if diff := cmp.Diff(want, res); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a skipped 90x60", "a skipped 90x60", "b exported 90x60"}, became(res)); diff != "" {
		t.Error(diff)
	}
	for _, p := range []ExportBatchParams{{}, {Items: []ExportItem{{ImageID: "a"}, {ImageID: "a"}}}} {
		if _, err := e.ExportBatch(t.Context(), p); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("%+v: %v, want invalid_input", p, err)
		}
	}
}

func TestABatchNeitherTrustsNorOverwritesAnotherFile(t *testing.T) {
	e, fake := openFake(t, testutil.FakeOptions{}, "a")
	p := ExportBatchParams{Size: 100, OutputDir: t.TempDir(), Items: []ExportItem{{ImageID: "a"}}}
	res, err := e.ExportBatch(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	path := res.Outcomes[0].OutputPath
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	calls := len(fake.Calls())
	state := res.Outcomes[0].StateHash
	for name, content := range map[string]string{
		"torn":          string(whole[:len(whole)/2]),
		"of another":    strings.Replace(string(whole), `chemigram:state="`+state, `chemigram:state="`+strings.Repeat("0", 64), 1),
		"not a picture": "my notes",
	} {
		if content == string(whole) {
			t.Fatal("the fake's file carries no state")
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		res, err := e.ExportBatch(t.Context(), p)
		if err != nil || res.Failed != 1 || res.Outcomes[0].ErrorCode != ErrState || !strings.Contains(res.Outcomes[0].Error, path) {
			t.Errorf("%s: %+v, %v; want a state_error that names the file", name, res, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("%s: it was overwritten (%v)", name, err)
		}
	}
	if n := len(fake.Calls()); n != calls {
		t.Errorf("darktable was started %d times for nothing", n-calls)
	}
}

func TestAnEndedBatchTellsWhatIsDone(t *testing.T) {
	for name, end := range map[string]func(e *Engine, cancel func()){
		"cancelled":         func(_ *Engine, cancel func()) { cancel() },
		"the engine closed": func(e *Engine, _ func()) { e.cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			e, fake := openFake(t, testutil.FakeOptions{
				Script: []testutil.Behaviour{testutil.Works, testutil.Works, testutil.Works, testutil.HangsInChild},
			}, "a", "b")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p := ExportBatchParams{Size: 100, OutputDir: t.TempDir(), Items: []ExportItem{{ImageID: "a"}}}
			if _, err := e.ExportBatch(ctx, p); err != nil {
				t.Fatal(err)
			}
			p.Items = append(p.Items, ExportItem{ImageID: "b"})
			ctx = WithProgress(ctx, func(done, _ int, _ string) {
				if done == 1 { // the first is there; the other is next
					end(e, cancel)
				}
			})
			res, err := e.ExportBatch(ctx, p)
			if !errors.Is(err, ErrState) || !errors.Is(err, context.Canceled) {
				t.Errorf("err = %v, want a state_error that says cancelled", err)
			}
			if res.Skipped != 1 || res.Failed != 1 || res.Outcomes[1].ImageID != "b" || res.Outcomes[1].OutputPath != "" && len(fake.Running()) > 0 {
				t.Errorf("%+v", res)
			}
		})
	}
}

func TestMetadataOfAnExport(t *testing.T) {
	e, _ := openFake(t, testutil.FakeOptions{}, "a")
	for _, m := range []Metadata{"", "keep", "strip_location", "strip_all"} {
		res, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a", Size: 100, Metadata: m})
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(res.OutputPath)
		if err != nil || strings.Contains(string(data), res.StateHash) != (m != "strip_all") {
			t.Errorf("%s: the state is or is not in the file (%v)", m, err)
		}
	}
}

// reingest deletes the image "a" and ingests another raw of the same name and size
// under its id.
func reingest(t *testing.T, e *Engine) {
	t.Helper()
	if _, err := e.DeleteImage(t.Context(), DeleteImageParams{ImageID: "a", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	raw := filepath.Join(t.TempDir(), "a.dng")
	if err := os.WriteFile(raw, []byte("for the fake b"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: "a"}); err != nil {
		t.Fatal(err)
	}
}

// Files of another raw under the same id, or of another build of darktable, are
// neither taken for the batch's own nor touched, with and without a stamp in them.
func TestABatchTellsFilesOfOtherSourcesApart(t *testing.T) {
	for name, other := range map[string]func(t *testing.T, e *Engine, fake *testutil.Fake) *Engine{
		"another raw under the id": func(t *testing.T, e *Engine, _ *testutil.Fake) *Engine { reingest(t, e); return e },
		"another workspace": func(t *testing.T, _ *Engine, fake *testutil.Fake) *Engine {
			e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: fake.CLI, Workers: -1, Processes: 1})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = e.Close() })
			raw := filepath.Join(t.TempDir(), "a.dng")
			if err := os.WriteFile(raw, []byte("for the fake b"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: "a"}); err != nil {
				t.Fatal(err)
			}
			return e
		},
		"another build of darktable": func(t *testing.T, e *Engine, fake *testutil.Fake) *Engine { rebuild(t, fake); return e },
	} {
		for _, metadata := range []Metadata{"keep", "strip_all"} {
			t.Run(name+" "+string(metadata), func(t *testing.T) {
				e, fake := openFake(t, testutil.FakeOptions{}, "a")
				p := ExportBatchParams{Size: 100, OutputDir: t.TempDir(), Metadata: metadata, Items: []ExportItem{{ImageID: "a"}}}
				first, err := e.ExportBatch(t.Context(), p)
				if err != nil || first.Exported != 1 {
					t.Fatalf("%+v, %v", first, err)
				}
				before := fingerprint(t, first.Outcomes[0].OutputPath)
				e = other(t, e, fake)
				second, err := e.ExportBatch(t.Context(), p)
				if err != nil || second.Exported != 1 || second.Outcomes[0].OutputPath == first.Outcomes[0].OutputPath {
					t.Errorf("%+v, %v, want another file", second, err)
				}
				if second.Outcomes[0].StateHash != first.Outcomes[0].StateHash {
					t.Error("the looks differ, and the test says nothing")
				}
				if fingerprint(t, first.Outcomes[0].OutputPath) != before {
					t.Error("the first file was touched")
				}
				if again, err := e.ExportBatch(t.Context(), p); err != nil || again.Skipped != 1 {
					t.Errorf("once more: %+v, %v", again, err)
				}
			})
		}
	}
}

// A file that was put under another's name is told by its stamp.
func TestABatchReadsTheStampOfAFile(t *testing.T) {
	e, fake := openFake(t, testutil.FakeOptions{}, "a")
	p := ExportBatchParams{Size: 100, OutputDir: t.TempDir(), Items: []ExportItem{{ImageID: "a"}}}
	first, err := e.ExportBatch(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(){"raw": func() { reingest(t, e) }, "darktable": func() { rebuild(t, fake) }} {
		change()
		second, err := e.ExportBatch(t.Context(), p)
		if err != nil || second.Exported != 1 {
			t.Fatalf("%+v, %v", second, err)
		}
		if err := os.Rename(first.Outcomes[0].OutputPath, second.Outcomes[0].OutputPath); err != nil {
			t.Fatal(err)
		}
		third, err := e.ExportBatch(t.Context(), p)
		if err != nil || third.Failed != 1 || third.Outcomes[0].ErrorCode != ErrState {
			t.Errorf("another %s: %+v, %v, want a state_error", name, third, err)
		}
		if err := os.Rename(second.Outcomes[0].OutputPath, first.Outcomes[0].OutputPath); err != nil {
			t.Fatal(err)
		}
	}
}

// What an export cannot be is told of the argument that asks for it.
func TestARefusedExportPointsAtItsArgument(t *testing.T) {
	e, _ := openFake(t, testutil.FakeOptions{}, "a")
	file := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		params ExportFinalParams
		want   string
	}{
		"jpeg in 16 bits":      {ExportFinalParams{Format: "jpeg", BitDepth: 16}, "/bit_depth"},
		"png in 32 bits":       {ExportFinalParams{Format: "png", BitDepth: 32}, "/bit_depth"},
		"into a file":          {ExportFinalParams{OutputDir: file}, "/output_dir"},
		"into a file's folder": {ExportFinalParams{OutputDir: filepath.Join(file, "x", "y")}, "/output_dir"},
	} {
		c.params.ImageID = "a"
		_, err := e.ExportFinal(t.Context(), c.params)
		found, _ := AsError(err).Details["violations"].([]Violation)
		if !errors.Is(err, ErrInvalidInput) || len(found) != 1 || found[0].Pointer != c.want {
			t.Errorf("%s: %v, violations %+v; want one at %q", name, err, found, c.want)
		}
	}
}
