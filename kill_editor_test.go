package chemigram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
)

// TestMain makes this test program one that edits, when it is asked to.
func TestMain(m *testing.M) {
	os.Exit(testutil.RunTests(m, map[string]testutil.Work{
		"rivals": rivals, "import": importOne, "edit": editForever, "append": appendForever, "together": editTogether,
		"propagate": propagateForever, "ingest folder": ingestFolder, "come and go": comeAndGo,
	}))
}

// report is what an editor prints after each verb, when it has returned.
type report struct {
	Verb  string
	Image ImageID
	Head  string // the image's look now; "" of one that is deleted
	Hash  string // a snapshot that was published, and that nothing prunes
	Ref   string // a branch or tag that was made
	NoRef string // one that was deleted
	File  string // a bundle that was written
}

// editor does verbs of an engine until it is killed: on "a", whose snapshots all
// stay; on "c", which is pruned; with "b", which goes to the trash and comes
// back; and with images that come in from bundles.
type editor struct {
	*Engine
	ctx    context.Context //nolint:containedctx // an editor is one call
	r      *rand.Rand
	name   func() string // a name that was not given yet
	report func(report) error
}

// editForever gets a number, which says what to begin with, and a workspace.
func editForever(args []string) error {
	life, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	ctx := context.Background()
	engine, err := Open(ctx, &Options{Workspace: args[1], Darktable: filepath.Join(args[1], "no-darktable-here")})
	if err != nil {
		return err
	}
	n, out := 0, json.NewEncoder(os.Stdout)
	e := editor{
		Engine: engine, ctx: ctx, r: rand.New(rand.NewPCG(uint64(life), 1)),
		name:   func() string { n++; return fmt.Sprintf("w%d-%d", life, n) },
		report: func(t report) error { return out.Encode(t) },
	}
	for plan := life; ; plan = e.r.IntN(len(plans)) {
		if err := plans[plan%len(plans)](e); err != nil {
			return err
		}
	}
}

// plans are what an editor does in one go, verb by verb.
var plans = []func(editor) error{
	editor.edit, editor.edit, editor.names, editor.goBack, editor.merge, editor.merge, editor.pick, editor.thin,
	editor.throwAway, editor.carry,
}

func (e editor) edit() error { return e.apply("a", "exposure") }

func (e editor) names() error {
	return errors.Join(e.snapshot(), e.branch("a", e.name()), e.tag("a"), e.deleteRef())
}

func (e editor) goBack() error {
	return errors.Join(e.edit(), e.undo("a"), e.redo("a"), e.reset("a"))
}

// did tells of a verb that returned.
func (e editor) did(t report, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", t.Verb, err)
	}
	now, err := e.GetState(e.ctx, GetStateParams{ImageID: t.Image})
	if err == nil {
		t.Head = *now.HeadHash
	} else if !errors.Is(err, ErrNotFound) {
		return err
	}
	return e.report(t)
}

func (e editor) apply(id ImageID, move string) error {
	value := e.r.Float64() - 0.5
	res, err := e.ApplyPrimitive(e.ctx, ApplyPrimitiveParams{ImageID: id, PrimitiveName: move, Value: &value})
	t := report{Verb: "apply_primitive", Image: id}
	if id == "a" {
		t.Hash = res.Event
	}
	return e.did(t, err)
}

func (e editor) snapshot() error {
	res, err := e.Snapshot(e.ctx, SnapshotParams{ImageID: "a", Label: e.name()})
	return e.did(report{Verb: "snapshot", Image: "a", Hash: res.Event}, err)
}

func (e editor) branch(id ImageID, name string) error {
	res, err := e.Branch(e.ctx, BranchParams{ImageID: id, Name: name})
	return e.did(report{Verb: "branch", Image: id, Ref: res.Ref}, err)
}

func (e editor) tag(id ImageID) error {
	res, err := e.Tag(e.ctx, TagParams{ImageID: id, Name: e.name()})
	return e.did(report{Verb: "tag", Image: id, Ref: res.Ref}, err)
}

func (e editor) deleteRef() error {
	res, err := e.Branch(e.ctx, BranchParams{ImageID: "a", Name: e.name()})
	if err == nil {
		_, err = e.DeleteRef(e.ctx, DeleteRefParams{ImageID: "a", Name: res.Ref, Reason: "a test"})
	}
	return e.did(report{Verb: "delete_ref", Image: "a", NoRef: res.Ref}, err)
}

func (e editor) undo(id ImageID) error {
	_, err := e.Undo(e.ctx, UndoParams{ImageID: id})
	return e.did(report{Verb: "undo", Image: id}, err)
}

func (e editor) redo(id ImageID) error {
	_, err := e.Redo(e.ctx, UndoParams{ImageID: id})
	return e.did(report{Verb: "redo", Image: id}, err)
}

func (e editor) reset(id ImageID) error {
	_, err := e.Reset(e.ctx, ResetParams{ImageID: id})
	return e.did(report{Verb: "reset", Image: id}, err)
}

// part makes a branch that goes another way than main.
func (e editor) part() (RefOrHash, error) {
	side := e.name()
	return RefOrHash(side), errors.Join(e.apply("a", "contrast"), e.branch("a", side), e.undo("a"), e.edit())
}

func (e editor) merge() error {
	side, err := e.part()
	if err != nil {
		return err
	}
	res, err := e.Merge(e.ctx, MergeParams{ImageID: "a", RefOrHash: side, Prefer: Theirs})
	return e.did(report{Verb: "merge", Image: "a", Hash: res.Event}, err)
}

func (e editor) pick() error {
	side, err := e.part()
	if err != nil {
		return err
	}
	res, err := e.CherryPick(e.ctx, CherryPickParams{ImageID: "a", Event: side, Prefer: Theirs})
	return e.did(report{Verb: "cherry_pick", Image: "a", Hash: res.Event}, err)
}

// thin leaves a snapshot of "c" that nothing leads to, and prunes it.
func (e editor) thin() error {
	if err := errors.Join(e.apply("c", "exposure"), e.tag("c"), e.apply("c", "exposure"), e.undo("c")); err != nil {
		return err
	}
	now := Days(0)
	_, err := e.Prune(e.ctx, PruneParams{ImageID: "c", OlderThanDays: &now, Reason: "a test"})
	return e.did(report{Verb: "prune", Image: "c"}, err)
}

// throwAway deletes "b", unless one who was killed has done so, and brings it
// back.
func (e editor) throwAway() error {
	name, err := e.inTrash("b")
	if err != nil {
		return err
	}
	if name == "" {
		gone, err := e.DeleteImage(e.ctx, DeleteImageParams{ImageID: "b", Reason: "a test"})
		if err := e.did(report{Verb: "delete_image", Image: "b"}, err); err != nil {
			return err
		}
		name = gone.TrashName
	}
	_, err = e.RestoreImage(e.ctx, RestoreImageParams{TrashName: name})
	return e.did(report{Verb: "restore_image", Image: "b"}, err)
}

// inTrash finds the newest deleted image of an id in the trash; "" when there is
// none.
func (e *Engine) inTrash(id ImageID) (TrashName, error) {
	trash, err := e.workspace.Trash()
	for _, gone := range trash {
		if gone.ImageID == string(id) {
			return TrashName(gone.Name), err
		}
	}
	return "", err
}

// carry writes "a" into a bundle, brings it in as another image, brings that one
// forward with a later bundle, deletes it, and empties the trash of it.
func (e editor) carry() error {
	id := ImageID(e.name())
	for range 2 {
		out, err := e.ExportBundle(e.ctx, ExportBundleParams{ImageID: "a"})
		if err := e.did(report{Verb: "export_bundle", Image: "a", File: out.OutputPath}, err); err != nil {
			return err
		}
		in, err := e.ImportBundle(e.ctx, ImportBundleParams{BundlePath: out.OutputPath, ImageID: id})
		if err := errors.Join(e.did(report{Verb: "import_bundle", Image: in.ImageID}, err), e.edit()); err != nil {
			return err
		}
	}
	_, err := e.DeleteImage(e.ctx, DeleteImageParams{ImageID: id, Reason: "a test"})
	if err := e.did(report{Verb: "delete_image", Image: id}, err); err != nil {
		return err
	}
	if name, err := e.inTrash("b"); name != "" || err != nil {
		return err
	}
	_, err = e.workspace.EmptyTrash(time.Now())
	return e.did(report{Verb: "empty_trash", Image: id}, err)
}
