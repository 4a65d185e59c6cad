package remote

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// A train ride: without the bucket both make 50 edits, and then meet through it again, over
// a bad network. All edits are there, the fields that both have changed are named, and the
// look that both have in the end is the same picture on both sides.
func TestATrainRide(t *testing.T) {
	dt := testutil.AnyDarktable(t)
	testutil.AcquireDarktable(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("OMP_NUM_THREADS", "1") // with more, two runs differ in the last digit
	f, random, ctx := gateway(t), testutil.Random(t), t.Context()
	location := f.location("pictures")
	if random.IntN(2) == 0 {
		location = agePrefix + location
	}
	start := func(actor string) *chemigram.Engine {
		e, err := chemigram.Open(ctx, &chemigram.Options{
			Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: dt.CLI, Actor: actor, OpenRemote: Open,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		return e
	}
	ann, ben := start("ann"), start("ben")
	path := filepath.Join(t.TempDir(), "a.dng")
	if err := scene.Write(path, scene.Chart{}, scene.Options{Megapixels: 0.1}); err != nil {
		t.Fatal(err)
	}
	try[chemigram.IngestResult](t)(ann.Ingest(ctx, chemigram.IngestParams{RawPath: path}))
	addRemote(t, location, ann, ben)
	try[chemigram.PushResult](t)(ann.Push(ctx, chemigram.PushParams{ImageID: "a", WithRaw: true}))
	try[chemigram.CloneImageResult](t)(ben.CloneImage(ctx, chemigram.CloneImageParams{RemoteImage: "a", WithRaw: true}))

	// The train leaves.
	spoil := func(now func(*http.Request) fault) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.spoil = now
	}
	spoil(func(*http.Request) fault { return loseRequest })
	made := map[string]string{} // the edits, with who made them
	edit := func(e *chemigram.Engine, who string, moves ...string) {
		t.Helper()
		for i := range 50 {
			value := 0.05 + float64(i)/200 + random.Float64()/400
			r := try[chemigram.EditResult](t)(e.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: "a", PrimitiveName: moves[i%len(moves)], Value: &value}))
			if !r.Changed {
				t.Errorf("%s's edit %d changes nothing", who, i)
			}
			made[r.Event] = who
		}
	}
	edit(ann, "ann", "exposure", "contrast")
	edit(ben, "ben", "exposure", "vignette", "saturation")
	alone := map[string]*pixel.Image{"ann": look(t, ann), "ben": look(t, ben)}
	if _, err := ben.Push(ctx, chemigram.PushParams{ImageID: "a"}); chemigram.AsError(err).Details["reason"] != "unreachable" {
		t.Errorf("in the train: %v", err)
	}

	// It arrives, and the network is bad.
	spoil(func(*http.Request) fault { // under the front's lock
		if random.IntN(4) > 0 {
			return none
		}
		return fault(1 + random.IntN(int(delay)))
	})
	push := func(e *chemigram.Engine) error {
		return insist(func() error {
			_, err := e.Push(ctx, chemigram.PushParams{ImageID: "a"})
			return err
		})
	}
	pull := func(e *chemigram.Engine, resolve ...chemigram.Resolution) (r chemigram.PullResult) {
		t.Helper()
		err := insist(func() (err error) {
			r, err = e.Pull(ctx, chemigram.PullParams{ImageID: "a", Resolve: resolve})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if err := push(ann); err != nil {
		t.Fatal(err)
	}
	if err := push(ben); chemigram.AsError(err).Details["winner_actor"] != "ann" {
		t.Errorf("ben pushes beside ann: %v", err)
	}
	merged := pull(ben)
	if len(merged.Conflicts) != 1 || merged.Conflicts[0].Module != "exposure" || merged.Conflicts[0].Field != "exposure" ||
		merged.Conflicts[0].Ours == merged.Conflicts[0].Theirs || merged.Changed {
		t.Errorf("both have changed the exposure: %+v", merged.MergeResult)
	}
	merged = pull(ben, chemigram.Resolution{Module: "exposure", Field: "exposure", Take: chemigram.Theirs})
	if len(merged.Conflicts) > 0 || !merged.Changed {
		t.Errorf("%+v", merged.MergeResult)
	}
	if err := push(ben); err != nil {
		t.Fatal(err)
	}
	back := pull(ann)
	f.later.Wait()
	spoil(nil)
	if back.Event != merged.Event || back.SnapshotHash != merged.SnapshotHash {
		t.Errorf("ann is at %s %s, ben at %s %s", back.Event, back.SnapshotHash, merged.Event, merged.SnapshotHash)
	}
	for who, e := range map[string]*chemigram.Engine{"ann": ann, "ben": ben} {
		allThere(t, ctx, who, e, made)
	}
	if found := try[chemigram.VerifyResult](t)(ann.Verify(ctx, chemigram.VerifyParams{Remote: "bucket"})); len(found.Findings) > 0 {
		t.Errorf("%+v", found.Findings)
	}
	anns, bens := look(t, ann), look(t, ben)
	if d, err := pixel.Compare(anns, bens); err != nil || d.Max != 0 {
		t.Errorf("the pictures differ: %+v, %v", d, err)
	}
	for who, before := range alone { // each has what the other did
		if d, err := pixel.Compare(anns, before); err != nil || d.Mean < 0.5 {
			t.Errorf("it is the look that %s had alone: %+v, %v", who, d, err)
		}
	}
}

// allThere makes sure that an image's history has all edits.
func allThere(t *testing.T, ctx context.Context, who string, e *chemigram.Engine, made map[string]string) {
	t.Helper()
	there := map[string]bool{}
	log := try[chemigram.LogResult](t)(e.Log(ctx, chemigram.LogParams{ImageID: "a", Limit: 500}))
	for _, entry := range log.Entries {
		there[entry.Event] = true
	}
	for event, by := range made {
		if !there[event] {
			t.Errorf("%s does not have %s's %s", who, by, event)
		}
	}
	if len(made) != 100 {
		t.Errorf("%d edits", len(made))
	}
}

// look develops what an image looks like now, exactly.
func look(t *testing.T, e *chemigram.Engine) *pixel.Image {
	t.Helper()
	r := try[chemigram.RenderPreviewResult](t)(e.RenderPreview(t.Context(), chemigram.RenderPreviewParams{ImageID: "a", Size: 300, Quality: chemigram.QualityExact}))
	data, err := os.ReadFile(r.JPEGPath)
	if err != nil {
		t.Fatal(err)
	}
	i, err := pixel.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", r.JPEGPath, err))
	}
	return i
}
