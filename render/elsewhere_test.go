package render_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/render"
)

// farm is a render.Elsewhere that does as it is told.
type farm struct {
	do     func(o render.Order) error
	orders atomic.Int64
}

func (f *farm) Develop(_ context.Context, o render.Order) error {
	f.orders.Add(1)
	return f.do(o)
}

// elsewhereSetup finds a fake darktable whose pictures come from elsewhere, and gives a
// picture as it would write one.
func elsewhereSetup(t *testing.T) (d *render.Darktable, f *farm, fake *testutil.Fake, job func(name string) render.Job, picture []byte) {
	t.Helper()
	fake = testutil.FakeDarktable(t, testutil.FakeOptions{})
	f = &farm{}
	d, err := render.Find(t.Context(), &render.Options{Path: fake.CLI, Scratch: t.TempDir(), Elsewhere: f})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	raw := filepath.Join(dir, "a.dng")
	if err := os.WriteFile(raw, []byte("raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	job = func(name string) render.Job {
		return render.Job{Raw: raw, Sidecar: []byte("<x/>"), Output: filepath.Join(dir, name), Size: 300}
	}
	here := job("here.jpg")
	if _, err := d.Render(t.Context(), here); err != nil {
		t.Fatal(err)
	}
	if f.orders.Load() != 0 {
		t.Error("a job without a digest of its raw was ordered elsewhere")
	}
	if picture, err = os.ReadFile(here.Output); err != nil {
		t.Fatal(err)
	}
	return d, f, fake, job, picture
}

// What comes from elsewhere is checked and published as what is made here is; what does
// not come is made here.
func TestPicturesFromElsewhere(t *testing.T) {
	t.Parallel()
	d, f, fake, job, picture := elsewhereSetup(t)
	began := len(fake.Calls())
	refused := &render.Error{Op: "render", Kind: render.Failed, Message: "it is no raw"}
	for _, c := range []struct {
		name  string
		do    func(o render.Order) error
		calls int // of darktable here
		kind  render.Kind
	}{
		{"made", func(o render.Order) error { return os.WriteFile(o.Job.Output, picture, 0o600) }, 0, ""},
		{"away", func(render.Order) error { return errors.New("away") }, 1, ""},
		{"nothing", func(render.Order) error { return nil }, 1, ""},
		{"garbage", func(o render.Order) error { return os.WriteFile(o.Job.Output, []byte("garbage"), 0o600) }, 1, ""},
		{"a link", func(o render.Order) error { return os.Symlink(o.Job.Raw, o.Job.Output) }, 1, ""},
		{"refused", func(render.Order) error { return refused }, 0, render.Failed},
	} {
		f.do = c.do
		for _, way := range []string{"one", "batch"} {
			orders := f.orders.Load()
			j := job(c.name + " " + way + ".jpg")
			j.RawDigest = "00ff"
			j.Darktable = d.Identity()
			j.State = "abcd"
			var err error
			if way == "one" {
				_, err = d.Render(t.Context(), j)
			} else {
				done := 0
				err = d.RenderAll(t.Context(), []render.Job{j}, &render.BatchOptions{Done: func(int, render.Outcome) { done++ }})[0].Err
				if done != 1 {
					t.Errorf("%s: Done was called %d times", c.name, done)
				}
			}
			if f.orders.Load() != orders+1 {
				t.Errorf("%s, %s: %d orders", c.name, way, f.orders.Load()-orders)
			}
			calls := len(fake.Calls())
			if calls-began != c.calls {
				t.Errorf("%s, %s: %d calls of darktable here, want %d", c.name, way, calls-began, c.calls)
			}
			began = calls
			if c.kind != "" {
				if !errors.Is(err, c.kind) {
					t.Errorf("%s, %s: %v", c.name, way, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, way, err)
				continue
			}
			if _, stamp, err := render.InspectStamp(j.Output); err != nil || stamp.State != "abcd" || stamp.Darktable != d.Identity() {
				t.Errorf("%s, %s: %+v, %v", c.name, way, stamp, err)
			}
		}
	}
}

// What a picture was made of may have changed while it was made elsewhere.
func TestPicturesFromElsewhereAreVerified(t *testing.T) {
	t.Parallel()
	d, f, _, job, picture := elsewhereSetup(t)
	f.do = func(o render.Order) error { return os.WriteFile(o.Job.Output, picture, 0o600) }
	changed := errors.New("the raw has changed")
	j := job("a.jpg")
	j.RawDigest, j.Verify = "00ff", func() error { return changed }
	if _, err := d.Render(t.Context(), j); !errors.Is(err, changed) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Lstat(j.Output); err == nil {
		t.Error("the picture was published")
	}
	j.Verify = nil
	if err := os.WriteFile(j.Output, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	orders := f.orders.Load()
	if _, err := d.Render(t.Context(), j); !errors.Is(err, render.Exists) || f.orders.Load() != orders {
		t.Errorf("got %v after %d orders", err, f.orders.Load()-orders)
	}
}
