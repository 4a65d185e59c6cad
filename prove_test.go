package chemigram

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

// openGrey opens an engine on a darktable whose pictures are all grey, so that no proof of
// a shipped move holds.
func openGrey(t *testing.T, opts Options) *Engine {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	var grey bytes.Buffer
	if err := png.Encode(&grey, image.NewGray16(image.Rect(0, 0, 36, 24))); err != nil {
		t.Fatal(err)
	}
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{PNG: grey.Bytes()})
	if opts.Workspace == "" {
		opts.Workspace = filepath.Join(t.TempDir(), "workspace")
	}
	opts.Darktable, opts.Workers = fake.CLI, -1
	e, err := Open(t.Context(), &opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// provenOf is what list_vocabulary says of a move.
func provenOf(t *testing.T, e *Engine, name string) string {
	t.Helper()
	found, err := e.ListVocabulary(t.Context(), ListVocabularyParams{Query: name, Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, move := range found.Entries {
		if move.Name == name {
			return move.Proven
		}
	}
	t.Fatalf("%s is not found", name)
	return ""
}

func proofOf(t *testing.T, e *Engine) (f HealthFinding, ok bool) {
	t.Helper()
	health, err := e.HealthCheck(t.Context(), HealthCheckParams{})
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range health.Checks {
		if check.Name == "proof" {
			return check, true
		}
	}
	return HealthFinding{}, false
}

// A move whose proof fails on the installed darktable is called so, and refused by every
// verb that applies it, unless the engine allows it by name.
func TestAMoveThatFailsItsProofIsRefused(t *testing.T) {
	ctx := t.Context()
	e := openGrey(t, Options{})
	add(t, e, "a", "5.4.1")
	if was, ok := proofOf(t, e); ok || provenOf(t, e, "exposure") != "" {
		t.Errorf("before any proof health_check says %+v", was)
	}
	var steps []string
	reporting := WithProgress(ctx, func(_, _ int, what string) { steps = append(steps, what) })
	res, err := e.Prove(reporting, ProveParams{Entries: []string{"exposure", "clarity"}, Masks: []string{"highlights"}})
	if err != nil || len(res.Failures) != 3 || res.Missing != res.Total-3 || res.Proven != 0 {
		t.Fatalf("%v, %+v", err, res)
	}
	if len(steps) != 4 || !strings.Contains(strings.Join(steps, "\n"), "exposure FAILED: claim ") {
		t.Errorf("it reported %q", steps)
	}
	for _, path := range []string{res.Page, res.Report} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	for name, want := range map[string]string{"exposure": "failed here", "contrast": "elsewhere"} {
		if got := provenOf(t, e, name); got != want {
			t.Errorf("list_vocabulary says of %s %q, want %q", name, got, want)
		}
	}
	if f, ok := proofOf(t, e); !ok || f.OK || !strings.Contains(f.Message, "3 failed") || !strings.Contains(f.Message, "the mask highlights") {
		t.Errorf("health_check says %+v", f)
	}

	up := 0.5
	contrast, exposure := ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "contrast"}, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &up}
	_, err = e.ApplyPrimitive(ctx, exposure)
	refusal := AsError(err)
	if !errors.Is(err, ErrNotImplemented) || refusal.Details["capability"] != "exposure" || refusal.Details["requires"] == "" ||
		!strings.Contains(refusal.Message, "darktable 5.4.1 failed: claim ") || !strings.Contains(refusal.Message, " became ") {
		t.Errorf("it is refused with %v, %v", err, refusal.Details)
	}
	masked := contrast
	masked.Mask = &Mask{Name: "highlights"}
	if _, err := e.ApplyPrimitive(ctx, masked); !errors.Is(err, ErrNotImplemented) {
		t.Errorf("within a mask that failed: %v", err)
	}
	if _, err := e.ApplyPrimitive(ctx, contrast); err != nil {
		t.Errorf("what did not fail: %v", err)
	}
	none := exposure
	none.Strength = new(Strength)
	if _, err := e.ApplyPrimitive(ctx, none); err != nil {
		t.Errorf("to take it back: %v", err)
	}
	allowing := openAgain(t, e, Options{AllowFailed: []string{"exposure"}})
	if _, err := allowing.ApplyPrimitive(ctx, exposure); err != nil {
		t.Errorf("though it is allowed: %v", err)
	}
}

// openAgain opens the workspace of an engine with the same darktable.
func openAgain(t *testing.T, e *Engine, opts Options) *Engine {
	t.Helper()
	opts.Workspace, opts.Darktable, opts.Workers = e.WorkspaceDir(), e.darktable.Path(), -1
	second, err := Open(t.Context(), &opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = second.Close() })
	return second
}

// A proof in the background goes on by itself, is alone, and ends with the engine; what it
// has left goes on in the next.
func TestAProofInTheBackground(t *testing.T) {
	ctx := t.Context()
	e := openGrey(t, Options{})
	res, err := e.Prove(ctx, ProveParams{Background: true})
	if err != nil || res.Page != "" || res.Missing != res.Total {
		t.Fatalf("%v, %+v", err, res)
	}
	if f, _ := proofOf(t, e); !strings.Contains(f.Message, "a proof is running: ") {
		t.Errorf("health_check says %+v", f)
	}
	other := openAgain(t, e, Options{})
	if _, err := other.Prove(ctx, ProveParams{}); !errors.Is(err, ErrState) {
		t.Errorf("a second proof at once: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if res, err := other.Prove(ctx, ProveParams{Entries: []string{"exposure"}}); err != nil || len(res.Failures) == 0 {
		t.Errorf("once the first has ended: %v, %+v", err, res)
	}
	reader := openAgain(t, other, Options{ReadOnly: true})
	if _, err := reader.Prove(ctx, ProveParams{}); !errors.Is(err, ErrPermission) {
		t.Errorf("a read-only engine: %v", err)
	}
	for _, p := range []ProveParams{{Entries: []string{"exposre"}}, {Masks: []string{"hilights"}}} {
		if _, err := other.Prove(ctx, p); !errors.Is(err, ErrNotFound) || AsError(err).Details["suggestions"] == nil {
			t.Errorf("an unknown name: %v", err)
		}
	}
}

// On a real darktable shipped moves and masks hold.
func TestAMoveIsProvenOnThisDarktable(t *testing.T) {
	dt := testutil.AnyDarktable(t)
	e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "w"), Darktable: dt.CLI, Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	res, err := e.Prove(t.Context(), ProveParams{Entries: []string{"exposure"}})
	if err != nil || res.Proven != 1 || len(res.Failures) != 0 || res.Darktable != dt.Name {
		t.Fatalf("%v, %+v", err, res)
	}
	if got := provenOf(t, e, "exposure"); got != "here" {
		t.Errorf("exposure is proven %q", got)
	}
	if _, err := os.Stat(filepath.Join(strings.TrimSuffix(res.Page, ".html"), "move-exposure.jpg")); err != nil {
		t.Error(err)
	}
	if f, _ := proofOf(t, e); !f.OK {
		t.Errorf("health_check says %+v", f)
	}
}
