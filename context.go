package chemigram

import (
	"context"
	"fmt"
	"slices"

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
	Conflicts []TasteConflict `json:"conflicts"`
	// Brief says what this picture is for.
	Brief string `json:"brief"`
	// Notes say what was learned about this picture, the newest last.
	Notes string `json:"notes"`
	// RecentLog is the last 10 snapshots, newest first.
	RecentLog []LogEntry `json:"recent_log"`
	// RecentGaps are the last 10 times that the vocabulary lacked a move, of
	// any image, newest first.
	RecentGaps []Gap `json:"recent_gaps"`
	// PendingProposals wait for the photographer's answer, newest first, at
	// most 10.
	PendingProposals []Proposal `json:"pending_proposals"`
	// Warnings say what was cut, left out or could not be read.
	Warnings []string `json:"warnings"`
}

// ReadContext tells what to know before an edit: what the photographer likes,
// what this picture is for, what was learned and done, what the vocabulary
// lacked, and which proposals wait for an answer. A file that does not exist is
// empty; what cannot be read is named in the warnings. Of a long file the first
// 4 KiB and the last 12 KiB are given.
func (e *Engine) ReadContext(ctx context.Context, p ReadContextParams) (_ ReadContextResult, err error) {
	defer seal(&err, "read_context", p.ImageID)
	if err := validate(&p); err != nil {
		return ReadContextResult{}, err
	}
	img, err := e.image(p.ImageID)
	if err != nil {
		return ReadContextResult{}, err
	}
	res := ReadContextResult{}
	warn := func(remarks ...string) {
		res.Warnings = append(res.Warnings, slices.DeleteFunc(remarks, func(s string) bool { return s == "" })...)
	}
	var remark string
	res.Brief, remark = readText(img.Dir, "brief.md")
	warn(remark)
	res.Notes, remark = readText(img.Dir, "notes.md")
	warn(remark)

	var remarks []string
	res.Tastes, remarks = e.readTastes(res.Brief)
	warn(remarks...)
	var more int
	if res.Conflicts, more = conflicts(res.Tastes); more > 0 {
		warn(fmt.Sprintf("%d more conflicts between tastes are left out", more))
	}
	if res.RecentLog, err = img.recentLog(ctx); err != nil {
		return ReadContextResult{}, err
	}
	if res.RecentGaps, err = e.recentGaps(); err != nil {
		warn("the gaps cannot be read: " + plainly(err))
	}
	pending, err := e.pendingProposals(p.ImageID)
	if err != nil {
		warn("the proposals cannot be read: " + plainly(err))
	}
	if len(pending) > mostRecent {
		warn(fmt.Sprintf("%d proposals wait for an answer; list_proposals gives them all", len(pending)))
	}
	res.PendingProposals = page(pending, 0, mostRecent)
	res.Tastes, res.Conflicts, res.Warnings = orEmpty(res.Tastes), orEmpty(res.Conflicts), orEmpty(res.Warnings)
	return res, nil
}

// recentLog gives the last snapshots of the branch.
func (i *image) recentLog(ctx context.Context) ([]LogEntry, error) {
	records, _, err := i.History.Log(ctx, versioning.LogOptions{Limit: mostRecent})
	if err != nil {
		return nil, err
	}
	refs, err := i.History.Refs(ctx)
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
		entries = append(entries, logEntry(record, names))
	}
	return entries, nil
}

// recentGaps gives the last gaps of the workspace.
func (e *Engine) recentGaps() ([]Gap, error) {
	lines, _, _, err := e.workspace.readGaps(recentGapLog)
	gaps := []Gap{}
	for _, line := range slices.Backward(lines[max(0, len(lines)-mostRecent):]) {
		gaps = append(gaps, line.gap())
	}
	return gaps, err
}
