package render_test

import (
	"errors"
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
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a run has ended
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestABatchCopiesARawOnce develops one raw, beside which there is a sidecar, many
// times: in one process, in processes of their own after that one has failed, and in
// several at once.
func TestABatchCopiesARawOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script    []testutil.Behaviour
		processes int
		chunk     int
	}{
		"together":   {[]testutil.Behaviour{testutil.Works}, 1, 0},
		"one by one": {[]testutil.Behaviour{testutil.Fails, testutil.Works}, 1, 0},
		"at once":    {[]testutil.Behaviour{testutil.Works}, 3, 1},
	} {
		b := newFakeSetup(t, testutil.FakeOptions{Script: c.script}, c.processes)
		if err := os.WriteFile(b.raw+".xmp", []byte("<x/>"), 0o600); err != nil {
			t.Fatal(err)
		}
		jobs := b.jobs(6)
		var outputs []string
		most, least := 0, 1
		outcomes := b.dt.RenderAll(t.Context(), jobs, &render.BatchOptions{Chunk: c.chunk, Done: func(i int, _ render.Outcome) {
			n := copiesOf(t, b.scratch, filepath.Base(b.raw))
			most = max(most, n)
			if i < len(jobs)-1 && c.processes == 1 {
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
