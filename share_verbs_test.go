package chemigram

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

// shared2 gives two engines, of ann and ben, that share the image a through a folder.
func shared2(t *testing.T) (ann, ben *Engine, nas string) {
	t.Helper()
	ann, _ = faulty(t, testutil.Works)
	nas = t.TempDir()
	ben = openElsewhere(t, &Options{Actor: "ben"})
	for _, e := range []*Engine{ann, ben} {
		if _, err := e.AddRemote(t.Context(), AddRemoteParams{Remote: "nas", Location: nas}); err != nil {
			t.Fatal(err)
		}
	}
	return ann, ben, nas
}

// openElsewhere opens an engine without a darktable in a workspace of its own.
func openElsewhere(t *testing.T, o *Options) *Engine {
	t.Helper()
	dir := t.TempDir()
	o.Workspace, o.Darktable = filepath.Join(dir, "workspace"), filepath.Join(dir, "none")
	e, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// try fails the test unless a verb succeeds.
func try[R any](t *testing.T) func(R, error) R {
	return func(r R, err error) R {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func setTo(t *testing.T, e *Engine, move string, value float64) {
	t.Helper()
	try[EditResult](t)(e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: move, Value: &value}))
}

func TestTwoWorkspacesMeetAgainAfterATrainRide(t *testing.T) {
	ann, ben, _ := shared2(t)
	ctx := t.Context()
	setTo(t, ann, "exposure", 0.1)
	try[PushResult](t)(ann.Push(ctx, PushParams{ImageID: "a"}))
	cloned := try[CloneImageResult](t)(ben.CloneImage(ctx, CloneImageParams{RemoteImage: "a"}))
	if !cloned.Created || cloned.Snapshots != 2 || cloned.RawFound {
		t.Fatalf("%+v", cloned)
	}
	for i := range 20 {
		setTo(t, ann, "warmth", float64(i+1))
		setTo(t, ben, "contrast", float64(i+1)/40)
	}
	setTo(t, ann, "exposure", 0.5)
	setTo(t, ben, "exposure", -0.5)
	try[PushResult](t)(ann.Push(ctx, PushParams{ImageID: "a"}))
	_, err := ben.Push(ctx, PushParams{ImageID: "a"})
	if failed := AsError(err); failed.Code != ErrVersioning || failed.Details["winner"] == nil || !strings.Contains(failed.Message, "pull") {
		t.Fatalf("ben's push: %v", err)
	}
	before := try[State](t)(ben.GetState(ctx, GetStateParams{ImageID: "a"}))
	pulled := try[PullResult](t)(ben.Pull(ctx, PullParams{ImageID: "a"}))
	if pulled.Changed || pulled.Snapshots != 21 || len(pulled.Conflicts) != 1 || pulled.Conflicts[0].Module != "exposure" || pulled.Conflicts[0].Field != "exposure" {
		t.Fatalf("%+v", pulled)
	}
	if now := try[State](t)(ben.GetState(ctx, GetStateParams{ImageID: "a"})); *now.HeadHash != *before.HeadHash {
		t.Error("the branch has moved in spite of a conflict")
	}
	pulled = try[PullResult](t)(ben.Pull(ctx, PullParams{ImageID: "a", Prefer: Theirs}))
	if !pulled.Changed || len(pulled.Conflicts) != 0 {
		t.Fatalf("%+v", pulled)
	}
	try[PushResult](t)(ben.Push(ctx, PushParams{ImageID: "a"}))
	back := try[PullResult](t)(ann.Pull(ctx, PullParams{ImageID: "a"}))
	if !back.Changed || back.SnapshotHash != pulled.SnapshotHash || back.Event != pulled.Event {
		t.Errorf("ann has %s, ben has %s", back.SnapshotHash, pulled.SnapshotHash)
	}
	log := try[LogResult](t)(ann.Log(ctx, LogParams{ImageID: "a", Limit: 100}))
	if log.Total != 45 { // baseline, one, twice 21, the merge
		t.Errorf("%d snapshots lead there", log.Total)
	}
	for _, e := range []*Engine{ann, ben} {
		if found := try[VerifyResult](t)(e.Verify(ctx, VerifyParams{})); len(slices.DeleteFunc(found.Findings, isRawMissing)) > 0 {
			t.Errorf("verify finds %+v", found.Findings)
		}
	}
	if again := try[PullResult](t)(ann.Pull(ctx, PullParams{ImageID: "a"})); again.Changed {
		t.Errorf("%+v", again)
	}
}

// isRawMissing reports whether a finding is that of a clone without its raw.
func isRawMissing(f FaultFinding) bool { return strings.Contains(string(f.Fault), "raw") }

func TestNotesBriefsAndRatingsTravelAndTastesDoNot(t *testing.T) {
	ann, ben, nas := shared2(t)
	ctx := t.Context()
	file := func(e *Engine, name string) string { return filepath.Join(e.WorkspaceDir(), "images", "a", name) }
	write := func(e *Engine, name, text string) {
		t.Helper()
		if err := os.WriteFile(file(e, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func(e *Engine, name string) string {
		data, _ := os.ReadFile(file(e, name))
		return string(data)
	}
	four, five := Rating(4), Rating(5)
	try[Marks](t)(ann.SetRating(ctx, SetRatingParams{ImageID: "a", Rating: &four}))
	write(ann, "notes.md", "- one\n")
	write(ann, "brief.md", "For the wall.\n")
	try[PushResult](t)(ann.Push(ctx, PushParams{ImageID: "a"}))
	try[CloneImageResult](t)(ben.CloneImage(ctx, CloneImageParams{RemoteImage: "a"}))
	if read(ben, "notes.md") != "- one\n" || read(ben, "brief.md") != "For the wall.\n" || !strings.Contains(read(ben, "marks.json"), "4") {
		t.Errorf("ben has %q, %q, %q", read(ben, "notes.md"), read(ben, "brief.md"), read(ben, "marks.json"))
	}
	write(ann, "notes.md", "- one\n- two, by ann\n")
	write(ben, "notes.md", "- one\n- three, by ben\n")
	try[Marks](t)(ben.SetRating(ctx, SetRatingParams{ImageID: "a", Rating: &five}))
	try[PushResult](t)(ben.Push(ctx, PushParams{ImageID: "a"}))
	try[PushResult](t)(ann.Push(ctx, PushParams{ImageID: "a"}))
	try[PullResult](t)(ben.Pull(ctx, PullParams{ImageID: "a"}))
	for _, e := range []*Engine{ann, ben} {
		notes := read(e, "notes.md")
		if strings.Count(notes, "one") != 1 || strings.Count(notes, "two") != 1 || strings.Count(notes, "three") != 1 || !strings.Contains(read(e, "marks.json"), "5") {
			t.Errorf("%q, %q", notes, read(e, "marks.json"))
		}
	}
	err := filepath.WalkDir(nas, func(path string, _ os.DirEntry, err error) error {
		if strings.Contains(path, "taste") {
			t.Errorf("%s is there", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestARawTravelsOnRequest(t *testing.T) {
	ann, ben, nas := shared2(t)
	ctx := t.Context()
	try[PushResult](t)(ann.Push(ctx, PushParams{ImageID: "a"}))
	if _, err := ben.CloneImage(ctx, CloneImageParams{RemoteImage: "a", WithRaw: true}); !errors.Is(err, ErrNotFound) {
		t.Errorf("a raw that nobody has sent: %v", err)
	}
	if sent := try[PushResult](t)(ann.Push(ctx, PushParams{ImageID: "a", WithRaw: true})); !sent.RawSent || sent.Changed {
		t.Errorf("%+v", sent)
	}
	if sent := try[PushResult](t)(ann.Push(ctx, PushParams{ImageID: "a", WithRaw: true})); sent.RawSent {
		t.Errorf("sent twice: %+v", sent)
	}
	raws, err := filepath.Glob(filepath.Join(nas, "raws", "*", "*"))
	if err != nil || len(raws) != 1 {
		t.Fatal(raws, err)
	}
	content, err := os.ReadFile(raws[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(raws[0], []byte("for the FAKE"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ben.CloneImage(ctx, CloneImageParams{RemoteImage: "a", WithRaw: true}); !errors.Is(err, ErrVersioning) {
		t.Errorf("a damaged raw: %v", err)
	}
	if err := os.WriteFile(raws[0], content, 0o600); err != nil {
		t.Fatal(err)
	}
	if cloned := try[CloneImageResult](t)(ben.CloneImage(ctx, CloneImageParams{RemoteImage: "a", WithRaw: true})); !cloned.RawFound || !cloned.Created {
		t.Errorf("%+v", cloned)
	}
	kept, err := filepath.Glob(filepath.Join(ben.WorkspaceDir(), "raws", "*", "*"))
	if err != nil || len(kept) != 1 || filepath.Base(kept[0]) != "a.dng" {
		t.Fatal(kept, err)
	}
	if got, err := os.ReadFile(kept[0]); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%q, %v", got, err)
	}
	if again := try[CloneImageResult](t)(ben.CloneImage(ctx, CloneImageParams{RemoteImage: "a"})); again.Created {
		t.Errorf("%+v", again)
	}
}

// A remote is where its user allows it, and never in a workspace.
func TestARemoteIsWhereItMayBe(t *testing.T) {
	t.Parallel()
	allowed := t.TempDir()
	e := openElsewhere(t, &Options{ExportRoots: []string{allowed}})
	for location, want := range map[string]Code{
		t.TempDir(): ErrPermission, filepath.Join(allowed, "missing"): ErrState,
		filepath.Join(e.WorkspaceDir(), "images"): ErrPermission, "s3://bucket": ErrNotImplemented, "s3://me:secret@bucket": ErrInvalidInput,
	} {
		_, err := e.AddRemote(t.Context(), AddRemoteParams{Remote: "nas", Location: location})
		if AsError(err).Code != want || strings.Contains(AsError(err).Message, "secret") {
			t.Errorf("%s: %v", location, err)
		}
		if missing := filepath.Base(location) == "missing"; missing && !strings.Contains(AsError(err).Message, "there is no folder "+location) {
			t.Errorf("it is not said what is missing: %v", err)
		}
	}
	if list := try[ListRemotesResult](t)(e.ListRemotes(t.Context(), ListRemotesParams{})); len(list.Remotes) != 0 {
		t.Errorf("%+v", list)
	}
	for name, want := range map[RemoteName]Code{"../x": ErrInvalidInput, "N": ErrInvalidInput, "nas": ""} {
		_, err := e.AddRemote(t.Context(), AddRemoteParams{Remote: name, Location: allowed})
		if err != nil && AsError(err).Code != want || err == nil && want != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := e.AddRemote(t.Context(), AddRemoteParams{Remote: "nas", Location: filepath.Join(allowed, ".")}); err != nil {
		t.Errorf("added again: %v", err)
	}
}

// A disk that is taken away and connected again is found again, and what is in its place
// meanwhile is not filled.
func TestADiskThatIsNotConnectedIsNotFilled(t *testing.T) {
	ann, _, nas := shared2(t)
	ctx := t.Context()
	try[PushResult](t)(ann.Push(ctx, PushParams{ImageID: "a"}))
	away := nas + "-away"
	if err := os.Rename(nas, away); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(away) })
	setTo(t, ann, "exposure", 0.1)
	unreachable := func(what string) {
		t.Helper()
		_, err := ann.Push(ctx, PushParams{ImageID: "a"})
		if failed := AsError(err); failed.Code != ErrState || failed.Details["reason"] != "unreachable" {
			t.Errorf("%s: %v", what, err)
		}
	}
	unreachable("no folder")
	if err := os.Mkdir(nas, 0o700); err != nil {
		t.Fatal(err)
	}
	unreachable("an empty folder")
	if entries, err := os.ReadDir(nas); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v is in the empty folder", entries, err)
	}
	if err := errors.Join(os.Remove(nas), os.Rename(away, nas)); err != nil {
		t.Fatal(err)
	}
	if sent := try[PushResult](t)(ann.Push(ctx, PushParams{ImageID: "a"})); sent.Snapshots != 1 {
		t.Errorf("%+v", sent)
	}
}
