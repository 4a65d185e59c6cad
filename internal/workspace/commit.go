package workspace

import (
	"context"
	"errors"

	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// Edit is an edit of an image that is composed and not yet published.
type Edit struct {
	Image  *Image
	Ctx    context.Context //nolint:containedctx // it carries the lock of the image's history
	Next   *xmp.Sidecar
	Change versioning.Change
	Marks  *Marks // that it gets, too
}

// Committed is what became of an edit.
type Committed struct {
	Version Version
	Changed bool // there is a new snapshot
}

// Commit publishes one edit, with its marks: all or nothing.
func (w *Workspace) Commit(ctx context.Context, edit Edit) (Committed, error) {
	if edit.Marks == nil { // one commit is all or nothing by itself
		return edit.commit()
	}
	done, err := w.CommitAll(ctx, edit.Change.Op, []Edit{edit})
	if err != nil {
		return Committed{}, err
	}
	return done[0], nil
}

// CommitAll publishes edits, whose images' locks the caller holds, by image id: all of
// them or, also when the process is killed in the middle, none. What was published is
// taken back then, at the latest when one of the images is opened or written to.
func (w *Workspace) CommitAll(ctx context.Context, verb string, edits []Edit) ([]Committed, error) {
	in := intent{Verb: verb}
	for _, edit := range edits {
		change, err := edit.intended()
		if err != nil {
			return nil, err
		}
		in.Changes = append(in.Changes, change)
	}
	forget, release, err := w.declare(ctx, in)
	if err != nil {
		return nil, err
	}
	defer release()
	all := make([]Committed, len(edits))
	for i, edit := range edits {
		if all[i], err = edit.commit(); err != nil {
			break
		}
	}
	if err == nil {
		err = forget()
	}
	if err == nil {
		return all, nil
	}
	for i, edit := range edits {
		if failed := in.Changes[i].takeBack(context.WithoutCancel(edit.Ctx), edit.Image.History, edit.Image.Dir); failed != nil {
			return nil, errors.Join(err, failed) // the intent stays, and is settled later
		}
	}
	return nil, errors.Join(err, forget())
}

// intended is how to take an edit back.
func (e Edit) intended() (c intended, err error) {
	c.ImageID, c.State = e.Image.ImageID, versioning.HashOf(e.Image.state(e.Ctx, e.Next))
	if c.Place, err = e.Image.History.Place(e.Ctx); err != nil || e.Marks == nil {
		return c, err
	}
	text, err := readMarksFile(e.Image.Dir)
	c.Marks = new(string(text))
	return c, err
}

// commit publishes one edit.
func (e Edit) commit() (done Committed, err error) {
	if e.Marks != nil {
		if err := e.Marks.ordered().write(e.Image.Dir); err != nil {
			return done, err
		}
	}
	done.Version, done.Changed, err = e.Image.Commit(e.Ctx, e.Next, e.Change)
	return done, err
}
