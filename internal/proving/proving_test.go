package proving

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
	"github.com/chemigram/chemigram/xmp/iop"
)

func TestMain(m *testing.M) {
	os.Exit(testutil.RunTests(m, map[string]testutil.Work{"prove": proveUntilKilled}))
}

// steady is a move that a fake darktable, whose pictures are all grey, does: nothing.
// brighter is one that it does not do.
const (
	steady   = `{"name": "%s", "layer": "L1", "subject": "tone", "description": "Nothing to see.", "ops": [{"module": "exposure", "instance": "%[1]s", "set": {"exposure": 0.5}}], "claims": [{"measure": "luma_mean", "moves": "hold", "within": 1}]}`
	brighter = `{"name": "brighter", "layer": "L1", "subject": "tone", "description": "Brighter.", "ops": [{"module": "exposure", "instance": "brighter", "set": {"exposure": 1}}], "claims": [{"measure": "luma_mean", "moves": "up", "at_least": 2}]}`
)

// writePack writes a pack of these moves.
func writePack(t *testing.T, dir string, moves ...string) *vocab.Vocabulary {
	t.Helper()
	for name, text := range map[string]string{
		"pack.json":  `{"name": "trial", "version": "1.0.0", "description": "A trial.", "licence": "CC0-1.0", "author": "nobody"}`,
		"moves.json": "[" + strings.Join(moves, ",\n") + "]",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return loadPack(t, dir)
}

func loadPack(tb testing.TB, dir string) *vocab.Vocabulary {
	tb.Helper()
	words, failures := vocab.Load(vocab.Dir(dir))
	if err := errors.Join(failures...); err != nil {
		tb.Fatal(err)
	}
	return words
}

// open gives the proofs of a workspace, with a darktable and a vocabulary.
func open(root, cli string, words *vocab.Vocabulary, log *slog.Logger) (*Proofs, error) {
	w, err := workspace.Open(root, nil)
	if err != nil {
		return nil, err
	}
	none, _ := vocab.Load()
	p := New(Options{
		Workspace: w, Vocabulary: words, Shipped: none, Chemigram: "v0.0.0", Log: log,
		Darktable: func() (*render.Darktable, error) {
			return render.Find(testContext, &render.Options{Path: cli})
		},
		Release: func() (iop.Release, error) { return iop.ReleaseFor("5.4.1") },
	})
	p.paint = func(path string, scene vocab.Scene) error { return os.WriteFile(path, []byte(scene), 0o600) }
	return p, nil
}

func mustOpen(tb testing.TB, root, cli string, words *vocab.Vocabulary) (p *Proofs, log *bytes.Buffer) {
	tb.Helper()
	log = &bytes.Buffer{}
	p, err := open(root, cli, words, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		tb.Fatal(err)
	}
	return p, log
}

func mustProve(t *testing.T, p *Proofs, params Params) Outcome {
	t.Helper()
	out, err := p.Prove(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func entryOf(t *testing.T, words *vocab.Vocabulary, name string) *vocab.Entry {
	t.Helper()
	e, err := words.Entry(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// small is a darktable whose pictures are grey and quickly made.
var small = testutil.FakeOptions{Width: 36, Height: 24, PNG: grey()}

func grey() []byte {
	m := image.NewGray16(image.Rect(0, 0, 36, 24))
	for i := range m.Pix {
		m.Pix[i] = 0x80
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// What holds and what does not is kept, is not proven again, and is proven again when the
// move is another one.
func TestAProofIsKept(t *testing.T) {
	t.Parallel()
	fake, root, pack := testutil.FakeDarktable(t, small), filepath.Join(t.TempDir(), "w"), t.TempDir()
	words := writePack(t, pack, fmt.Sprintf(steady, "steady"), brighter)
	p, _ := mustOpen(t, root, fake.CLI, words)
	if state := p.States()(entryOf(t, words, "steady")); state != None || p.Any() {
		t.Errorf("before any proof it is %q", state)
	}
	var steps []Progress
	out := mustProve(t, p, Params{Report: func(now Progress) { steps = append(steps, now) }})
	if out.Total != 2 || out.Proven != 1 || out.Failed != 1 || out.Failures[0].Name != "brighter" {
		t.Errorf("%+v", out)
	}
	if len(steps) != 3 || steps[0].Done != 0 || steps[2].Done != 2 || steps[2].Total != 2 {
		t.Errorf("it reported %+v", steps)
	}
	for name, want := range map[string]State{"steady": Here, "brighter": Failed} {
		if got := p.States()(entryOf(t, words, name)); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	wantReport(t, out)

	// Another program knows it, too, and has nothing to do.
	calls := len(fake.Calls())
	again, _ := mustOpen(t, root, fake.CLI, words)
	if out := mustProve(t, again, Params{}); out.Proven != 1 || out.Failed != 1 || len(fake.Calls()) != calls {
		t.Errorf("again it is %+v after %d calls", out, len(fake.Calls())-calls)
	}
	if mustProve(t, again, Params{Entries: []string{"steady"}, Again: true}); len(fake.Calls()) == calls {
		t.Error("what was to be proven again was not")
	}

	// A move that was changed has no proof.
	words = writePack(t, pack, fmt.Sprintf(steady, "steady"), strings.Replace(brighter, `"up", "at_least": 2`, `"hold", "within": 1`, 1))
	changed, _ := mustOpen(t, root, fake.CLI, words)
	if state := changed.States()(entryOf(t, words, "brighter")); state != None {
		t.Errorf("the changed move is %q", state)
	}
	if err := changed.CheckEntry(entryOf(t, words, "brighter")); err != nil {
		t.Errorf("the changed move is refused: %v", err)
	}
	if out := mustProve(t, changed, Params{}); out.Proven != 2 || out.Failed != 0 {
		t.Errorf("the changed move: %+v", out)
	}
}

// wantReport looks at the page, the report and the pictures.
func wantReport(t *testing.T, out Outcome) {
	t.Helper()
	page, err := os.ReadFile(out.Page)
	if err != nil || !strings.Contains(string(page), "brighter failed") || !strings.Contains(string(page), out.Identity) {
		t.Errorf("the page: %v, %.200s", err, page)
	}
	text, err := os.ReadFile(out.Report)
	var made report
	if err == nil {
		err = json.Unmarshal(text, &made)
	}
	if err != nil || made.Failed != 1 || len(made.Proofs) != 2 || made.Proofs[0].Entry != "brighter" || made.Proofs[0].OK || made.Identity != out.Identity {
		t.Errorf("the report: %v, %+v", err, made)
		return
	}
	for _, proof := range made.Proofs {
		if _, err := render.Load(filepath.Join(filepath.Dir(out.Report), filepath.FromSlash(proof.Picture))); err != nil {
			t.Errorf("the picture of %s: %v", proof.Entry, err)
		}
	}
}

// A move that failed is refused with what was measured, unless it is allowed by name.
func TestWhatFailedIsRefused(t *testing.T) {
	t.Parallel()
	fake, root := testutil.FakeDarktable(t, small), filepath.Join(t.TempDir(), "w")
	words := writePack(t, t.TempDir(), fmt.Sprintf(steady, "steady"), brighter)
	p, _ := mustOpen(t, root, fake.CLI, words)
	mustProve(t, p, Params{})
	if err := p.CheckEntry(entryOf(t, words, "steady")); err != nil {
		t.Errorf("what holds is refused: %v", err)
	}
	err := p.CheckEntry(entryOf(t, words, "brighter"))
	refusal, ok := errors.AsType[*fault.Error](err)
	if !ok || refusal.Kind != fault.NotImplemented || refusal.Details["capability"] != "brighter" ||
		refusal.Details["requires"] != "a darktable on which this holds: claim luma_mean up by at least 2" ||
		!strings.Contains(refusal.Message, "darktable 5.4.1 failed: claim luma_mean up by at least 2: 53.6 became 53.6") || !strings.Contains(refusal.Message, "-allow-failed brighter") {
		t.Errorf("it is refused with %+v", err)
	}
	if says, ok := p.Summary(); ok || !strings.Contains(says, "1 of 2") || !strings.Contains(says, "brighter") {
		t.Errorf("the summary is %q, %v", says, ok)
	}
	p.Allowed = []string{"brighter"}
	if err := p.CheckEntry(entryOf(t, words, "brighter")); err != nil {
		t.Errorf("though it is allowed: %v", err)
	}
	if _, ok := p.Summary(); !ok {
		t.Error("what is allowed is still wrong")
	}

	// On another darktable it is not known to fail, and what held is proven elsewhere.
	other, _ := mustOpen(t, root, testutil.FakeDarktable(t, testutil.FakeOptions{Version: "4.2.1"}).CLI, words)
	if err := other.CheckEntry(entryOf(t, words, "brighter")); err != nil {
		t.Errorf("on another darktable: %v", err)
	}
	states := other.States()
	if a, b := states(entryOf(t, words, "steady")), states(entryOf(t, words, "brighter")); a != Elsewhere || b != None {
		t.Errorf("on another darktable they are %q and %q", a, b)
	}
}

// Lines that a crash has torn, or that others have written, are passed over.
func TestForeignLinesArePassedOver(t *testing.T) {
	t.Parallel()
	fake, root := testutil.FakeDarktable(t, small), filepath.Join(t.TempDir(), "w")
	words := writePack(t, t.TempDir(), fmt.Sprintf(steady, "steady"), brighter)
	p, _ := mustOpen(t, root, fake.CLI, words)
	out := mustProve(t, p, Params{})
	path := p.path(out.Identity, ".jsonl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	foreign := strings.ReplaceAll(lines[0], out.Identity, strings.Repeat("0", 64))
	long := `{"identity":"` + strings.Repeat("x", mostLine) + "\"}\n"
	hostile := "null\n[]\n" + lines[0][:len(lines[0])-1] + "{}\n" + strings.Replace(lines[0], `"ok":true`, `"ok":"no"`, 1) + foreign + long
	hostile += "{}\n" + text2(lines) // the last line is torn
	if err := os.WriteFile(path, []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	p, log := mustOpen(t, root, fake.CLI, words)
	states := p.States()
	if a, b := states(entryOf(t, words, "steady")), states(entryOf(t, words, "brighter")); a == None && b == None || a != None && b != None {
		t.Errorf("with one whole line they are %q and %q", a, b)
	}
	if !strings.Contains(log.String(), "passed over") {
		t.Errorf("nothing is logged: %s", log)
	}
	if out := mustProve(t, p, Params{}); out.Proven != 1 || out.Failed != 1 {
		t.Errorf("the torn one is not proven again: %+v", out)
	}
}

// text2 is the first line whole, and the second torn.
func text2(lines []string) string { return lines[0] + lines[1][:len(lines[1])/2] }

// A file that is no file of ours is not read without end.
func TestAHugeFileIsRefused(t *testing.T) {
	t.Parallel()
	fake, root := testutil.FakeDarktable(t, small), filepath.Join(t.TempDir(), "w")
	words := writePack(t, t.TempDir(), brighter)
	p, log := mustOpen(t, root, fake.CLI, words)
	if err := os.MkdirAll(filepath.Join(root, folder), 0o700); err != nil {
		t.Fatal(err)
	}
	path := p.path(p.identity(), ".jsonl")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, mostFile+1)); err != nil {
		t.Fatal(err)
	}
	if state := p.States()(entryOf(t, words, "brighter")); state != None || !strings.Contains(log.String(), "remove it") {
		t.Errorf("it is %q, %s", state, log)
	}
	if _, err := p.Prove(t.Context(), Params{}); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("prove says %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "chemigram.json"), path); err != nil {
		t.Skip(err)
	}
	if _, err := p.Prove(t.Context(), Params{}); !errors.Is(err, fault.Permission) {
		t.Errorf("through a link prove says %v", err)
	}
}

// A darktable that develops nothing leaves no proof, and the next run makes it.
func TestWhatCannotBeDevelopedIsNotProven(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "w")
	words := writePack(t, t.TempDir(), fmt.Sprintf(steady, "steady"), brighter)
	broken := small
	broken.Script = append(make([]testutil.Behaviour, 0, 3), testutil.Works, testutil.Works, testutil.Crashes)
	fake := testutil.FakeDarktable(t, broken)
	p, _ := mustOpen(t, root, fake.CLI, words)
	out, err := p.Prove(t.Context(), Params{})
	if err == nil || out.Missing != 2 || out.Failed != 0 {
		t.Errorf("%v, %+v", err, out)
	}
	if says, _ := p.Summary(); !strings.Contains(says, "ended early") {
		t.Errorf("the summary is %q", says)
	}
}

// A darktable that hangs is ended when its time for a picture is over.
func TestAPictureHasATimeLimit(t *testing.T) {
	t.Parallel()
	for name, script := range map[string][]testutil.Behaviour{
		"of the first": {testutil.HangsInChild},
		"of a move":    {testutil.Works, testutil.HangsInChild},
	} {
		o := small
		o.Script = script
		fake := testutil.FakeDarktable(t, o)
		p, _ := mustOpen(t, t.TempDir(), fake.CLI, writePack(t, t.TempDir(), fmt.Sprintf(steady, "a")))
		if _, err := p.Prove(t.Context(), Params{Limit: time.Second}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v, want that its time was over", name, err)
		}
		if left := fake.Running(); len(left) > 0 {
			t.Errorf("%s: processes %v are left", name, left)
		}
	}
}

func TestNumbersThatAreNone(t *testing.T) {
	t.Parallel()
	var r Record
	r.setFindings([]prove.Finding{{Check: "claim", Before: math.NaN(), After: math.Inf(1), Sweep: []float64{1, math.NaN()}}})
	text, err := json.Marshal(r)
	var back Record
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || !math.IsNaN(float64(back.Findings[0].Before)) || back.Findings[0].Sweep[0] != 1 {
		t.Errorf("%v, %s", err, text)
	}
}

func FuzzRecord(f *testing.F) {
	identity := strings.Repeat("a", 64)
	f.Add([]byte(`{"identity":"` + identity + `","entry":"x","digest":"` + identity + `","findings":[{"check":"claim","before":null,"after":1,"ok":true}]}`))
	f.Add([]byte(`{"identity":"` + identity + `","mask":"x","digest":"` + identity + `","skipped":"needs 5.4"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := decode(line, identity)
		if err != nil {
			return
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if again, err := decode(text, identity); err != nil || again.subject() != r.subject() {
			t.Errorf("written again it is %v, %v", again, err)
		}
	})
}
