package chemigram

import (
	"context"
	"errors"

	"github.com/chemigram/chemigram/internal/lists"
	"github.com/chemigram/chemigram/internal/notebook"
)

// TasteCategory is what a taste is about: appearance (how pictures look),
// process (how the work is done) or value (what matters).
type TasteCategory string

// ProposalID names a proposal: 16 lower-case letters and digits 2 to 7.
type ProposalID string

// ProposalKind is what a proposal changes: taste or notes.
type ProposalKind string

// Proposal is a change of a Markdown file that waits for a person's answer.
type Proposal struct {
	// ProposalID names the proposal.
	ProposalID ProposalID `json:"proposal_id"`
	// Kind is taste, for confirm_taste_update, or notes, for
	// confirm_notes_update.
	Kind ProposalKind `json:"kind"`
	// ImageID is the image whose notes it changes; empty for a taste.
	ImageID ImageID `json:"image_id,omitempty"`
	// TargetFile is the file that it changes.
	TargetFile string `json:"target_file"`
	// Diff is the change as a unified diff.
	Diff string `json:"diff"`
	// ProposedAt is when, as ISO 8601 in UTC.
	ProposedAt string `json:"proposed_at"`
	// ExpiresAt is when it can no longer be confirmed, 7 days later.
	ExpiresAt string `json:"expires_at"`
}

// proposal gives a proposal in the engine's words.
func proposal(p notebook.Proposal) Proposal {
	return Proposal{
		ProposalID: ProposalID(p.ID), Kind: ProposalKind(p.Kind), ImageID: ImageID(p.ImageID),
		TargetFile: p.TargetFile, Diff: p.Diff, ProposedAt: p.ProposedAt, ExpiresAt: p.ExpiresAt,
	}
}

// ProposeTasteUpdateParams are the parameters of ProposeTasteUpdate.
type ProposeTasteUpdateParams struct {
	// Content is Markdown to add, at most 16,384 bytes. A bullet
	// "- key: value" takes the place of the file's bullet with the same key.
	Content string `json:"content" most:"65536"`
	// Category is what it is about, and the section that it goes to.
	Category TasteCategory `json:"category"`
	// File is the taste to change: a genre such as portrait. Default: the
	// taste for every picture, _default.
	File string `json:"file,omitempty" default:"_default"`
}

// ProposeTasteUpdateResult is a proposal that waits for an answer.
type ProposeTasteUpdateResult struct {
	// ProposalID names the proposal, for confirm_taste_update or decline_proposal.
	ProposalID ProposalID `json:"proposal_id"`
	// TargetFile is the file that it would change.
	TargetFile string `json:"target_file"`
	// Diff is the change as a unified diff.
	Diff string `json:"diff"`
	// AlreadyThere are lines that the file has, and that are not added again.
	AlreadyThere []string `json:"already_there,omitempty"`
}

// ProposeTasteUpdate proposes to remember what the photographer likes. Nothing
// is written until the photographer has seen the diff and
// [Engine.ConfirmTasteUpdate] is called; a proposal survives a restart and
// expires after 7 days.
func (e *Engine) ProposeTasteUpdate(ctx context.Context, p ProposeTasteUpdateParams) (_ ProposeTasteUpdateResult, err error) {
	defer seal(&err, "propose_taste_update", "")
	if err := errors.Join(e.validateWrite(&p), notebook.CheckContent(p.Content)); err != nil {
		return ProposeTasteUpdateResult{}, err
	}
	made, err := e.notebook.ProposeTaste(ctx, p.File, string(p.Category), p.Content)
	if err != nil {
		return ProposeTasteUpdateResult{}, err
	}
	return ProposeTasteUpdateResult{ProposalID(made.ID), made.TargetFile, made.Diff, made.AlreadyThere}, nil
}

// ProposeNotesUpdateParams are the parameters of ProposeNotesUpdate.
type ProposeNotesUpdateParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Content is Markdown to add at the end of the notes, at most 16,384 bytes.
	Content string `json:"content" most:"65536"`
}

// ProposeNotesUpdateResult is a proposal that waits for an answer.
type ProposeNotesUpdateResult struct {
	// ProposalID names the proposal, for confirm_notes_update or decline_proposal.
	ProposalID ProposalID `json:"proposal_id"`
	// Diff is the change as a unified diff.
	Diff string `json:"diff"`
}

// ProposeNotesUpdate proposes to add to an image's notes what was learned about
// it, as [Engine.ProposeTasteUpdate] does; [Engine.ConfirmNotesUpdate] writes it.
func (e *Engine) ProposeNotesUpdate(ctx context.Context, p ProposeNotesUpdateParams) (_ ProposeNotesUpdateResult, err error) {
	defer e.seal(&err, "propose_notes_update", p.ImageID)
	if err := errors.Join(e.validateWrite(&p), notebook.CheckContent(p.Content)); err != nil {
		return ProposeNotesUpdateResult{}, err
	}
	made, err := e.notebook.ProposeNotes(ctx, string(p.ImageID), p.Content)
	if err != nil {
		return ProposeNotesUpdateResult{}, err
	}
	return ProposeNotesUpdateResult{ProposalID(made.ID), made.Diff}, nil
}

// ConfirmParams are the parameters of ConfirmTasteUpdate and
// ConfirmNotesUpdate.
type ConfirmParams struct {
	// ProposalID names the proposal.
	ProposalID ProposalID `json:"proposal_id"`
}

// ConfirmResult says where a proposal was written.
type ConfirmResult struct {
	// WrittenTo is the path of the file that it was written to.
	WrittenTo string `json:"written_to"`
	// Changed is false when the proposal had been confirmed before: it is
	// written once.
	Changed bool `json:"changed"`
}

// ConfirmTasteUpdate writes a proposed taste, once the photographer has agreed.
// Confirming twice writes once. When the file has changed since the proposal,
// nothing is written: propose again.
func (e *Engine) ConfirmTasteUpdate(ctx context.Context, p ConfirmParams) (_ ConfirmResult, err error) {
	defer seal(&err, "confirm_taste_update", "")
	return e.confirm(ctx, p, notebook.TasteProposal)
}

// ConfirmNotesUpdate writes proposed notes, once the photographer has agreed.
// It answers as [Engine.ConfirmTasteUpdate] does.
func (e *Engine) ConfirmNotesUpdate(ctx context.Context, p ConfirmParams) (_ ConfirmResult, err error) {
	defer seal(&err, "confirm_notes_update", "")
	return e.confirm(ctx, p, notebook.NotesProposal)
}

func (e *Engine) confirm(ctx context.Context, p ConfirmParams, kind string) (ConfirmResult, error) {
	if err := e.validateWrite(&p); err != nil {
		return ConfirmResult{}, err
	}
	writtenTo, changed, err := e.notebook.Confirm(ctx, string(p.ProposalID), kind)
	return ConfirmResult{WrittenTo: writtenTo, Changed: changed}, err
}

// DeclineProposalParams are the parameters of DeclineProposal.
type DeclineProposalParams struct {
	// ProposalID names the proposal.
	ProposalID ProposalID `json:"proposal_id"`
}

// DeclineProposalResult says what became of a proposal.
type DeclineProposalResult struct {
	// Changed is false when the proposal had been declined before.
	Changed bool `json:"changed"`
}

// DeclineProposal drops a proposed change of a taste or of notes: it can no
// longer be confirmed. One that has been confirmed is not taken back.
func (e *Engine) DeclineProposal(ctx context.Context, p DeclineProposalParams) (_ DeclineProposalResult, err error) {
	defer seal(&err, "decline_proposal", "")
	if err := e.validateWrite(&p); err != nil {
		return DeclineProposalResult{}, err
	}
	changed, err := e.notebook.Decline(ctx, string(p.ProposalID))
	return DeclineProposalResult{Changed: changed}, err
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
	// Total number of pending proposals.
	Total int `json:"total"`
	// Skipped is how many proposals are damaged.
	Skipped int `json:"skipped"`
}

// ListProposals lists the changes of tastes and notes that wait for the
// photographer's answer, newest first.
func (e *Engine) ListProposals(ctx context.Context, p ListProposalsParams) (_ ListProposalsResult, err error) {
	defer e.seal(&err, "list_proposals", p.ImageID)
	if err := validate(&p); err != nil {
		return ListProposalsResult{}, err
	}
	if p.ImageID != "" {
		if _, err := e.image(p.ImageID); err != nil {
			return ListProposalsResult{}, err
		}
	}
	pending, skipped, err := e.notebook.Pending(ctx, string(p.ImageID))
	res := ListProposalsResult{Proposals: []Proposal{}, Total: len(pending), Skipped: skipped}
	for _, p := range lists.Page(pending, p.Offset, p.Limit) {
		res.Proposals = append(res.Proposals, proposal(p))
	}
	return res, err
}
