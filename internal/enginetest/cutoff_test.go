package enginetest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/files"
	"github.com/chemigram/chemigram/render"
)

// packings are layouts that are read each in a way of its own.
var packings = []string{"lossless JPEG", "uncompressed tiles", "floating point of 32 bits, deflate", "linear, lossy JPEG", "X-Trans, lossless JPEG"}

// cutOff are the first files of each kind, each cut off at several lengths, in a folder.
func cutOff(t *testing.T, dir string) (paths []string) {
	t.Helper()
	whole := t.TempDir()
	seen := map[string]bool{}
	for _, f := range files.All() {
		kind, _, _ := strings.Cut(f.Kind, ",")
		if f.Kind == "DNG, layout" && slices.Contains(packings, f.What) || f.Kind == "ARW" && strings.HasSuffix(f.What, "compressed") {
			kind += f.What
		} else if strings.Contains(f.Kind, " with ") {
			continue
		}
		if f.Through != "" || seen[kind] {
			continue
		}
		seen[kind] = true
		path, err := f.Write(whole)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, percent := range []int{1, 50, 99} {
			cut := filepath.Join(dir, fmt.Sprintf("%s_%d%s", strings.TrimSuffix(f.Name, filepath.Ext(f.Name)), percent, filepath.Ext(f.Name)))
			if err := os.WriteFile(cut, data[:len(data)*percent/100], 0o600); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, cut)
		}
	}
	return paths
}

// A file that is cut off is refused as what darktable takes it for, and the refusal is
// final. Where darktable opens it all the same, it is an image, and the answer says that
// its end is missing. A few are drawn by the seed; with `make files` each is tried whose name
// matches, on both darktables.
func TestFilesThatAreCutOff(t *testing.T) {
	paths := cutOff(t, t.TempDir())
	if wanted := wantedFiles(); wanted != nil {
		paths = slices.DeleteFunc(paths, func(path string) bool { return !wanted("cut off: " + filepath.Base(path)) })
		testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) { tryCutOff(t, dt, paths) })
		return
	}
	dt := testutil.AnyDarktable(t)
	testutil.Random(t).Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	tryCutOff(t, dt, paths[:3])
}

func tryCutOff(t *testing.T, dt testutil.Darktable, paths []string) {
	t.Helper()
	e := openOn(t, dt)
	for _, path := range paths {
		res, err := e.Ingest(t.Context(), chemigram.IngestParams{RawPath: path, TimeoutSeconds: seconds})
		name := filepath.Base(path)
		if err == nil {
			if t.Logf("%s: opened: %q", name, res.Problems); !slices.ContainsFunc(res.Problems, func(p string) bool { return strings.HasPrefix(p, path+" ends before") }) {
				t.Errorf("%s: it is not said that its end is missing", name)
			}
			continue
		}
		refused, ok := errors.AsType[*chemigram.Error](err)
		if !ok {
			t.Fatal(err)
		}
		reason, _ := refused.Details["reason"].(string)
		t.Logf("%s: %s %s %v: %s", name, refused.Code, reason, refused.Recoverable, refused.Message)
		if refused.Code != chemigram.ErrDarktable || refused.Recoverable || !slices.Contains([]string{"damaged", "not_a_picture", "unsupported_file", "unknown_camera"}, reason) || !strings.Contains(refused.Message, name) {
			t.Errorf("%s: %s", name, refused.Details["stderr"])
		}
	}
}

// Of whole files, none is taken for cut off, whoever wrote them.
func TestWholeFilesAreNotTakenForCutOff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	t.Cleanup(func() { _ = files.Unseal(dir) })
	var paths []string
	for _, f := range files.All() {
		if f.Large || f.Through != "" {
			continue
		}
		path, err := f.Write(dir)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	others, err := filepath.Glob(filepath.Join(os.Getenv("CHEMIGRAM_SHARED"), "data", "*", "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, others...) {
		if says := render.CutShort(t.Context(), path); says != nil {
			t.Error(says)
		}
	}
	t.Logf("%d files", len(paths)+len(others))
}
