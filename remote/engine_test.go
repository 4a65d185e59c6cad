package remote

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

// openEngine opens an engine with a fake darktable, in a workspace of its own.
func openEngine(t *testing.T, actor string) *chemigram.Engine {
	t.Helper()
	darktable := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1", XMP: baseline.Packet("5.4.1")})
	e, err := chemigram.Open(t.Context(), &chemigram.Options{
		Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: darktable.CLI, Workers: -1, Actor: actor, OpenRemote: Open,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// raw is what the fake darktable takes for a raw.
var raw = bytes.Repeat([]byte("for the fake"), 500_000)

// openPair opens the engines of ann, who has the image a, and of ben.
func openPair(t *testing.T) (ann, ben *chemigram.Engine) {
	t.Helper()
	ann, ben = openEngine(t, "ann"), openEngine(t, "ben")
	path := filepath.Join(t.TempDir(), "a.dng")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	try[chemigram.IngestResult](t)(ann.Ingest(t.Context(), chemigram.IngestParams{RawPath: path}))
	return ann, ben
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

func setTo(t *testing.T, e *chemigram.Engine, move string, value float64) {
	t.Helper()
	try[chemigram.EditResult](t)(e.ApplyPrimitive(t.Context(), chemigram.ApplyPrimitiveParams{ImageID: "a", PrimitiveName: move, Value: &value}))
}

func addRemote(t *testing.T, location string, engines ...*chemigram.Engine) {
	t.Helper()
	for _, e := range engines {
		try[chemigram.RemoteResult](t)(e.AddRemote(t.Context(), chemigram.AddRemoteParams{Remote: "bucket", Location: location}))
	}
}

// Two workspaces share an image and its raw through a real S3 server. The requests of
// each verb are those that docs/sharing.md tells.
func TestTwoWorkspacesMeetInABucket(t *testing.T) {
	t.Run("plain", func(t *testing.T) { meetInABucket(t, gateway(t), "", 0, 0) })
	// Beside that, the key is made, after trying the place, and read.
	t.Run("encrypted", func(t *testing.T) { meetInABucket(t, gateway(t), agePrefix, 7, 3) })
}

func meetInABucket(t *testing.T, f *front, prefix string, toBegin, toOpen int) {
	ann, ben := openPair(t)
	ctx := t.Context()
	requests := func(what string, want int) {
		t.Helper()
		got, by := f.counted()
		if t.Logf("%s: %d requests %v", what, got, by); got > want {
			t.Errorf("%s: %d requests %v, want %d", what, got, by, want)
		}
	}
	f.counted()
	addRemote(t, prefix+f.location("pictures"), ann)
	requests("add_remote", 5+toBegin)
	pushed := try[chemigram.PushResult](t)(ann.Push(ctx, chemigram.PushParams{ImageID: "a", WithRaw: true}))
	requests("first push, with the raw", 11)
	if !pushed.RawSent || !pushed.Changed {
		t.Errorf("%+v", pushed)
	}
	addRemote(t, prefix+f.location("pictures"), ben)
	requests("add_remote of another", 6+toOpen)
	cloned := try[chemigram.CloneImageResult](t)(ben.CloneImage(ctx, chemigram.CloneImageParams{RemoteImage: "a", WithRaw: true}))
	requests("clone, with the raw", 10)
	if !cloned.Created || !cloned.RawFound {
		t.Errorf("%+v", cloned)
	}
	setTo(t, ann, "exposure", 0.3)
	try[chemigram.PushResult](t)(ann.Push(ctx, chemigram.PushParams{ImageID: "a"}))
	requests("push of an edit", 5)
	setTo(t, ben, "contrast", 0.1)
	if _, err := ben.Push(ctx, chemigram.PushParams{ImageID: "a"}); chemigram.AsError(err).Code != chemigram.ErrVersioning {
		t.Errorf("a push beside another: %v", err)
	}
	f.counted()
	merged := try[chemigram.PullResult](t)(ben.Pull(ctx, chemigram.PullParams{ImageID: "a"}))
	requests("pull of an edit", 5)
	try[chemigram.PushResult](t)(ben.Push(ctx, chemigram.PushParams{ImageID: "a"}))
	f.counted()
	back := try[chemigram.PullResult](t)(ann.Pull(ctx, chemigram.PullParams{ImageID: "a"}))
	if back.SnapshotHash != merged.SnapshotHash || len(merged.Conflicts) > 0 {
		t.Errorf("ann has %+v, ben has %+v", back, merged)
	}
	f.counted()
	try[chemigram.PullResult](t)(ann.Pull(ctx, chemigram.PullParams{ImageID: "a"}))
	requests("pull of nothing", 2)
	if found := try[chemigram.VerifyResult](t)(ann.Verify(ctx, chemigram.VerifyParams{Remote: "bucket"})); len(found.Findings) > 0 {
		t.Errorf("%+v", found.Findings)
	}
}

// Whatever a network loses, breaks and delays, both have all edits in the end.
func TestTwoWorkspacesMeetOverABadNetwork(t *testing.T) {
	f := fake(t)
	ann, ben := openPair(t)
	ctx := t.Context()
	addRemote(t, f.location("pictures"), ann, ben)
	try[chemigram.PushResult](t)(ann.Push(ctx, chemigram.PushParams{ImageID: "a"}))
	try[chemigram.CloneImageResult](t)(ben.CloneImage(ctx, chemigram.CloneImageParams{RemoteImage: "a"}))
	random := testutil.Random(t)
	f.spoil = func(*http.Request) fault {
		if random.IntN(4) > 0 {
			return none
		}
		return fault(random.IntN(int(delay) + 1))
	}
	// share pushes, after pulling what somebody else has pushed.
	share := func(e *chemigram.Engine) {
		for range 40 {
			_, err := e.Push(ctx, chemigram.PushParams{ImageID: "a"})
			if err == nil {
				return
			}
			if failed := chemigram.AsError(err); failed.Code == chemigram.ErrVersioning && failed.Details["winner"] != nil {
				_, err = e.Pull(ctx, chemigram.PullParams{ImageID: "a", Prefer: chemigram.Theirs})
			}
			if err != nil && chemigram.AsError(err).Details["reason"] != "unreachable" {
				t.Fatal(err)
			}
		}
		t.Fatal("nothing can be shared")
	}
	for i := range 4 {
		setTo(t, ann, "exposure", float64(i+1)/10)
		share(ann)
		setTo(t, ben, "contrast", float64(i+1)/40)
		share(ben)
	}
	f.spoil = nil
	pulled := try[chemigram.PullResult](t)(ann.Pull(ctx, chemigram.PullParams{ImageID: "a"}))
	log := try[chemigram.LogResult](t)(ben.Log(ctx, chemigram.LogParams{ImageID: "a", Limit: 100}))
	if pulled.Event != log.Entries[0].Event {
		t.Errorf("ann is at %s, ben at %s", pulled.Event, log.Entries[0].Event)
	}
	edits := 0
	for _, entry := range log.Entries {
		if entry.Op == "apply_primitive" {
			edits++
		}
	}
	if edits != 8 {
		t.Errorf("%d edits are there, want 8", edits)
	}
	if found := try[chemigram.VerifyResult](t)(ben.Verify(ctx, chemigram.VerifyParams{Remote: "bucket"})); len(found.Findings) > 0 {
		t.Errorf("%+v", found.Findings)
	}
}

func TestAddRemoteRefusesWhatIsUnsuitable(t *testing.T) {
	e := openEngine(t, "ann")
	for _, wrong := range []fault{ignoreCreation, claimCreation} {
		f := fake(t)
		f.spoil = func(*http.Request) fault { return wrong }
		_, err := e.AddRemote(t.Context(), chemigram.AddRemoteParams{Remote: "bucket", Location: f.location("pictures")})
		if failed := chemigram.AsError(err); failed.Code != chemigram.ErrState || failed.Details["reason"] != "unsuitable" {
			t.Errorf("fault %d: %v", wrong, err)
		}
	}
	if list := try[chemigram.ListRemotesResult](t)(e.ListRemotes(t.Context(), chemigram.ListRemotesParams{})); len(list.Remotes) > 0 {
		t.Errorf("%+v", list)
	}
}

// A folder is where it may be, however its scheme is written.
func TestAFolderIsNoWayAroundTheRoots(t *testing.T) {
	e, err := chemigram.Open(t.Context(), &chemigram.Options{
		Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: filepath.Join(t.TempDir(), "none"), ExportRoots: []string{t.TempDir()}, OpenRemote: Open,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for _, scheme := range []string{"", "file://", "FILE://", "File://"} {
		dir := t.TempDir()
		if _, err := e.AddRemote(t.Context(), chemigram.AddRemoteParams{Remote: "folder", Location: scheme + filepath.ToSlash(dir)}); err == nil {
			t.Errorf("%s leads out of the roots", scheme)
		}
		if entries, _ := os.ReadDir(dir); len(entries) > 0 {
			t.Errorf("%s: %v was written", scheme, entries)
		}
	}
}

// Neither an error nor a file of the workspace has a credential.
func TestCredentialsAreNeverTold(t *testing.T) {
	f := gateway(t)
	e := openEngine(t, "ann")
	add := func(location string, want chemigram.Code) {
		t.Helper()
		_, err := e.AddRemote(t.Context(), chemigram.AddRemoteParams{Remote: "bucket", Location: location})
		if chemigram.AsError(err).Code != want {
			t.Errorf("got %v, want %s", err, want)
		}
		for cause := err; cause != nil; cause = errors.Unwrap(cause) {
			sealedLips(t, cause)
		}
	}
	add(f.location("pictures")+"&X-Amz-Signature=hunter2", chemigram.ErrInvalidInput)
	add("s3://hunter2@pictures", chemigram.ErrInvalidInput)
	add(f.location("none"), chemigram.ErrState)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "hunter2hunter2hunter2")
	add(f.location("pictures"), chemigram.ErrPermission)
	t.Setenv("AWS_ACCESS_KEY_ID", "hunter2hunter2")
	add(f.location("pictures"), chemigram.ErrPermission)
	for name, text := range testutil.Contents(t, e.WorkspaceDir()) {
		if strings.Contains(text, "hunter2") || strings.Contains(text, secretKey) {
			t.Errorf("%s has a credential", name)
		}
	}
}
