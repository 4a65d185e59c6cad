package chemigram

import (
	"archive/zip"
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// watermarked is darktable 5.4.1's baseline with a watermark of a file.
func watermarked(t *testing.T, file string) *xmp.Sidecar {
	t.Helper()
	sidecar, release, err := baseline.Parse("5.4.1")
	if err != nil {
		t.Fatal(err)
	}
	params, err := release.Defaults("watermark")
	if err != nil {
		t.Fatal(err)
	}
	blob := params.Encode()
	named, err := params.With("filename", iop.Text("MARK"))
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(named.Encode()), "MARK")
	copy(blob[at:], file+"\x00")
	version, _ := release.Modversion("watermark")
	sidecar, err = sidecar.With(release, xmp.Put{Entry: xmp.Entry{Operation: "watermark", Enabled: true, Modversion: version, Params: blob}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(sidecar.Canonical()), hex.EncodeToString([]byte(file))) {
		t.Fatalf("the sidecar does not name %s", file)
	}
	return sidecar
}

func TestAModuleNamesNoFileByItsPath(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	before := headHash(t, e)
	for _, c := range []struct{ module, field, value string }{
		{"watermark", "filename", "../../../../etc/passwd.svg"},
		{"watermark", "filename", "/home/me/secret.png"},
		{"rasterfile", "path", "/home/me"},
		{"rasterfile", "file", "../secret.pfm"},
		{"overlay", "filename", "/home/me/secret.nef"},
		{"lut3d", "filepath", "../secret.cube"},
		{"lut3d", "filepath", `..\secret.cube`},
	} {
		_, err := set(t, e, c.module, "", c.field, c.value)
		if !errors.Is(err, ErrInvalidInput) || !strings.Contains(err.Error(), "path") {
			t.Errorf("%s.%s = %s: %v, want invalid_input that says it is a path", c.module, c.field, c.value, err)
		}
	}
	if _, err := set(t, e, "overlay", "", "imgid", "2"); !errors.Is(err, ErrPermission) {
		t.Errorf("a picture of another library: %v, want permission_error", err)
	}
	if headHash(t, e) != before {
		t.Error("a refused call has changed the edit")
	}
	if _, err := set(t, e, "watermark", "", "filename", "promo.svg"); err != nil {
		t.Errorf("a file of darktable's own folder: %v", err)
	}
}

func TestAnImportedSidecarNamesNoFileByItsPath(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	before := headHash(t, e)
	path := filepath.Join(t.TempDir(), "x.xmp")
	importIt := func(file string) error {
		if err := os.WriteFile(path, watermarked(t, file).Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := e.ImportSidecar(t.Context(), ImportSidecarParams{ImageID: "a", Path: path})
		return err
	}
	for _, file := range []string{"../x.svg", "/etc/x.svg", `..\x.svg`} {
		failure, _ := errors.AsType[*Error](importIt(file))
		if failure == nil || failure.Code != ErrPermission || failure.Details["violation"] != "outside_roots" || !strings.Contains(failure.Message, "watermark") {
			t.Errorf("%s: %v, want a permission_error outside_roots of the watermark", file, failure)
		}
	}
	if headHash(t, e) != before {
		t.Error("a refused sidecar has changed the edit")
	}
	if err := importIt("promo.svg"); err != nil {
		t.Errorf("a file of darktable's own folder: %v", err)
	}
}

// committed is an image "a" with looks on top of each other.
func committed(t *testing.T, e *Engine, looks ...*xmp.Sidecar) {
	t.Helper()
	raw := workspace.Raw{Path: "/nowhere/a.dng", SHA256: strings.Repeat("a", 64)}
	if err := register(t.Context(), e, workspace.File{ImageID: "a", Raw: raw, Darktable: "5.4.1"}, looks[0].Canonical()); err != nil {
		t.Fatal(err)
	}
	img, err := e.workspace.Image("a")
	if err != nil {
		t.Fatal(err)
	}
	for _, look := range looks[1:] {
		if _, _, err := img.Commit(t.Context(), look, versioning.Change{Op: "set_parameters", Actor: "test"}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestABundleNamesNoFileByItsPath(t *testing.T) {
	from := openWithout(t, Options{})
	clean := watermarked(t, "promo.svg")
	committed(t, from, clean)
	out, err := from.ExportBundle(t.Context(), ExportBundleParams{ImageID: "a"})
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := os.ReadFile(out.OutputPath)
	if err != nil {
		t.Fatal(err)
	}

	img, err := from.workspace.Image("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := img.Commit(t.Context(), watermarked(t, "../x.svg"), versioning.Change{Op: "set_parameters", Actor: "test"}); err != nil {
		t.Fatal(err)
	}
	if _, err := from.ExportBundle(t.Context(), ExportBundleParams{ImageID: "a"}); !errors.Is(err, ErrPermission) {
		t.Errorf("exporting it: %v, want a permission_error", err)
	}
	evil := filepath.Join(t.TempDir(), "evil.chemigram")
	if err := os.WriteFile(evil, withJournal(t, bundle, filepath.Join(img.Dir, "history", "journal")), 0o600); err != nil {
		t.Fatal(err)
	}
	to := openWithout(t, Options{})
	_, err = to.ImportBundle(t.Context(), ImportBundleParams{BundlePath: evil})
	if !errors.Is(err, ErrPermission) || !strings.Contains(err.Error(), "watermark") {
		t.Errorf("importing it: %v, want a permission_error of the watermark", err)
	}
	if images, err := to.ListImages(t.Context(), ListImagesParams{}); err != nil || images.Total != 0 {
		t.Errorf("%d images, %v: want none", images.Total, err)
	}
}

// withJournal is a bundle with the journal of a file.
func withJournal(t *testing.T, bundle []byte, journal string) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(bundle), int64(len(bundle)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, member := range in.File {
		content, err := fs.ReadFile(in, member.Name)
		if err == nil && member.Name == "journal" {
			content, err = os.ReadFile(journal)
		}
		if err != nil {
			t.Fatal(err)
		}
		to, err := w.CreateHeader(&zip.FileHeader{Name: member.Name, Method: zip.Store})
		if err == nil {
			_, err = to.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestALookThatNamesAFileByItsPathIsNotDevelopedAndCanBeMended(t *testing.T) {
	e, fake := faulty(t, testutil.Works)
	before := len(fake.Calls())
	img, err := e.workspace.Image("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := img.Commit(t.Context(), watermarked(t, "../x.svg"), versioning.Change{Op: "old", Actor: "test"}); err != nil {
		t.Fatal(err)
	}
	_, err = e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "a", Size: 64})
	if !errors.Is(err, ErrPermission) || !strings.Contains(err.Error(), "watermark") {
		t.Errorf("a preview: %v, want a permission_error of the watermark", err)
	}
	if _, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a"}); !errors.Is(err, ErrPermission) {
		t.Errorf("an export: %v, want a permission_error", err)
	}
	if ran := len(fake.Calls()) - before; ran > 0 {
		t.Errorf("darktable ran %d times", ran)
	}
	if _, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: "watermark"}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "a", Size: 64}); err != nil {
		t.Errorf("without the watermark: %v", err)
	}
}

func TestOutputsDoNotGoIntoTheWorkspacesOwnFolders(t *testing.T) {
	root := t.TempDir()
	e := openWithout(t, Options{Workspace: filepath.Join(root, "workspace")})
	add(t, e, "a", "5.4.1")
	ws := e.WorkspaceDir()
	link := filepath.Join(root, "link")
	if err := os.Symlink(filepath.Join(ws, "images"), link); err != nil {
		t.Skip("no links here")
	}
	export := func(dir string) error {
		_, err := e.ExportBundle(t.Context(), ExportBundleParams{ImageID: "a", OutputDir: dir})
		return err
	}
	for _, dir := range []string{
		ws, filepath.Join(ws, "images"), filepath.Join(ws, "images", "a", "history"), filepath.Join(ws, "cache", "new"),
		filepath.Join(ws, "transcripts"), filepath.Join(ws, "exports", "..", "trash"), link, filepath.Join(link, "a"), filepath.Join(link, "new"),
	} {
		failure, _ := errors.AsType[*Error](export(dir))
		if failure == nil || failure.Code != ErrPermission || failure.Details["violation"] != "outside_roots" {
			t.Errorf("%s: %v, want a permission_error outside_roots", dir, failure)
		}
	}
	for _, dir := range []string{"", filepath.Join(ws, "exports", "mine"), filepath.Join(root, "elsewhere")} {
		if err := export(dir); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if _, err := os.Stat(filepath.Join(ws, "cache", "new")); err == nil {
		t.Error("a refused call made a folder")
	}
}

func TestPathsOutsideTheRootsAreRefused(t *testing.T) {
	raws, exports, outside := t.TempDir(), t.TempDir(), t.TempDir()
	e := openWithout(t, Options{RawRoots: []string{raws}, ExportRoots: []string{exports}})
	add(t, e, "a", "5.4.1")
	secret, link := filepath.Join(outside, "secret.dng"), filepath.Join(raws, "link.dng")
	if err := errors.Join(os.WriteFile(secret, []byte("x"), 0o600), os.Symlink(secret, link), os.Symlink(outside, filepath.Join(exports, "out"))); err != nil {
		t.Skip(err)
	}
	ctx := t.Context()
	read := map[string]func(path string) error{
		"ingest": func(p string) error { _, err := e.Ingest(ctx, IngestParams{RawPath: p}); return err },
		"import_sidecar": func(p string) error {
			_, err := e.ImportSidecar(ctx, ImportSidecarParams{ImageID: "a", Path: p})
			return err
		},
		"import_bundle": func(p string) error { _, err := e.ImportBundle(ctx, ImportBundleParams{BundlePath: p}); return err },
		"a mask": func(p string) error {
			_, err := e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Mask: &Mask{File: p}})
			return err
		},
	}
	for name, verb := range read {
		for _, path := range []string{secret, link, filepath.Join(raws, "..", filepath.Base(outside), "secret.dng"), "/etc/passwd"} {
			if err := verb(path); !errors.Is(err, ErrPermission) {
				t.Errorf("%s of %s: %v, want a permission_error", name, path, err)
			}
		}
	}
	for _, dir := range []string{outside, filepath.Join(exports, "out"), filepath.Join(exports, "out", "new"), filepath.Join(exports, "..")} {
		if _, err := e.ExportBundle(ctx, ExportBundleParams{ImageID: "a", OutputDir: dir}); !errors.Is(err, ErrPermission) {
			t.Errorf("an export into %s: %v, want a permission_error", dir, err)
		}
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) != 1 {
		t.Errorf("outside there is %v, %v", left, err)
	}
}
