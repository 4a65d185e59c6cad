package chemigram

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/internal/workspace"
)

func TestABundleCarriesAllThatBelongsToTheImage(t *testing.T) {
	from, to := openWithout(t, Options{}), openWithout(t, Options{})
	ctx := t.Context()
	add(t, from, "a", "5.4.1")
	stars := Rating(4)
	marks, err := from.SetRating(ctx, SetRatingParams{ImageID: "a", Rating: &stars, ColorLabels: []ColorLabel{"red", "blue"}})
	if err != nil {
		t.Fatal(err)
	}
	brief := strings.Repeat("A brief may be long.\n", 400_000) // 8 MB
	for name, text := range map[string]string{"brief.md": brief, "notes.md": "Watch the veil.\n"} {
		if err := os.WriteFile(filepath.Join(from.workspace.ImageDir("a"), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := to.ImportBundle(ctx, ImportBundleParams{BundlePath: exportBundle(t, from, "a")}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"brief.md", "notes.md", "marks.json"} {
		want, err := os.ReadFile(filepath.Join(from.workspace.ImageDir("a"), name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(to.workspace.ImageDir("a"), name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s came as %d bytes, %v; want %d", name, len(got), err, len(want))
		}
	}
	list, err := to.ListImages(ctx, ListImagesParams{})
	if err != nil || len(list.Images) != 1 || list.Images[0].Rating != marks.Rating || !slices.Equal(list.Images[0].ColorLabels, marks.ColorLabels) {
		t.Errorf("the images are %+v, %v; want one with %+v", list.Images, err, marks)
	}
}

func TestADamagedHistoryIsNotExported(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	for i := range 5 {
		apply(t, e, "exposure", 0.1*float64(1+i))
	}
	path := filepath.Join(e.workspace.ImageDir("a"), "history", "journal")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)*3/4] ^= 4
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	e = openWithout(t, Options{Workspace: e.workspace.Root()})
	dir := t.TempDir()
	_, err = e.ExportBundle(t.Context(), ExportBundleParams{ImageID: "a", OutputDir: dir})
	if !errors.Is(err, ErrVersioning) {
		t.Errorf("a damaged history: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left in the folder", left, err)
	}
	if _, err := e.Repair(t.Context(), VerifyParams{ImageID: "a"}); err != nil {
		t.Fatal(err)
	}
	exportBundle(t, e, "a")
}

func TestABundleFollowsNoLinks(t *testing.T) {
	ctx := t.Context()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("a secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"brief.md", "notes.md", "marks.json", "image.json"} {
		e := openWithout(t, Options{})
		add(t, e, "a", "5.4.1")
		link := filepath.Join(e.workspace.ImageDir("a"), name)
		if err := errors.Join(os.RemoveAll(link), os.Symlink(secret, link)); err != nil {
			t.Skip("no links here")
		}
		if _, err := e.ExportBundle(ctx, ExportBundleParams{ImageID: "a"}); !errors.Is(err, ErrPermission) {
			t.Errorf("with a link as %s: %v", name, err)
		}
	}
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	members := membersOf(t, exportBundle(t, e, "a"))
	members["notes.md"] = []byte(secret)
	path := writeMembers(t, members, func(h *zip.FileHeader) {
		if h.Name == "notes.md" {
			h.SetMode(fs.ModeSymlink | 0o777)
		}
	})
	if _, err := e.ImportBundle(ctx, ImportBundleParams{BundlePath: path, ImageID: "b"}); !errors.Is(err, ErrInvalidInput) {
		t.Errorf("a bundle with a link: %v", err)
	}
	outside := filepath.Join(t.TempDir(), "elsewhere")
	if err := errors.Join(os.Rename(e.workspace.ImageDir("a"), outside), os.Symlink(outside, e.workspace.ImageDir("a"))); err != nil {
		t.Fatal(err)
	}
	e = openWithout(t, Options{Workspace: e.workspace.Root()})
	if _, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "a test"}); !errors.Is(err, ErrPermission) {
		t.Errorf("delete_image of a link: %v", err)
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) != 2 {
		t.Errorf("the folder that it led to has %v, %v", left, err)
	}
}

func TestTheRawOfAKnownImageMovesWithRawPath(t *testing.T) {
	e := openWithout(t, Options{})
	ctx := t.Context()
	before := addRaw(t, e, "a")
	bundle := exportBundle(t, e, "a")
	moved := filepath.Join(t.TempDir(), "moved.dng")
	if err := os.Rename(before, moved); err != nil {
		t.Fatal(err)
	}
	in, err := e.ImportBundle(ctx, ImportBundleParams{BundlePath: bundle})
	if err != nil || in.RawFound || in.Changed {
		t.Errorf("without raw_path: %+v, %v", in, err)
	}
	in, err = e.ImportBundle(ctx, ImportBundleParams{BundlePath: bundle, RawPath: moved})
	if err != nil || !in.RawFound || !in.Changed || in.Created {
		t.Errorf("with raw_path: %+v, %v", in, err)
	}
	if img, err := e.image("a"); err != nil || img.Raw.Path != moved {
		t.Errorf("the raw is at %s, %v", img.Raw.Path, err)
	}
	if found, err := e.Verify(ctx, VerifyParams{ImageID: "a"}); err != nil || len(found.Findings) > 0 {
		t.Errorf("verify finds %+v, %v", found.Findings, err)
	}
	if in, err = e.ImportBundle(ctx, ImportBundleParams{BundlePath: bundle, RawPath: moved}); err != nil || in.Changed {
		t.Errorf("again: %+v, %v", in, err)
	}
}

// membersOf reads all members of a bundle.
func membersOf(t testing.TB, path string) map[string][]byte {
	t.Helper()
	in, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	members := map[string][]byte{}
	for _, f := range in.File {
		if f.Method != zip.Store {
			t.Errorf("%s is not stored", f.Name)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if members[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return members
}

// writeMembers writes a bundle; change, if any, changes the header of each member.
func writeMembers(t testing.TB, members map[string][]byte, change func(*zip.FileHeader)) (path string) {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"image.json", "journal", "marks.json", "brief.md", "notes.md"} {
		data, ok := members[name]
		if !ok {
			continue
		}
		header := &zip.FileHeader{Name: name, Method: zip.Store}
		if change != nil {
			change(header)
		}
		out, err := w.CreateHeader(header)
		if err == nil {
			_, err = out.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "hostile.chemigram")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// journalFrame is a transaction as versioning/FORMAT.md says.
func journalFrame(seq uint64, payload []byte) []byte {
	sum := func(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
	b := append([]byte("CgT1"), binary.LittleEndian.AppendUint32(nil, uint32(len(payload)))...)
	b = binary.LittleEndian.AppendUint64(b, seq)
	b = binary.LittleEndian.AppendUint32(b, sum(payload))
	return append(binary.LittleEndian.AppendUint32(b, sum(b)), payload...)
}

// zeroState is the section of a state of zeros.
func zeroState(t testing.TB, length int) []byte {
	t.Helper()
	zeros := make([]byte, length)
	sum := sha256.Sum256(zeros)
	body := binary.AppendUvarint(append(sum[:], 0, 0), uint64(length))
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(zeros)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	body = append(body, b.Bytes()...)
	return append(binary.AppendUvarint([]byte("S"), uint64(len(body))), body...)
}

// hostileBundles are bundles that claim more than they have; all have to be refused.
func hostileBundles(t testing.TB, bundle string) map[string]string {
	t.Helper()
	members := membersOf(t, bundle)
	with := func(frames ...[]byte) map[string][]byte {
		out := map[string][]byte{}
		maps.Copy(out, members)
		out["journal"] = slices.Concat(append([][]byte{members["journal"]}, frames...)...)
		return out
	}
	moves := `{"time":"2026-11-21T10:15:02Z","verb":"Tag","moves":[{"ref":"refs/tags/x","to":1}]}`
	tag := append(binary.AppendUvarint([]byte("M"), uint64(len(moves))), moves...)
	large := zeroState(t, 60<<20)
	deflated := func(h *zip.FileHeader) { h.Method = zip.Deflate }
	zeros := with(make([]byte, 64<<20))
	return map[string]string{
		"the number 2^40":   writeMembers(t, with(journalFrame(1<<40, tag)), nil),
		"the number 10^6":   writeMembers(t, with(journalFrame(1e6, tag)), nil),
		"states of 60 MB":   writeMembers(t, with(journalFrame(2, large), journalFrame(3, large), journalFrame(4, large)), nil),
		"a deflated member": writeMembers(t, zeros, deflated),
		"64 MB of nothing":  writeMembers(t, zeros, nil),
	}
}

func TestHostileBundlesAreRefused(t *testing.T) {
	testutil.SkipShort(t)
	e, to := openWithout(t, Options{}), openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	for name, path := range hostileBundles(t, exportBundle(t, e, "a")) {
		_, err := to.ImportBundle(t.Context(), ImportBundleParams{BundlePath: path})
		if !errors.Is(err, ErrInvalidInput) && !errors.Is(err, ErrVersioning) {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := filepath.Glob(to.workspace.Path("*", "a")); err != nil || len(left) > 0 {
			t.Errorf("%s: %q, %v are left", name, left, err)
		}
	}
}

// addRaw registers a small file as the raw of an image, and gives its path.
func addRaw(t *testing.T, e *Engine, id ImageID) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), string(id)+".dng")
	if err := os.WriteFile(path, []byte("a raw of "+id), 0o600); err != nil {
		t.Fatal(err)
	}
	raw, err := e.workspace.ReadRaw(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	sidecar, _, err := baseline.Parse("5.4.1")
	if err == nil {
		err = register(t.Context(), e, workspace.File{ImageID: string(id), Raw: raw, Darktable: "5.4.1"}, sidecar.Canonical())
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}
