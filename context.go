package chemigram

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/internal/lists"
	"github.com/chemigram/chemigram/internal/notebook"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
)

// mostRecent is how many snapshots, gaps and proposals a context has.
const mostRecent = 10

// ReadContextParams are the parameters of ReadContext.
type ReadContextParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
}

// ReadContextResult is what is known before an edit begins.
type ReadContextResult struct {
	// Tastes are what the photographer likes: the taste for every picture,
	// _default, then those that the brief names in its line "Tastes:", at most
	// 16.
	Tastes []Taste `json:"tastes"`
	// Conflicts are the keys of bullets "- key: value" for which tastes give
	// different values. Ask the photographer which holds.
	Conflicts []TasteConflict `json:"conflicts,omitempty"`
	// Brief says what this picture is for.
	Brief string `json:"brief"`
	// Notes say what was learned about this picture, the newest last.
	Notes string `json:"notes"`
	// RecentLog is the last 10 snapshots, newest first, without event and parents.
	RecentLog []LogEntry `json:"recent_log"`
	// RecentGaps are the last 10 times that the vocabulary lacked a move, of
	// any image, newest first.
	RecentGaps []Gap `json:"recent_gaps"`
	// PendingProposals wait for the photographer's answer, newest first, at
	// most 10.
	PendingProposals []Proposal `json:"pending_proposals"`
	// Warnings say what was cut, left out or could not be read.
	Warnings []string `json:"warnings,omitempty"`
}

// ReadContext gives what to know before an edit: what the photographer likes,
// what this picture is for, what was learned and done, what the vocabulary
// lacked, and which proposals wait. Of a long file the first 4 KiB and the last
// 12 KiB are given.
func (e *Engine) ReadContext(ctx context.Context, p ReadContextParams) (_ ReadContextResult, err error) {
	defer e.seal(&err, "read_context", p.ImageID)
	img, err := e.imageToRead(&p, p.ImageID)
	if err != nil {
		return ReadContextResult{}, err
	}
	res := ReadContextResult{
		Tastes: []Taste{}, Conflicts: []TasteConflict{}, RecentGaps: []Gap{}, PendingProposals: []Proposal{}, Warnings: []string{},
	}
	res.readTexts(e.notebook, img.Dir)
	if res.RecentLog, err = recentLog(ctx, img); err != nil {
		if gone := errors.Join(e.workspace.Missing(string(p.ImageID), err), ctx.Err()); gone != nil {
			return ReadContextResult{}, gone
		}
		res.warn("the log cannot be read: " + AsError(err).Message)
		res.RecentLog = []LogEntry{}
	}
	gaps, err := e.notebook.RecentGaps(mostRecent)
	if err != nil {
		res.warn("the gaps cannot be read: " + err.Error())
	}
	for _, gap := range gaps {
		res.RecentGaps = append(res.RecentGaps, Gap{
			GapID: gap.ID(), Time: gap.Time, ImageID: ImageID(gap.ImageID), Description: gap.Description, Workaround: gap.Workaround,
		})
	}
	pending, skipped, err := e.notebook.Pending(ctx, string(p.ImageID))
	if err != nil {
		res.warn("the proposals cannot be read: " + err.Error())
	}
	if skipped > 0 {
		res.warn(fmt.Sprintf("%d files of proposals are damaged and left out", skipped))
	}
	if len(pending) > mostRecent {
		res.warn(fmt.Sprintf("%d proposals wait for an answer; list_proposals gives them all", len(pending)))
	}
	for _, p := range lists.Page(pending, 0, mostRecent) {
		res.PendingProposals = append(res.PendingProposals, proposal(p))
	}
	return res, nil
}

// warn adds warnings that say something.
func (r *ReadContextResult) warn(remarks ...string) {
	r.Warnings = append(r.Warnings, slices.DeleteFunc(remarks, func(s string) bool { return s == "" })...)
}

// readTexts reads brief, notes and tastes.
func (r *ReadContextResult) readTexts(n *notebook.Notebook, dir string) {
	var remark string
	r.Brief, remark = notebook.ReadText(dir, "brief.md")
	r.warn(remark)
	r.Notes, remark = notebook.ReadText(dir, "notes.md")
	r.warn(remark)
	tastes, remarks := n.Tastes(r.Brief)
	r.warn(remarks...)
	for _, taste := range tastes {
		r.Tastes = append(r.Tastes, Taste(taste))
	}
	conflicts, more := notebook.Conflicts(tastes)
	if more > 0 {
		r.warn(fmt.Sprintf("%d more conflicts between tastes are left out", more))
	}
	for _, c := range conflicts {
		conflict := TasteConflict{Key: c.Key}
		for _, s := range c.Statements {
			conflict.Says = append(conflict.Says, TasteStatement(s))
		}
		r.Conflicts = append(r.Conflicts, conflict)
	}
}

// recentLog gives the last snapshots of the branch.
func recentLog(ctx context.Context, img *workspace.Image) ([]LogEntry, error) {
	records, _, err := img.History.Log(ctx, versioning.LogOptions{Limit: mostRecent})
	if err != nil {
		return nil, err
	}
	refs, _, err := refsOf(ctx, img) // log says what damage hides
	if err != nil {
		return nil, err
	}
	entries := make([]LogEntry, 0, len(records))
	for _, record := range records {
		var names []string
		for _, ref := range refs {
			if ref.Record == record.ID {
				names = append(names, ref.Name)
			}
		}
		entry := logEntry(record, names)
		entry.Event, entry.Parents = "", nil
		entries = append(entries, entry)
	}
	return entries, nil
}

// Taste is one file of what the photographer likes.
type Taste struct {
	// Name of the taste: _default, which holds for every picture, or a genre
	// that the brief names.
	Name string `json:"name"`
	// Content of its file.
	Content string `json:"content"`
}

// TasteConflict is a key for which tastes say different things.
type TasteConflict struct {
	// Key of the bullet "- key: value", as the first taste writes it.
	Key string `json:"key"`
	// Says lists each taste's value, the default's first, then in the order of
	// the brief.
	Says []TasteStatement `json:"says"`
}

// TasteStatement is what one taste says for a key.
type TasteStatement struct {
	// Taste is the taste's name.
	Taste string `json:"taste"`
	// Value that it gives.
	Value string `json:"value"`
}
