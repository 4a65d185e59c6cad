package chemigram

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// workerEnv makes the test program a process that edits, and says on its
// standard output what it was told has happened.
const workerEnv = "CHEMIGRAM_ENGINE_WORKER"

func TestMain(m *testing.M) {
	if work := os.Getenv(workerEnv); work != "" {
		if err := editForever(work); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if workspace := os.Getenv(appendIn); workspace != "" {
		fmt.Println(appendForever(workspace))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// told is what a worker says after each verb.
type told struct {
	Verb    string
	Head    string // the look of "a"
	Hash    string // a snapshot that was published
	Ref     string // a branch or tag that was made
	NoRef   string // one that was deleted
	Deleted bool   // "b" is in the trash
}

// editForever does verbs of an engine: "seed\nworkspace".
func editForever(work string) error {
	seed, root, _ := strings.Cut(work, "\n")
	n, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return err
	}
	ctx := WithReason(context.Background(), "a test")
	e, err := Open(ctx, &Options{Workspace: root, Darktable: filepath.Join(root, "no-darktable-here")})
	if err != nil {
		return err
	}
	r, out := rand.New(rand.NewPCG(n, 1)), json.NewEncoder(os.Stdout)
	for i := 0; ; i++ {
		t, err := anyVerb(ctx, e, r, fmt.Sprintf("w%d-%d", n, i))
		if errors.Is(err, ErrVersioning) { // nothing to undo or redo
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.Verb, err)
		}
		now, err := e.GetState(ctx, GetStateParams{ImageID: "a"})
		if err != nil {
			return err
		}
		t.Head = *now.HeadHash
		if err := out.Encode(t); err != nil {
			return err
		}
	}
}

func anyVerb(ctx context.Context, e *Engine, r *rand.Rand, name string) (t told, err error) {
	t.Verb = []string{"apply", "apply", "apply", "snapshot", "branch", "tag", "reset", "undo", "redo", "delete_ref", "delete_image"}[r.IntN(11)]
	switch t.Verb {
	case "apply":
		ev := r.Float64()*4 - 2
		var res EditResult
		res, err = e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &ev})
		t.Hash = res.SnapshotHash
	case "snapshot":
		var res SnapshotResult
		res, err = e.Snapshot(ctx, SnapshotParams{ImageID: "a", Label: name})
		t.Hash = res.Hash
	case "branch":
		var res RefResult
		res, err = e.Branch(ctx, BranchParams{ImageID: "a", Name: name})
		t.Ref = res.Ref
	case "tag":
		var res RefResult
		res, err = e.Tag(ctx, TagParams{ImageID: "a", Name: name})
		t.Ref = res.Ref
	case "reset":
		_, err = e.Reset(ctx, ResetParams{ImageID: "a"})
	case "undo":
		_, err = e.Undo(ctx, UndoParams{ImageID: "a"})
	case "redo":
		_, err = e.Redo(ctx, UndoParams{ImageID: "a"})
	case "delete_ref":
		var res RefResult
		if res, err = e.Branch(ctx, BranchParams{ImageID: "a", Name: name}); err == nil {
			_, err = e.DeleteRef(ctx, DeleteRefParams{ImageID: "a", Name: res.Ref})
		}
		t.NoRef = res.Ref
	case "delete_image":
		var trash ListTrashResult
		if trash, err = e.ListTrash(ctx, ListTrashParams{}); err == nil && trash.Total > 0 {
			_, err = e.RestoreImage(ctx, RestoreImageParams{TrashName: trash.Images[0].TrashName})
		} else if err == nil {
			_, err = e.DeleteImage(ctx, DeleteImageParams{ImageID: "b"})
			t.Deleted = true
		}
	}
	return t, err
}

// A process that edits is killed at any instant. What it was told has happened
// has happened; at most the verb that it was in has happened, too.
func TestAKilledEditorLosesNothing(t *testing.T) {
	kills := int64(6)
	if os.Getenv("CI") != "" && !testing.Short() {
		kills = 70
	}
	var started, verbs atomic.Int64
	var group sync.WaitGroup
	for lane := range uint64(4) {
		e := openWithout(t, Options{})
		add(t, e, "a", "5.4.1")
		add(t, e, "b", "5.4.1")
		group.Go(func() {
			r := rand.New(rand.NewPCG(lane, 5))
			for life := uint64(1); started.Add(1) <= kills && !t.Failed(); life++ {
				told := killEditor(t, r, lane*1000+life, e.workspace.root)
				verbs.Add(int64(len(told)))
				wantTold(t, e.workspace.root, told)
			}
		})
	}
	group.Wait()
	if got := min(started.Load(), kills); got < kills || verbs.Load() < kills {
		t.Errorf("%d kills after %d verbs, want %d kills", got, verbs.Load(), kills)
	}
	t.Logf("%d kills after %d verbs", kills, verbs.Load())
}

// killEditor kills a worker a moment after its first verb.
func killEditor(t *testing.T, r *rand.Rand, seed uint64, root string) (all []told) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d\n%s", workerEnv, seed, root))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err = errors.Join(err, cmd.Start()); err != nil {
		t.Error(err)
		return nil
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var one told
		if json.Unmarshal(lines.Bytes(), &one) != nil {
			break // it died in the middle of the line
		}
		if all = append(all, one); len(all) == 1 {
			time.AfterFunc(time.Duration(r.IntN(20_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // it was killed
	if len(all) == 0 {
		t.Errorf("worker %d did nothing", seed)
	}
	return all
}

// wantTold looks at what a worker left, as a program that starts now finds it.
func wantTold(t *testing.T, root string, all []told) {
	ctx := t.Context()
	e, err := Open(ctx, &Options{Workspace: root, Darktable: filepath.Join(root, "no-darktable-here")})
	if err != nil {
		t.Error(err)
		return
	}
	defer e.Close()
	log, err := e.Log(ctx, LogParams{ImageID: "a", Limit: 3})
	if err != nil || len(all) == 0 {
		t.Errorf("after the kill: %v", err)
		return
	}
	// The verb that it was in may have moved the branch, by one step: then the
	// worker's last look is one that undo or redo comes to, or the parent's.
	last := all[len(all)-1]
	if log.Entries[0].StateHash != last.Head && !nearby(t, e, last.Head) {
		t.Errorf("the head is %.8s, %s; told was %.8s", log.Entries[0].StateHash, log.Entries[0].Op, last.Head)
	}
	img, err := e.image("a")
	if err != nil {
		t.Error(err)
		return
	}
	refs := map[string]bool{}
	have, err := img.history.Refs(ctx)
	if err != nil {
		t.Error(err)
	}
	for _, ref := range have {
		refs[ref.Name] = true
	}
	for _, one := range all {
		if one.Hash != "" {
			if _, err := img.at(ctx, RefOrHash(one.Hash)); err != nil {
				t.Errorf("the snapshot of %s: %v", one.Verb, err)
			}
		}
		if one.Ref != "" && !refs[one.Ref] || one.NoRef != "" && refs[one.NoRef] {
			t.Errorf("after %s the ref %s%s is there: %v", one.Verb, one.Ref, one.NoRef, refs[one.Ref])
		}
	}
	found, err := e.Verify(ctx, VerifyParams{})
	if err != nil {
		t.Error(err)
	}
	for _, f := range found.Findings {
		if f.Fault != "raw_missing" { // these images have none
			t.Errorf("verify finds %+v", f)
		}
	}
	wantOnePlace(t, e)
}

// nearby tells whether a look is one step away: one verb that was not told of
// may have moved the branch.
func nearby(t *testing.T, e *Engine, look string) bool {
	ctx := t.Context()
	for there, back := range map[string]func(context.Context, UndoParams) (UndoResult, error){"undo": e.Redo, "redo": e.Undo} {
		step := e.Undo
		if there == "redo" {
			step = e.Redo
		}
		res, err := step(ctx, UndoParams{ImageID: "a"})
		if err != nil {
			continue
		}
		if _, err := back(ctx, UndoParams{ImageID: "a"}); err != nil {
			t.Error(err)
		}
		if *res.StateAfter.HeadHash == look {
			return true
		}
	}
	return false
}

// wantOnePlace makes sure that "b" is in the workspace or in the trash, and that
// nothing is left over.
func wantOnePlace(t *testing.T, e *Engine) {
	_, err := e.GetState(t.Context(), GetStateParams{ImageID: "b"})
	trash, trashErr := e.ListTrash(t.Context(), ListTrashParams{})
	if here := err == nil; trashErr != nil || here != (trash.Total == 0) || trash.Total > 1 {
		t.Errorf("b is here: %v, in the trash %d times, %v", err, trash.Total, trashErr)
	}
	left, err := filepath.Glob(filepath.Join(e.workspace.root, "images", "*", "history", "*.tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("%q, %v are left over", left, err)
	}
}
