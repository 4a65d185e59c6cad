package chemigram

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func exportBundle(t *testing.T, e *Engine, id ImageID) string {
	t.Helper()
	res, err := e.ExportBundle(t.Context(), ExportBundleParams{ImageID: id})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(res.OutputPath); err != nil || info.Size() != res.Bytes {
		t.Fatalf("the bundle %s: %v, %v; want %d bytes", res.OutputPath, info, err, res.Bytes)
	}
	return res.OutputPath
}

func TestABundleCarriesAWholeHistory(t *testing.T) {
	from, to := openWithout(t, Options{}), openWithout(t, Options{})
	ctx := t.Context()
	add(t, from, "a", "5.4.1")
	apply(t, from, "exposure", 1)
	if _, err := from.Branch(ctx, BranchParams{ImageID: "a", Name: "side"}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(from.workspace.ImageDir("a"), "notes.md"), []byte("Watch the veil.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	bundle := exportBundle(t, from, "a")
	if again := exportBundle(t, from, "a"); again == bundle {
		t.Error("the second export overwrote the first")
	}

	res, err := to.ImportBundle(ctx, ImportBundleParams{BundlePath: bundle})
	if err != nil || !res.Created || !res.Changed || res.ImageID != "a" || *res.StateAfter.HeadHash != headHash(t, from) {
		t.Fatalf("imported %+v, %v", res, err)
	}
	if known, err := to.ReadContext(ctx, ReadContextParams{ImageID: "a"}); err != nil || known.Notes != "Watch the veil.\n" {
		t.Errorf("the notes came as %q, %v", known.Notes, err)
	}
	if res, err = to.ImportBundle(ctx, ImportBundleParams{BundlePath: bundle}); err != nil || res.Created || res.Changed {
		t.Errorf("importing twice gave %+v, %v", res, err)
	}

	// The history goes on at home, and the copy goes on to it; then the copy goes
	// on, and the older bundle takes nothing back.
	apply(t, from, "exposure", 2)
	if res, err = to.ImportBundle(ctx, ImportBundleParams{BundlePath: exportBundle(t, from, "a")}); err != nil || res.Created || !res.Changed {
		t.Errorf("the later bundle gave %+v, %v", res, err)
	}
	apply(t, to, "exposure", 0.5)
	ahead := headHash(t, to)
	if res, err = to.ImportBundle(ctx, ImportBundleParams{BundlePath: bundle}); err != nil || res.Changed || *res.StateAfter.HeadHash != ahead {
		t.Errorf("the older bundle gave %+v, %v", res, err)
	}
	apply(t, from, "exposure", 0.25)
	later := exportBundle(t, from, "a")
	if _, err := to.ImportBundle(ctx, ImportBundleParams{BundlePath: later}); !errors.Is(err, ErrVersioning) {
		t.Errorf("a history that parted says %v", err)
	}
	if res, err := to.ImportBundle(ctx, ImportBundleParams{BundlePath: later, ImageID: "theirs"}); err != nil || res.ImageID != "theirs" || !res.Created {
		t.Errorf("under another id it gave %+v, %v", res, err)
	}
}

// Any damage to a bundle is found, and nothing comes in.
func TestADamagedBundleIsRefused(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	apply(t, e, "exposure", 1)
	data, err := os.ReadFile(exportBundle(t, e, "a"))
	if err != nil {
		t.Fatal(err)
	}
	to := openWithout(t, Options{})
	path := filepath.Join(t.TempDir(), "damaged.chemigram")
	refused := 0
	for at := 0; at < len(data); at += 1 + len(data)/150 {
		broken := bytes.Clone(data)
		broken[at] ^= 0x20
		if at%2 == 0 {
			broken = broken[:at]
		}
		if err := os.WriteFile(path, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		res, err := to.ImportBundle(t.Context(), ImportBundleParams{BundlePath: path, ImageID: "b"})
		if err == nil {
			if got := *res.StateAfter.HeadHash; got != headHash(t, e) {
				t.Fatalf("byte %d: it came in as another look", at)
			}
			continue // a byte of the zip's own, such as a time
		}
		if refused++; !errors.Is(err, ErrInvalidInput) && !errors.Is(err, ErrVersioning) {
			t.Errorf("byte %d: %v", at, err)
		}
	}
	if refused < 130 {
		t.Errorf("only %d of about 150 were refused", refused)
	}
}

func TestABundleDoesNotLeadOut(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	bundle := exportBundle(t, e, "a")
	inside := t.TempDir()
	to := openWithout(t, Options{RawRoots: []string{inside}})
	if _, err := to.ImportBundle(t.Context(), ImportBundleParams{BundlePath: bundle}); !errors.Is(err, ErrPermission) {
		t.Errorf("a bundle outside the roots says %v", err)
	}
	data, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(inside, "a.chemigram")
	if err := os.WriteFile(moved, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := to.ImportBundle(t.Context(), ImportBundleParams{BundlePath: moved}); !errors.Is(err, ErrPermission) {
		t.Errorf("a raw outside the roots says %v", err)
	}
	other := filepath.Join(inside, "other.dng")
	if err := os.WriteFile(other, []byte("another raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := to.ImportBundle(t.Context(), ImportBundleParams{BundlePath: moved, RawPath: other}); !errors.Is(err, ErrState) {
		t.Errorf("another raw says %v", err)
	}
	if _, err := e.ImportBundle(t.Context(), ImportBundleParams{BundlePath: filepath.Join(inside, "none")}); !errors.Is(err, ErrNotFound) {
		t.Errorf("a missing bundle says %v", err)
	}
}
