package render_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/render"
)

// copiesOf counts the files of a name below a folder that are no links.
func copiesOf(t *testing.T, dir, name string) (n int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Name() == name && e.Type().IsRegular() {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestABatchCopiesARawOnce develops one raw, beside which there is a sidecar, many
// times: in one process, and in processes of their own after that one has failed.
func TestABatchCopiesARawOnce(t *testing.T) {
	t.Parallel()
	for name, script := range map[string][]testutil.Behaviour{
		"together": {testutil.Works}, "one by one": {testutil.Fails, testutil.Works},
	} {
		b := newFakeSetup(t, testutil.FakeOptions{Script: script}, 1)
		if err := os.WriteFile(b.raw+".xmp", []byte("<x/>"), 0o600); err != nil {
			t.Fatal(err)
		}
		jobs := b.jobs(6)
		var outputs []string
		most, least := 0, len(jobs)
		outcomes := b.dt.RenderAll(t.Context(), jobs, &render.BatchOptions{Done: func(i int, _ render.Outcome) {
			n := copiesOf(t, b.scratch, filepath.Base(b.raw))
			most = max(most, n)
			if i < len(jobs)-1 {
				least = min(least, n)
			}
		}})
		for i, o := range outcomes {
			if o.Err != nil {
				t.Fatalf("%s: %v", name, o.Err)
			}
			outputs = append(outputs, filepath.Base(jobs[i].Output))
		}
		if most != 1 || least != 1 {
			t.Errorf("%s: %d to %d copies of the raw at once, want 1", name, least, most)
		}
		b.clean(t, outputs...)
	}
}

// TestABatchKeepsNoCopyLongerThanItIsNeeded develops raws one after the other.
func TestABatchKeepsNoCopyLongerThanItIsNeeded(t *testing.T) {
	t.Parallel()
	b := newFakeSetup(t, testutil.FakeOptions{}, 1)
	jobs := b.jobs(4)
	for i := range jobs {
		dir := t.TempDir()
		jobs[i].Raw = filepath.Join(dir, "IMG.NEF")
		for _, name := range []string{"IMG.NEF", "IMG.NEF.xmp"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("raw"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.dt.RenderAll(t.Context(), jobs, &render.BatchOptions{Chunk: 1, Done: func(i int, o render.Outcome) {
		if o.Err != nil {
			t.Error(o.Err)
		}
		if n := copiesOf(t, b.scratch, "IMG.NEF"); n > 1 {
			t.Errorf("after %d pictures there are %d copies, want 1 at most", i+1, n)
		}
	}})
}
