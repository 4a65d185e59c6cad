package chemigram

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
)

// TasteCategory is what a taste is about: appearance (how pictures look),
// process (how the work is done) or value (what matters).
type TasteCategory string

var tasteCategories = []string{"appearance", "process", "value"}

// ProposeTasteUpdateParams are the parameters of ProposeTasteUpdate.
type ProposeTasteUpdateParams struct {
	// Content is Markdown to add, at most 16,384 bytes. A bullet
	// "- key: value" takes the place of the file's bullet with the same key.
	Content string `json:"content"`
	// Category is what it is about, and the section that it goes to:
	// appearance, process or value.
	Category TasteCategory `json:"category"`
	// File is the taste to change: a genre such as portrait. Default: the
	// taste for every picture, _default.
	File string `json:"file,omitempty" default:"_default"`
}

// ProposeTasteUpdateResult is a proposal that waits for an answer.
type ProposeTasteUpdateResult struct {
	// ProposalID is for confirm_taste_update or decline_proposal.
	ProposalID ProposalID `json:"proposal_id"`
	// TargetFile is the file that it would change.
	TargetFile string `json:"target_file"`
	// Diff is the change as a unified diff.
	Diff string `json:"diff"`
}

// ProposeTasteUpdate proposes to remember what the photographer likes. Nothing
// is written until the photographer has seen the diff and
// [Engine.ConfirmTasteUpdate] is called; a proposal survives a restart and
// expires after 7 days.
func (e *Engine) ProposeTasteUpdate(ctx context.Context, p ProposeTasteUpdateParams) (_ ProposeTasteUpdateResult, err error) {
	defer seal(&err, "propose_taste_update", "")
	if err := errors.Join(validate(&p), e.writable(), fault.Violated(checkWords("/content", p.Content, mostContent))); err != nil {
		return ProposeTasteUpdateResult{}, err
	}
	name, ok := tasteName(p.File)
	if !ok {
		return ProposeTasteUpdateResult{}, fault.Violated([]fault.Violation{{Pointer: "/file", Expected: tasteRule, Got: strconv.Quote(shorten(p.File))}})
	}
	change := &proposalFile{Taste: name, Category: string(p.Category), Content: p.Content, Proposal: Proposal{Kind: tasteProposal}}
	if err := e.propose(ctx, change); err != nil {
		return ProposeTasteUpdateResult{}, err
	}
	return ProposeTasteUpdateResult{change.ProposalID, change.TargetFile, change.Diff}, nil
}

// ProposeNotesUpdateParams are the parameters of ProposeNotesUpdate.
type ProposeNotesUpdateParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Content is Markdown to add at the end of the notes, at most 16,384 bytes.
	Content string `json:"content"`
}

// ProposeNotesUpdateResult is a proposal that waits for an answer.
type ProposeNotesUpdateResult struct {
	// ProposalID is for confirm_notes_update or decline_proposal.
	ProposalID ProposalID `json:"proposal_id"`
	// Diff is the change as a unified diff.
	Diff string `json:"diff"`
}

// ProposeNotesUpdate proposes to add to an image's notes what was learned about
// it. Nothing is written until the photographer has seen the diff and
// [Engine.ConfirmNotesUpdate] is called; a proposal survives a restart and
// expires after 7 days.
func (e *Engine) ProposeNotesUpdate(ctx context.Context, p ProposeNotesUpdateParams) (_ ProposeNotesUpdateResult, err error) {
	defer seal(&err, "propose_notes_update", p.ImageID)
	if err := errors.Join(validate(&p), e.writable(), fault.Violated(checkWords("/content", p.Content, mostContent))); err != nil {
		return ProposeNotesUpdateResult{}, err
	}
	change := &proposalFile{Content: p.Content, Proposal: Proposal{Kind: notesProposal, ImageID: p.ImageID}}
	if err := e.propose(ctx, change); err != nil {
		return ProposeNotesUpdateResult{}, err
	}
	return ProposeNotesUpdateResult{change.ProposalID, change.Diff}, nil
}

// propose works out what a proposal changes, and keeps it.
func (e *Engine) propose(ctx context.Context, p *proposalFile) error {
	dir, file, err := e.target(p)
	if err != nil {
		return err
	}
	old, _, err := readWhole(dir, file)
	if err != nil {
		return err
	}
	edit := p.edit(old)
	if !edit.changed() {
		return fault.New(fault.InvalidInput, "%s says so already: there is nothing to change", file)
	}
	_, err = os.Lstat(filepath.Join(dir, file))
	p.TargetFile, p.Diff = filepath.Join(dir, file), edit.unified(file, errors.Is(err, fs.ErrNotExist))
	p.Before, p.After = digest(old), digest([]byte(edit.result()))
	return e.keepProposal(ctx, p)
}

// target is where a proposal's file is. It is found anew each time, and never
// taken from what was kept.
func (e *Engine) target(p *proposalFile) (dir, file string, err error) {
	switch p.Kind {
	case tasteProposal:
		name, ok := tasteName(p.Taste)
		if !ok || name != p.Taste || !slices.Contains(tasteCategories, p.Category) {
			return "", "", fault.New(fault.State, "the file of proposal %s is damaged: its taste is %q, of %q", p.ProposalID, shorten(p.Taste), shorten(p.Category))
		}
		dir, err = e.tastesDir()
		return dir, tasteFile(dir, name), err
	case notesProposal:
		img, err := e.image(p.ImageID)
		if err != nil {
			return "", "", err
		}
		return img.Dir, "notes.md", nil
	}
	return "", "", fault.New(fault.State, "the file of proposal %s is damaged: its kind is %q", p.ProposalID, p.Kind)
}

// edit is the change that a proposal makes to a text.
func (p *proposalFile) edit(old []byte) *textEdit {
	if p.Kind == notesProposal {
		return appendText(string(old), p.Content)
	}
	heading := strings.ToUpper(p.Category[:1]) + p.Category[1:]
	return amendSection(string(old), heading, p.Content)
}

// ConfirmParams are the parameters of ConfirmTasteUpdate and
// ConfirmNotesUpdate.
type ConfirmParams struct {
	// ProposalID names the proposal.
	ProposalID ProposalID `json:"proposal_id"`
}

// ConfirmResult tells where a proposal was written.
type ConfirmResult struct {
	// WrittenTo is the file.
	WrittenTo string `json:"written_to"`
	// Changed is false when the proposal had been confirmed before: it is
	// written once.
	Changed bool `json:"changed"`
}

// ConfirmTasteUpdate writes a proposed taste, once the photographer has agreed.
// Confirming twice writes once. When the file has changed since the proposal,
// nothing is written and the error is a state_error: propose again.
func (e *Engine) ConfirmTasteUpdate(ctx context.Context, p ConfirmParams) (_ ConfirmResult, err error) {
	defer seal(&err, "confirm_taste_update", "")
	return e.confirm(ctx, p, tasteProposal)
}

// ConfirmNotesUpdate writes proposed notes, once the photographer has agreed.
// It answers as [Engine.ConfirmTasteUpdate] does.
func (e *Engine) ConfirmNotesUpdate(ctx context.Context, p ConfirmParams) (_ ConfirmResult, err error) {
	defer seal(&err, "confirm_notes_update", "")
	return e.confirm(ctx, p, notesProposal)
}

func (e *Engine) confirm(ctx context.Context, p ConfirmParams, kind ProposalKind) (ConfirmResult, error) {
	if err := errors.Join(validate(&p), e.writable()); err != nil {
		return ConfirmResult{}, err
	}
	proposal, unlock, err := e.answering(ctx, p.ProposalID)
	if err != nil {
		return ConfirmResult{}, err
	}
	defer unlock()
	switch {
	case proposal.Kind != kind:
		return ConfirmResult{}, fault.New(fault.InvalidInput, "proposal %s is one of %s: call confirm_%s_update", p.ProposalID, proposal.Kind, proposal.Kind)
	case proposal.Answer == confirmed:
		return ConfirmResult{WrittenTo: proposal.TargetFile}, nil
	case proposal.Answer == declined:
		return ConfirmResult{}, fault.New(fault.State, "proposal %s was declined: propose again", p.ProposalID)
	case proposal.expired():
		return ConfirmResult{}, fault.New(fault.State, "proposal %s expired at %s: propose again", p.ProposalID, proposal.ExpiresAt)
	}
	changed, err := e.write(ctx, proposal)
	if err != nil {
		return ConfirmResult{}, err
	}
	proposal.Answer, proposal.SettledAt = confirmed, time.Now().UTC()
	return ConfirmResult{WrittenTo: proposal.TargetFile, Changed: changed}, e.workspace.writeProposal(proposal)
}

// write makes a proposal's change. changed is false when the file has it
// already: a process may have died between writing it and saying so.
func (e *Engine) write(ctx context.Context, p *proposalFile) (changed bool, err error) {
	dir, file, err := e.target(p)
	if err != nil {
		return false, err
	}
	if p.Kind == tasteProposal { // which several workspaces share
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return false, err
		}
		unlock, err := e.lockFile(ctx, filepath.Join(dir, ".lock"))
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
		return true, atomicfile.Write(p.TargetFile, []byte(p.edit(old).result()), perm)
	}
	return false, fault.New(fault.State, "%s has changed since the proposal: nothing was written, propose again", p.TargetFile)
}

// DeclineProposalParams are the parameters of DeclineProposal.
type DeclineProposalParams struct {
	// ProposalID names the proposal.
	ProposalID ProposalID `json:"proposal_id"`
}

// DeclineProposalResult tells what became of a proposal.
type DeclineProposalResult struct {
	// Changed is false when the proposal had been declined before.
	Changed bool `json:"changed"`
}

// DeclineProposal drops a proposed change of a taste or of notes: it can no
// longer be confirmed. One that has been confirmed is not taken back.
func (e *Engine) DeclineProposal(ctx context.Context, p DeclineProposalParams) (_ DeclineProposalResult, err error) {
	defer seal(&err, "decline_proposal", "")
	if err := errors.Join(validate(&p), e.writable()); err != nil {
		return DeclineProposalResult{}, err
	}
	proposal, unlock, err := e.answering(ctx, p.ProposalID)
	if err != nil {
		return DeclineProposalResult{}, err
	}
	defer unlock()
	switch proposal.Answer {
	case confirmed:
		return DeclineProposalResult{}, fault.New(fault.State, "proposal %s was confirmed, and is in %s: change that file", p.ProposalID, proposal.TargetFile)
	case declined:
		return DeclineProposalResult{}, nil
	}
	proposal.Answer, proposal.SettledAt = declined, time.Now().UTC()
	return DeclineProposalResult{Changed: true}, e.workspace.writeProposal(proposal)
}

// answering opens a proposal that is about to be answered, under the lock that
// lets one answer win.
func (e *Engine) answering(ctx context.Context, id ProposalID) (_ *proposalFile, unlock func(), err error) {
	if unlock, err = e.lockProposals(ctx); err != nil {
		return nil, nil, err
	}
	proposal, err := e.workspace.readProposal(id)
	if err == nil {
		return proposal, unlock, nil
	}
	defer unlock()
	if errors.Is(err, fs.ErrNotExist) {
		pending, _ := e.pendingProposals("")
		ids := make([]string, len(pending))
		for i, p := range pending {
			ids[i] = string(p.ProposalID)
		}
		return nil, nil, fault.Missing("proposal", string(id), ids)
	}
	return nil, nil, err
}

// ListProposalsParams are the parameters of ListProposals.
type ListProposalsParams struct {
	// ImageID leaves out the proposals for other images' notes. Default: all
	// proposals.
	ImageID ImageID `json:"image_id,omitempty"`
	// Limit is how many proposals to give.
	Limit Limit `json:"limit,omitempty" default:"20"`
	// Offset is how many proposals to skip.
	Offset Offset `json:"offset,omitempty"`
}

// ListProposalsResult is a page of the pending proposals, newest first.
type ListProposalsResult struct {
	// Proposals of this page.
	Proposals []Proposal `json:"proposals"`
	// Total number of them.
	Total int `json:"total"`
}

// ListProposals lists the changes of tastes and notes that wait for the
// photographer's answer, newest first.
func (e *Engine) ListProposals(_ context.Context, p ListProposalsParams) (_ ListProposalsResult, err error) {
	defer seal(&err, "list_proposals", p.ImageID)
	if err := validate(&p); err != nil {
		return ListProposalsResult{}, err
	}
	if p.ImageID != "" {
		if _, err := e.image(p.ImageID); err != nil {
			return ListProposalsResult{}, err
		}
	}
	pending, err := e.pendingProposals(p.ImageID)
	return ListProposalsResult{Proposals: slices.Clone(page(pending, p.Offset, p.Limit)), Total: len(pending)}, err
}
