package notebook

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
)

// ProposeTaste proposes to add content to a taste's section of a category. Nothing
// of the taste is written before it is confirmed.
func (n *Notebook) ProposeTaste(ctx context.Context, taste, category, content string) (Proposal, error) {
	name, ok := tasteName(taste)
	if !ok {
		return Proposal{}, fault.Violated([]fault.Violation{{Pointer: "/file", Expected: tasteRule, Got: strconv.Quote(fault.Shorten(taste))}})
	}
	return n.propose(ctx, &proposalFile{
		Taste: name, Category: category, Content: content, Proposal: Proposal{Kind: TasteProposal},
	})
}

// ProposeNotes proposes to add content at the end of an image's notes. Nothing of
// them is written before it is confirmed.
func (n *Notebook) ProposeNotes(ctx context.Context, imageID, content string) (Proposal, error) {
	img, err := n.workspace.Image(imageID)
	if err != nil {
		return Proposal{}, err
	}
	of, err := img.Identity(ctx)
	if err != nil {
		return Proposal{}, err
	}
	return n.propose(ctx, &proposalFile{Content: content, Image: &of, Proposal: Proposal{Kind: NotesProposal, ImageID: imageID}})
}

// checkImage makes sure that a proposal's image is still the one that it was made for.
func (n *Notebook) checkImage(ctx context.Context, p *proposalFile) error {
	return n.imageCheck(ctx)(p)
}

// imageCheck is [Notebook.checkImage] for several proposals: it opens an image once.
func (n *Notebook) imageCheck(ctx context.Context) func(*proposalFile) error {
	type answer struct {
		identity workspace.Identity
		err      error
	}
	known := map[string]answer{}
	return func(p *proposalFile) error {
		if p.Image == nil { // of a taste, or of a program that did not note it
			return nil
		}
		now, ok := known[p.ImageID]
		if !ok {
			now.identity, now.err = n.identity(ctx, p.ImageID)
			known[p.ImageID] = now
		}
		if now.err == nil && now.identity != *p.Image {
			return otherImage(p)
		}
		return now.err
	}
}

func (n *Notebook) identity(ctx context.Context, imageID string) (workspace.Identity, error) {
	img, err := n.workspace.Image(imageID)
	if err != nil {
		return workspace.Identity{}, err
	}
	return img.Identity(ctx)
}

// otherImage says that a proposal's image is not the one any more that it was made for.
func otherImage(p *proposalFile) error {
	return fault.New(fault.State, "proposal %s was made for another image that had the id %s and was deleted: nothing was written, propose again",
		p.ID, p.ImageID)
}

// CheckContent finds what the content of a proposal may not have.
func CheckContent(content string) error {
	return fault.Violated(checkText("/content", content, mostContent))
}

// propose works out what a proposal changes, and keeps it.
func (n *Notebook) propose(ctx context.Context, p *proposalFile) (Proposal, error) {
	dir, file, err := n.target(p)
	if err != nil {
		return Proposal{}, err
	}
	old, _, err := readWhole(dir, file)
	if err != nil {
		return Proposal{}, err
	}
	edit := p.edit(old)
	if !edit.changed() {
		return Proposal{}, fault.Invalid("/content", "%s says so already: there is nothing to change", file)
	}
	_, err = os.Lstat(filepath.Join(dir, file))
	p.File, p.TargetFile, p.Diff = file, filepath.Join(dir, file), edit.unified(file, errors.Is(err, fs.ErrNotExist))
	p.AlreadyThere = edit.repeated
	p.Before, p.After = digest(old), digest([]byte(edit.result()))
	err = n.keep(ctx, p)
	return p.Proposal, err
}

// target is where a proposal's file is. It is found anew each time, and never
// taken from what was kept.
func (n *Notebook) target(p *proposalFile) (dir, file string, err error) {
	switch p.Kind {
	case TasteProposal:
		name, ok := tasteName(p.Taste)
		if !ok || name != p.Taste || !slices.Contains(Categories(), p.Category) {
			return "", "", fault.New(fault.State, "the file of proposal %s is damaged: its taste is %q, of %q",
				p.ID, fault.Shorten(p.Taste), fault.Shorten(p.Category))
		}
		dir, err = n.tastesDir()
		return dir, tasteFile(dir, name), err
	case NotesProposal:
		img, err := n.workspace.Image(p.ImageID)
		if err != nil {
			return "", "", err
		}
		return img.Dir, "notes.md", nil
	}
	return "", "", fault.New(fault.State, "the file of proposal %s is damaged: its kind is %q", p.ID, p.Kind)
}

// edit is the change that a proposal makes to a text.
func (p *proposalFile) edit(old []byte) *textEdit {
	if p.Kind == NotesProposal {
		return appendText(string(old), p.Content)
	}
	heading := strings.ToUpper(p.Category[:1]) + p.Category[1:]
	return amendSection(string(old), heading, p.Content)
}

// Confirm writes what was proposed, and gives where. It is not changed when the
// proposal was confirmed before: it is written once. When the file has changed since
// the proposal, nothing is written and it is a state fault.
func (n *Notebook) Confirm(ctx context.Context, id, kind string) (writtenTo string, changed bool, err error) {
	p, unlock, err := n.open(ctx, id)
	if err != nil {
		return "", false, err
	}
	defer unlock()
	switch {
	case p.Kind != kind:
		return "", false, fault.Invalid("/proposal_id", "proposal %s is one of %s: call confirm_%s_update", id, p.Kind, p.Kind)
	case p.Answer == confirmed:
		return p.TargetFile, false, nil
	case p.Answer == declined:
		return "", false, fault.New(fault.State, "proposal %s was declined: propose again", id)
	case p.expired():
		return "", false, fault.New(fault.State, "proposal %s expired at %s: propose again", id, p.ExpiresAt)
	}
	if changed, err = n.apply(ctx, p); err != nil {
		return "", false, err
	}
	p.Answer, p.SettledAt = confirmed, time.Now().UTC()
	return p.TargetFile, changed, n.write(p)
}

// apply makes a proposal's change. changed is false when the file has it already: a
// process may have died between writing it and saying so.
func (n *Notebook) apply(ctx context.Context, p *proposalFile) (changed bool, err error) {
	if err := n.checkImage(ctx, p); err != nil {
		return false, err
	}
	dir, file, err := n.target(p)
	if err != nil {
		return false, err
	}
	if shown := p.TargetFile; p.Kind == TasteProposal && filepath.Dir(shown) != dir {
		return false, fault.New(fault.State, "proposal %s is about %s, and the folder of tastes is %s now: nothing was written, propose again",
			p.ID, shown, dir)
	}
	if p.Kind == TasteProposal { // which several workspaces share
		unlock, err := n.workspace.Lock(ctx, filepath.Join(dir, ".lock"))
		if err != nil {
			return false, err
		}
		defer unlock()
	}
	old, perm, err := readWhole(dir, file)
	if err != nil {
		return false, err
	}
	p.TargetFile = filepath.Join(dir, file)
	switch digest(old) {
	case p.After:
		return false, nil
	case p.Before:
		edit := p.edit(old)
		after := []byte(edit.result())
		shown := edit.unified(cmp.Or(p.File, file), strings.HasPrefix(p.Diff, fromNothing))
		if digest(after) != p.After || shown != p.Diff {
			return false, fault.New(fault.State, "proposal %s would write other than its diff shows: nothing was written, propose again", p.ID)
		}
		return true, workspace.Write(p.TargetFile, after, perm)
	}
	return false, fault.New(fault.State, "%s has changed since the proposal: nothing was written, propose again", p.TargetFile)
}

// Decline drops a proposal: it can no longer be confirmed. It is not changed when it
// was declined before; one that was confirmed is a state fault.
func (n *Notebook) Decline(ctx context.Context, id string) (changed bool, err error) {
	p, unlock, err := n.open(ctx, id)
	if err != nil {
		return false, err
	}
	defer unlock()
	switch p.Answer {
	case confirmed:
		return false, fault.New(fault.State, "proposal %s was confirmed, and is in %s: change that file", id, p.TargetFile)
	case declined:
		return false, nil
	}
	p.Answer, p.SettledAt = declined, time.Now().UTC()
	return true, n.write(p)
}

// open reads a proposal that is about to be answered, under the lock that lets one
// answer win.
func (n *Notebook) open(ctx context.Context, id string) (_ *proposalFile, unlock func(), err error) {
	if unlock, err = n.lock(ctx); err != nil {
		return nil, nil, err
	}
	p, err := n.read(id)
	if err == nil {
		return p, unlock, nil
	}
	defer unlock()
	if errors.Is(err, fs.ErrNotExist) {
		pending, _, _ := n.Pending(ctx, "")
		ids := make([]string, len(pending))
		for i, p := range pending {
			ids[i] = p.ID
		}
		return nil, nil, fault.Missing("proposal", id, ids)
	}
	return nil, nil, err
}
