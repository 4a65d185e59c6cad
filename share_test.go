package chemigram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
)

// shared are the images that all processes edit.
var shared = []ImageID{"a", "b", "c", "d"}

// editTogether does verbs on the shared images: a number of its own, how many
// verbs, the workspace. It says after each verb what has happened.
func editTogether(args []string) error {
	number, err1 := strconv.Atoi(args[0])
	count, err2 := strconv.Atoi(args[1])
	engine, err := Open(context.Background(), &Options{
		Workspace: args[2], Darktable: filepath.Join(args[2], "no-darktable-here"), LockWait: time.Minute,
	})
	if err := errors.Join(err1, err2, err); err != nil {
		return err
	}
	n, out := 0, json.NewEncoder(os.Stdout)
	e := editor{
		Engine: engine, ctx: context.Background(), r: rand.New(rand.NewPCG(uint64(number), 9)),
		name:   func() string { n++; return fmt.Sprintf("p%d-%d", number, n) },
		report: func(t report) error { return out.Encode(t) },
	}
	for range count {
		said, err := e.anyVerb(shared[e.r.IntN(len(shared))])
		if err != nil && !stated(err) {
			return fmt.Errorf("%s: %w", said.Verb, err)
		}
		if err == nil {
			err = e.report(said)
		} else {
			err = e.report(report{Verb: "conflict", Image: said.Image})
		}
		if err != nil {
			return err
		}
	}
	return engine.Close()
}

// stated reports whether a verb failed for what the others do: there is nothing to
// undo, HEAD is at a tag, the parts do not merge, or another has just deleted the
// branch.
func stated(err error) bool {
	return errors.Is(err, ErrVersioning) || errors.Is(err, ErrState) || errors.Is(err, ErrNotFound)
}

// anyVerb does one verb on an image.
func (e editor) anyVerb(id ImageID) (t report, err error) {
	t.Image = id
	t.Verb = []string{
		"apply_primitive", "apply_primitive", "apply_primitive", "apply_primitive", "snapshot", "branch", "tag", "checkout",
		"checkout main", "undo", "redo", "reset", "remove_module", "merge", "delete_ref", "get_state", "log", "diff",
	}[e.r.IntN(18)]
	switch t.Verb {
	case "apply_primitive":
		value := e.r.Float64() - 0.5
		move := []string{"exposure", "contrast", "saturation"}[e.r.IntN(3)]
		var res EditResult
		res, err = e.ApplyPrimitive(e.ctx, ApplyPrimitiveParams{ImageID: id, PrimitiveName: move, Value: &value})
		t.Hash = res.Event
	case "remove_module":
		var res EditResult
		res, err = e.RemoveModule(e.ctx, RemoveModuleParams{ImageID: id, ModuleName: "exposure"})
		t.Hash = res.Event
	case "snapshot":
		var res SnapshotResult
		res, err = e.Snapshot(e.ctx, SnapshotParams{ImageID: id, Label: e.name()})
		t.Hash = res.Event
	case "branch", "delete_ref":
		var res RefResult
		if res, err = e.Branch(e.ctx, BranchParams{ImageID: id, Name: e.name()}); err != nil {
			return t, err
		}
		if t.Verb == "branch" {
			t.Ref = res.Ref
			return t, nil
		}
		_, err = e.DeleteRef(e.ctx, DeleteRefParams{ImageID: id, Name: res.Ref, Reason: "a test"})
		t.NoRef = res.Ref
	case "tag":
		var res RefResult
		res, err = e.Tag(e.ctx, TagParams{ImageID: id, Name: e.name()})
		t.Ref = res.Ref
	case "checkout", "merge":
		var have LogResult
		if have, err = e.Log(e.ctx, LogParams{ImageID: id}); err != nil {
			return t, err
		}
		ref := RefOrHash(have.Refs[e.r.IntN(len(have.Refs))])
		if t.Verb == "checkout" {
			_, err = e.Checkout(e.ctx, CheckoutParams{ImageID: id, RefOrHash: ref})
		} else {
			var res MergeResult
			res, err = e.Merge(e.ctx, MergeParams{ImageID: id, RefOrHash: ref, Prefer: Ours})
			t.Hash = res.Event
		}
	default:
		err = e.moveOrLook(t.Verb, id)
	}
	return t, err
}

// moveOrLook does a verb that publishes nothing.
func (e editor) moveOrLook(verb string, id ImageID) (err error) {
	switch verb {
	case "checkout main":
		_, err = e.Checkout(e.ctx, CheckoutParams{ImageID: id, RefOrHash: "main"})
	case "undo":
		_, err = e.Undo(e.ctx, UndoParams{ImageID: id})
	case "redo":
		_, err = e.Redo(e.ctx, UndoParams{ImageID: id})
	case "reset":
		_, err = e.Reset(e.ctx, ResetParams{ImageID: id})
	case "get_state":
		_, err = e.GetState(e.ctx, GetStateParams{ImageID: id})
	case "log":
		_, err = e.Log(e.ctx, LogParams{ImageID: id})
	case "diff":
		_, err = e.Diff(e.ctx, DiffParams{ImageID: id, HashA: "main", HashB: "HEAD"})
	}
	return err
}

// Processes share four images: what any of them reported is in the
// history, and verbs fail only for what the others do.
func TestManyProcessesEditTogether(t *testing.T) {
	processes, verbs := testutil.Repeats(3, 8, 8), testutil.Repeats(20, 60, 200)
	e := openWithout(t, Options{})
	for _, id := range shared {
		add(t, e, id, "5.4.1")
	}
	workers := make([]*testutil.Worker, processes)
	for p := range workers {
		workers[p] = testutil.StartWorker(t, "together", fmt.Sprint(p), fmt.Sprint(verbs), e.workspace.Root())
	}
	all := testutil.AllMessages[report](t, workers...)
	conflicts := len(all) - len(slices.DeleteFunc(slices.Clone(all), func(one report) bool { return one.Verb == "conflict" }))
	t.Logf("%d verbs, %d conflicts", len(all), conflicts)
	if len(all) != processes*verbs || conflicts > len(all)/4 {
		t.Errorf("%d verbs of %d, %d conflicts", len(all), processes*verbs, conflicts)
	}
	for _, id := range shared {
		wantNames(t, e, id, all)
	}
	wantSound(t, e)
}
