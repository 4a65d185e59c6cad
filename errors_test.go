package chemigram

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBadInputHasItsCodeAndSaysWhatWouldBeRight(t *testing.T) {
	e := openWithout(t, Options{RawRoots: []string{t.TempDir()}})
	add(t, e, "a", "5.4.1")
	f := func(x float64) *float64 { return &x }
	for _, tt := range []struct {
		name string
		call func() error
		code Code
		says []string
	}{
		{"unknown image", func() error {
			_, err := e.GetState(t.Context(), GetStateParams{ImageID: "A"})
			return err
		}, ErrNotFound, []string{`image "A"`, `"a"`}},
		{"image_id with a path in it", func() error {
			_, err := e.GetState(t.Context(), GetStateParams{ImageID: "../a"})
			return err
		}, ErrInvalidInput, []string{"image_id", `"../a"`, "letter or digit"}},
		{"blank image_id", func() error {
			_, err := e.GetState(t.Context(), GetStateParams{})
			return err
		}, ErrInvalidInput, []string{"image_id", "not blank"}},
		{"unknown primitive", func() error {
			_, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposrue"})
			return err
		}, ErrNotFound, []string{`primitive "exposrue"`, `"exposure"`}},
		{"value out of range", func() error {
			_, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: f(99)})
			return err
		}, ErrInvalidInput, []string{"99", "-3", "3", "EV"}},
		{"value that is no number", func() error {
			_, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: f(math.NaN())})
			return err
		}, ErrInvalidInput, []string{"NaN"}},
		{"unknown parameter", func() error {
			_, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Values: map[string]float64{"stops": 1}})
			return err
		}, ErrInvalidInput, []string{"stops", "ev"}},
		{"unknown ref", func() error {
			_, err := e.Checkout(t.Context(), CheckoutParams{ImageID: "a", RefOrHash: "nowhere"})
			return err
		}, ErrNotFound, []string{`ref "nowhere"`}},
		{"ref that is no name", func() error {
			_, err := e.Branch(t.Context(), BranchParams{ImageID: "a", Name: "../up"})
			return err
		}, ErrInvalidInput, []string{"../up"}},
		{"branch that exists", func() error {
			_, err := e.Branch(t.Context(), BranchParams{ImageID: "a", Name: "main"})
			return err
		}, ErrVersioning, []string{"main", "already"}},
		{"module that is not there", func() error {
			_, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: "exposur"})
			return err
		}, ErrNotFound, []string{`module "exposur"`, `"exposure"`}},
		{"module that darktable cannot do without", func() error {
			_, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: "demosaic"})
			return err
		}, ErrInvalidInput, []string{"demosaic", "cannot"}},
		{"a day that does not exist", func() error {
			_, err := e.Log(t.Context(), LogParams{ImageID: "a", Since: "2026-02-31"})
			return err
		}, ErrInvalidInput, []string{"since", "2026-02-31"}},
		{"raw outside the allowed folders", func() error {
			_, err := e.Ingest(t.Context(), IngestParams{RawPath: "/etc/hostname"})
			return err
		}, ErrPermission, []string{"/etc/hostname", "outside"}},
		{"darktable is missing", func() error {
			_, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "a"})
			return err
		}, ErrDarktable, []string{"darktable"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.call()
			if !errors.Is(err, tt.code) {
				t.Fatalf("err = %v, want %s", err, tt.code)
			}
			var typed *Error
			if !errors.As(err, &typed) || typed.Op == "" {
				t.Fatalf("%T without a verb: %v", err, err)
			}
			for _, text := range tt.says {
				if !strings.Contains(typed.Message, text) {
					t.Errorf("message %q does not say %q", typed.Message, text)
				}
			}
		})
	}
}

func TestEveryViolationIsFound(t *testing.T) {
	e := openWithout(t, Options{})
	_, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "no/slash", Size: 5, Quality: "best", TimeoutSeconds: -1})
	var typed *Error
	if !errors.As(err, &typed) {
		t.Fatal(err)
	}
	violations, _ := typed.Details["violations"].([]Violation)
	var pointers []string
	for _, v := range violations {
		pointers = append(pointers, v.Pointer)
	}
	if got, want := strings.Join(pointers, " "), "/image_id /size /quality /timeout_seconds"; got != want {
		t.Errorf("violations at %s, want %s", got, want)
	}
}

func TestAnEditOfADetachedHeadNamesTheTwoCallsThatContinue(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	apply(t, e, "exposure", 1)
	if _, err := e.Checkout(t.Context(), CheckoutParams{ImageID: "a", RefOrHash: "baseline"}); err != nil {
		t.Fatal(err)
	}
	_, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "contrast"})
	if !errors.Is(err, ErrVersioning) || !strings.Contains(err.Error(), "branch") || !strings.Contains(err.Error(), "checkout") {
		t.Errorf("err = %v, want a versioning_error that names branch and checkout", err)
	}
}

func TestAReadOnlyEngineChangesNothing(t *testing.T) {
	workspace := filepath.Join(t.TempDir(), "workspace")
	add(t, openWithout(t, Options{Workspace: workspace}), "a", "5.4.1")
	before := fingerprint(t, workspace)

	e := openWithout(t, Options{Workspace: workspace, ReadOnly: true})
	for name, call := range map[string]func() error{
		"apply_primitive": func() error {
			_, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure"})
			return err
		},
		"remove_module": func() error {
			_, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: "exposure"})
			return err
		},
		"reset":    func() error { _, err := e.Reset(t.Context(), ResetParams{ImageID: "a"}); return err },
		"snapshot": func() error { _, err := e.Snapshot(t.Context(), SnapshotParams{ImageID: "a"}); return err },
		"checkout": func() error {
			_, err := e.Checkout(t.Context(), CheckoutParams{ImageID: "a", RefOrHash: "main"})
			return err
		},
		"branch": func() error { _, err := e.Branch(t.Context(), BranchParams{ImageID: "a", Name: "b"}); return err },
		"tag":    func() error { _, err := e.Tag(t.Context(), TagParams{ImageID: "a", Name: "t"}); return err },
		"export": func() error { _, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a"}); return err },
	} {
		if err := call(); !errors.Is(err, ErrPermission) {
			t.Errorf("%s: err = %v, want permission_error", name, err)
		}
	}
	if _, err := e.Log(t.Context(), LogParams{ImageID: "a"}); err != nil {
		t.Errorf("log: %v", err)
	}
	if after := fingerprint(t, workspace); after != before {
		t.Error("the workspace has changed")
	}
}

func TestAWorkspaceIsNotMadeAmongOtherFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "photo.nef"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), &Options{Workspace: dir})
	if !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "photo.nef") {
		t.Errorf("err = %v, want a state_error that names the file", err)
	}
}

func TestANewerWorkspaceIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "chemigram.json"), []byte(`{"format": 2}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), &Options{Workspace: dir})
	if !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "newer") {
		t.Errorf("err = %v, want a state_error that asks for a newer program", err)
	}
}
