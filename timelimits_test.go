package chemigram

import (
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/internal/timelimit"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// hanging are calls with which each verb that may run darktable has to run it, on the
// workspace of framedWorkspace. Every verb from which code is reached that develops is
// here: see TestEveryVerbThatMayRunDarktableHasATimeLimit.
var hanging = map[string]func(context.Context, *Engine, TimeoutSeconds) error{
	"Ingest": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.Ingest(ctx, IngestParams{RawPath: filepath.Join(filepath.Dir(e.WorkspaceDir()), "b.dng"), TimeoutSeconds: limit})
		return err
	},
	"Replay": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		sessions, err := e.ListTranscripts(ctx, ListTranscriptsParams{})
		if err != nil {
			return err
		}
		_, err = e.Replay(ctx, ReplayParams{SessionID: sessions.Transcripts[0].SessionID, ImageID: "a", TimeoutSeconds: limit})
		return err
	},
	"RenderPreview": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.RenderPreview(ctx, RenderPreviewParams{ImageID: "a", TimeoutSeconds: limit})
		return err
	},
	"RenderVariants": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.RenderVariants(ctx, RenderVariantsParams{ImageID: "a", PrimitiveName: "exposure", Values: []float64{0, 1}, TimeoutSeconds: limit})
		return err
	},
	"Compare": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.Compare(ctx, CompareParams{ImageID: "a", HashA: "HEAD", HashB: "cropped", TimeoutSeconds: limit})
		return err
	},
	"Prove": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.Prove(ctx, ProveParams{Entries: []string{"exposure"}, TimeoutSeconds: limit})
		return err
	},
	"SuggestStart": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.SuggestStart(ctx, SuggestStartParams{ImageID: "a", TimeoutSeconds: limit})
		return err
	},
	"ImageStats": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.ImageStats(ctx, ImageStatsParams{ImageID: "a", TimeoutSeconds: limit})
		return err
	},
	"ExportFinal": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.ExportFinal(ctx, ExportFinalParams{ImageID: "a", TimeoutSeconds: limit})
		return err
	},
	"ExportBatch": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		res, err := e.ExportBatch(ctx, ExportBatchParams{Items: []ExportItem{{ImageID: "a"}}, Size: 64, Sharpen: 1, TimeoutSeconds: limit})
		if err != nil {
			return err
		}
		return outcomeError(res.Outcomes[0].ErrorCode, res.Outcomes[0].Error)
	},
	"MatchExposure": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.MatchExposure(ctx, MatchExposureParams{ImageID: "a", Targets: []ImageID{"c"}, TimeoutSeconds: limit})
		return err
	},
	"MatchReference": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.MatchReference(ctx, MatchReferenceParams{ImageID: "c", Reference: "a", TimeoutSeconds: limit})
		return err
	},
	"MatchSeries": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.MatchSeries(ctx, MatchSeriesParams{ImageIDs: []ImageID{"c"}, Reference: "a", TimeoutSeconds: limit})
		return err
	},
	"PreviewMask": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.PreviewMask(ctx, PreviewMaskParams{ImageID: "a", Mask: circle, TimeoutSeconds: limit})
		return err
	},
	"WBFromPoint": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.WBFromPoint(ctx, WBFromPointParams{ImageID: "a", X: 0.5, Y: 0.5, TimeoutSeconds: limit})
		return err
	},
	"ApplyPrimitive": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Mask: &circle, TimeoutSeconds: limit})
		return err
	},
	"ApplyPerRegion": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.ApplyPerRegion(ctx, ApplyPerRegionParams{ImageID: "a", PrimitiveName: "exposure", Regions: []RegionMove{{Mask: circle}}, TimeoutSeconds: limit})
		return err
	},
	"ApplySpot": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.ApplySpot(ctx, ApplySpotParams{ImageID: "a", X: new(Fraction(0.5)), Y: new(Fraction(0.5)), Radius: 0.02, TimeoutSeconds: limit})
		return err
	},
	// The crop keeps its proportions when what comes before it changes the frame.
	"SetParameters": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.SetParameters(ctx, SetParametersParams{
			ImageID: "a", ModuleName: "ashift", Fields: []FieldSetting{{"rotation", "3"}}, TimeoutSeconds: limit,
		})
		return err
	},
	"RemoveModule": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.RemoveModule(ctx, RemoveModuleParams{ImageID: "a", ModuleName: "ashift", TimeoutSeconds: limit})
		return err
	},
	"BindLayers": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.BindLayers(ctx, BindLayersParams{ImageID: "a", L1Template: "prepare_lens_correction", TimeoutSeconds: limit})
		return err
	},
	"Reset": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.Reset(ctx, ResetParams{ImageID: "bound", TimeoutSeconds: limit})
		return err
	},
	"Merge": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.Merge(ctx, MergeParams{ImageID: "c", RefOrHash: "turned", TimeoutSeconds: limit})
		return err
	},
	"Pull": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		if limit < 1 || limit > 3600 {
			_, err := e.Pull(ctx, PullParams{ImageID: "c", TimeoutSeconds: limit})
			return err
		}
		_, err := e.Merge(ctx, MergeParams{ImageID: "c", RefOrHash: "turned", TimeoutSeconds: limit}) // what it does, after a fetch
		return err
	},
	"CherryPick": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.CherryPick(ctx, CherryPickParams{ImageID: "c", Event: "turned", TimeoutSeconds: limit})
		return err
	},
	"ImportSidecar": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.ImportSidecar(ctx, ImportSidecarParams{ImageID: "plain", Path: filepath.Join(e.WorkspaceDir(), "framed.xmp"), TimeoutSeconds: limit})
		return err
	},
	"Diff": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.Diff(ctx, DiffParams{ImageID: "a", HashA: "baseline", HashB: "HEAD", TimeoutSeconds: limit})
		return err
	},
	"DescribeState": func(ctx context.Context, e *Engine, limit TimeoutSeconds) error {
		_, err := e.DescribeState(ctx, DescribeStateParams{ImageID: "a", TimeoutSeconds: limit})
		return err
	},
}

var circle = Mask{Shapes: []MaskShape{{Kind: "circle", Radius: 0.2}}}

// answering are the verbs that answer without what they would have measured, when
// darktable's time is over.
var answering = []string{"Diff", "DescribeState"}

// neverRuns are verbs from which code that develops can be reached and never is, and why.
var neverRuns = map[string]string{
	"PropagateState": "it leaves the frame of every picture as it is, and masks move by what EXIF says",
}

func outcomeError(code Code, message string) error {
	if code == "" {
		return nil
	}
	return &Error{Code: code, Message: message}
}

// framedWorkspace is a workspace in which every verb that may run darktable has a reason
// to: moves that depend on the frame's proportions, masks, and a transcript.
func framedWorkspace(t *testing.T) (dir string) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir = t.TempDir()
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1", XMP: baseline.Packet("5.4.1")})
	e, err := Open(t.Context(), &Options{Workspace: filepath.Join(dir, "workspace"), Darktable: fake.CLI, Workers: -1, Packs: []string{squarePack(t)}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	// The fake's pictures measure no frame.
	move := func(id ImageID, name string) {
		t.Helper()
		img, err := e.image(id)
		must(err)
		now, err := e.start(t.Context(), img, "")
		must(err)
		now.Size = func(context.Context, *xmp.Sidecar) (mask.Size, error) {
			return mask.Size{Width: 3000, Height: 2000}, nil
		}
		entry, err := e.vocabulary.Entry(name)
		must(err)
		look, _, err := now.Apply(t.Context(), entry, vocab.Application{}, nil)
		must(err)
		_, _, err = img.Commit(t.Context(), look, versioning.Change{Op: "apply_primitive", Entry: name})
		must(err)
	}
	raw := func(name string) string {
		file := filepath.Join(dir, name+".dng")
		must(os.WriteFile(file, []byte("the raw "+name), 0o600))
		return file
	}
	raw("b")
	for _, id := range []string{"a", "c", "bound", "plain"} {
		_, err := e.Ingest(t.Context(), IngestParams{RawPath: raw(id)})
		must(err)
	}
	putMasked(t, e, "part", "1", 0.3)
	session, err := e.BeginSession(t.Context(), nil)
	must(err)
	p := ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "contrast"}
	said, err := json.Marshal(p)
	must(err)
	session.Call(t.Context(), "apply_primitive", said)(e.ApplyPrimitive(t.Context(), p))
	must(session.End())
	move("a", "crop_4_5")
	_, err = e.Tag(t.Context(), TagParams{ImageID: "a", Name: "cropped"})
	must(err)
	move("a", "straighten")
	written, err := e.ExportSidecar(t.Context(), ExportSidecarParams{ImageID: "a"})
	must(err)
	must(os.Rename(written.OutputPath, filepath.Join(dir, "workspace", "framed.xmp")))

	_, err = e.Branch(t.Context(), BranchParams{ImageID: "c", Name: "turned"})
	must(err)
	_, err = e.Checkout(t.Context(), CheckoutParams{ImageID: "c", RefOrHash: "turned"})
	must(err)
	move("c", "straighten")
	_, err = e.Checkout(t.Context(), CheckoutParams{ImageID: "c", RefOrHash: "main"})
	must(err)
	move("c", "crop_4_5")

	move("bound", "square")
	move("bound", "straighten")
	return dir
}

// squarePack is a pack with a technical template that depends on the frame.
func squarePack(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"pack.json": `{"name": "square", "version": "1.0.0", "description": "a camera with a square finder"}`,
		"l1.json": `[{"name": "square", "layer": "L1", "subject": "frame", "description": "Square.", "tags": [],
			"parameters": [{"name": "position", "min": -1, "max": 1, "default": 0}],
			"ops": [{"module": "crop", "frame": {"aspect": "1:1", "position": "position"}}],
			"claims": [{"measure": "aspect", "moves": "to", "target": 1, "within": 0.01}]}]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// With a darktable that hangs, every verb ends when its time is over, and says so.
func TestEveryVerbEndsWithinItsTimeLimit(t *testing.T) {
	dir := framedWorkspace(t)
	pack := squarePack(t)
	var all sync.WaitGroup
	var mu sync.Mutex
	late := map[string]func(){}
	for verb, call := range hanging {
		own := filepath.Join(t.TempDir(), "copy")
		if err := os.CopyFS(own, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1", XMP: baseline.Packet("5.4.1"), Behaviour: testutil.HangsInChild})
		e, err := Open(t.Context(), &Options{Workspace: filepath.Join(own, "workspace"), Darktable: fake.CLI, Workers: -1, Packs: []string{pack}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		all.Go(func() {
			began := time.Now()
			err := call(t.Context(), e, 1)
			failure, _ := errors.AsType[*Error](err)
			switch {
			case len(fake.Calls()) == 0:
				t.Errorf("%s runs no darktable here: %v", verb, err)
			case slices.Contains(answering, verb) && err != nil:
				t.Errorf("%s does not answer without darktable: %v", verb, err)
			case slices.Contains(answering, verb):
			case failure == nil || failure.Code != ErrDarktable || failure.Details != nil && failure.Details["reason"] != "timed_out":
				t.Errorf("%s: %v, want that darktable's time was over", verb, err)
			}
			if time.Since(began) > time.Second+timelimit.Grace {
				mu.Lock()
				late[verb] = func() { _ = call(t.Context(), e, 1) }
				mu.Unlock()
			}
			if left := fake.Running(); len(left) > 0 {
				t.Errorf("%s leaves processes %v", verb, left)
			}
			for _, limit := range []TimeoutSeconds{1e18, 3601, 0.5, -1} {
				if err := call(t.Context(), e, limit); !errors.Is(err, ErrInvalidInput) {
					t.Errorf("%s with a limit of %g seconds: %v", verb, limit, err)
				}
			}
		})
	}
	all.Wait()
	for verb, call := range late { // the machine was busy, or the verb is slow
		began := time.Now()
		if call(); time.Since(began) > time.Second+timelimit.Grace {
			t.Errorf("%s ended after %v, at a limit of one second", verb, time.Since(began))
		}
	}
}

func TestEveryVerbThatMayRunDarktableHasATimeLimit(t *testing.T) {
	t.Parallel()
	runs := mayRunDarktable(t)
	engine := reflect.TypeFor[*Engine]()
	for verb := range engine.Methods() {
		_, tried := hanging[verb.Name]
		_, never := neverRuns[verb.Name]
		if tried && never || runs[verb.Name] != (tried || never) {
			t.Errorf("%s may run darktable: %t; it is in hanging: %t, and in neverRuns: %t", verb.Name, runs[verb.Name], tried, never)
		}
		if !tried {
			continue
		}
		limit, has := verb.Type.In(2).FieldByName("TimeoutSeconds")
		if !has || limit.Type != reflect.TypeFor[TimeoutSeconds]() || limit.Tag.Get("json") != "timeout_seconds,omitempty" || limit.Tag.Get("default") == "" {
			t.Errorf("%s may run darktable, and has no timeout_seconds with a default", verb.Name)
		}
	}
}

// startsDarktable are the fields and variables whose methods develop, with those of
// their methods that do not.
var startsDarktable = map[string][]string{
	"probe":     nil,
	"workers":   {"Close", "Status"},
	"darktable": {"Identity", "Path", "Version"},
	"cache":     {"Close", "Get", "KeepDeveloped"},
	"proofs":    {"Any", "CheckEntry", "CheckMask", "Close", "States", "Summary"},
}

// mayRunDarktable reads out of the code which functions may run darktable: all from which
// a call of something that develops can be reached, by the names of functions.
func mayRunDarktable(t *testing.T) (runs map[string]bool) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]map[string]bool{} // what each function calls
	runs = map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				called, develops := callsOf(f, packagesOf(file))
				runs[f.Name.Name] = runs[f.Name.Name] || develops
				if calls[f.Name.Name] == nil {
					calls[f.Name.Name] = map[string]bool{}
				}
				maps.Copy(calls[f.Name.Name], called)
			}
		}
	}
	for grew := true; grew; {
		grew = false
		for name, called := range calls {
			for other := range called {
				if runs[other] && !runs[name] {
					runs[name], grew = true, true
				}
			}
		}
	}
	return runs
}

// packagesOf are the names of the packages that a file imports.
func packagesOf(file *ast.File) map[string]bool {
	packages := map[string]bool{}
	for _, imported := range file.Imports {
		packages[path.Base(strings.Trim(imported.Path.Value, `"`))] = true
	}
	return packages
}

// callsOf lists the names of the functions and methods that a function calls or, as
// (*Engine).Verb, hands on, and whether one of them develops.
func callsOf(f *ast.FuncDecl, packages map[string]bool) (called map[string]bool, develops bool) {
	called = map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if _, method := n.X.(*ast.ParenExpr); method {
				called[n.Sel.Name] = true
			}
		case *ast.CallExpr:
			switch to := n.Fun.(type) {
			case *ast.Ident:
				called[to.Name] = true
			case *ast.SelectorExpr:
				_, field := to.X.(*ast.SelectorExpr)
				on := lastName(to.X)
				if packages[on] && !field {
					return true
				}
				called[to.Sel.Name] = true
				if harmless, found := startsDarktable[on]; found && !slices.Contains(harmless, to.Sel.Name) {
					develops = true
				}
			}
		}
		return true
	})
	return called, develops
}

// lastName is the last name of a variable or a field.
func lastName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}
