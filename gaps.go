package chemigram

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/lists"
	"github.com/chemigram/chemigram/internal/notebook"
	"github.com/chemigram/chemigram/vocab"
)

// Satisfaction is how well a workaround did: -1 badly, 0 so-so, 1 well.
type Satisfaction int

// LogVocabularyGapParams are the parameters of LogVocabularyGap.
type LogVocabularyGapParams struct {
	// ImageID names the image that was edited.
	ImageID ImageID `json:"image_id"`
	// Description says what the vocabulary could not do, at most 4,000 bytes.
	Description string `json:"description"`
	// Workaround says what was done instead, at most 4,000 bytes.
	Workaround string `json:"workaround"`
	// Intent says what the photographer wanted to see, at most 4,000 bytes.
	Intent string `json:"intent,omitempty"`
	// MissingCapability names in a few words what is missing, such as "skin
	// tone mask"; gaps with the same words are counted together. Default: the
	// words of the description.
	MissingCapability string `json:"missing_capability,omitempty"`
	// VocabularyUsed lists the moves of the workaround, at most 50.
	VocabularyUsed []string `json:"vocabulary_used,omitempty"`
	// Satisfaction is how well the workaround did: -1 badly, 0 so-so, 1 well.
	// Default: it is not said.
	Satisfaction *Satisfaction `json:"satisfaction,omitempty"`
}

// LogVocabularyGapResult says where a gap was logged.
type LogVocabularyGapResult struct {
	// Path of the log, one JSON object in each line.
	Path string `json:"path"`
	// Count is how often this gap has been met, this time included.
	Count int `json:"count"`
	// GapID names the gap. A vocabulary entry with the tag "gap:" and this id
	// says that it closes the gap.
	GapID string `json:"gap_id"`
}

// LogVocabularyGap remembers that the vocabulary lacked a move, and what was done
// instead. Gaps of the same words count as one.
func (e *Engine) LogVocabularyGap(ctx context.Context, p LogVocabularyGapParams) (_ LogVocabularyGapResult, err error) {
	defer e.seal(&err, "log_vocabulary_gap", p.ImageID)
	gap := notebook.Gap{
		Time: time.Now().UTC().Format(time.RFC3339Nano), ImageID: string(p.ImageID),
		Description: p.Description, Workaround: p.Workaround, Intent: p.Intent,
		MissingCapability: p.MissingCapability, VocabularyUsed: p.VocabularyUsed, Satisfaction: (*int)(p.Satisfaction),
	}
	if err := errors.Join(e.validateWrite(&p), gap.Check()); err != nil {
		return LogVocabularyGapResult{}, err
	}
	if _, err := e.image(p.ImageID); err != nil {
		return LogVocabularyGapResult{}, err
	}
	count, err := e.notebook.LogGap(ctx, gap)
	if err != nil {
		return LogVocabularyGapResult{}, err
	}
	return LogVocabularyGapResult{Path: e.notebook.GapLog(), Count: count, GapID: gap.ID()}, nil
}

// Gap is one time that the vocabulary lacked a move.
type Gap struct {
	// GapID names the gap; it is the same each time that it is met.
	GapID string `json:"gap_id"`
	// Time it was met, as ISO 8601 in UTC.
	Time string `json:"time"`
	// ImageID is the image that was edited.
	ImageID ImageID `json:"image_id,omitempty"`
	// Description says what the vocabulary could not do.
	Description string `json:"description"`
	// Workaround says what was done instead.
	Workaround string `json:"workaround,omitempty"`
}

// ListGapsParams are the parameters of ListGaps.
type ListGapsParams struct {
	// IncludeClosed lists also the gaps that an entry of the vocabulary closes.
	IncludeClosed bool `json:"include_closed,omitempty"`
	// Limit is how many gaps to give.
	Limit Limit `json:"limit,omitempty" default:"20"`
	// Offset is how many gaps to skip.
	Offset Offset `json:"offset,omitempty"`
}

// ListGapsResult is a page of the gaps, those that were met most often first.
type ListGapsResult struct {
	// Gaps of this page.
	Gaps []RankedGap `json:"gaps"`
	// Total number of gaps that are listed on all pages.
	Total int `json:"total"`
	// SkippedLines is how many lines of the log are damaged and left out.
	SkippedLines int `json:"skipped_lines"`
	// OlderBytes is how much of the log, before its newest 16 MiB, is not
	// counted; 0 for a shorter log.
	OlderBytes int64 `json:"older_bytes"`
}

// RankedGap is a gap with all the times that it was met.
type RankedGap struct {
	// GapID names the gap, for the tag "gap:" of an entry that closes it.
	GapID string `json:"gap_id"`
	// Count is how often it was met.
	Count int `json:"count"`
	// Words that set it apart from other gaps.
	Words []string `json:"words,omitempty"`
	// Description given the last time.
	Description string `json:"description"`
	// MissingCapability given the last time; may be empty.
	MissingCapability string `json:"missing_capability,omitempty"`
	// Workarounds are up to 5 different ones, newest first.
	Workarounds []string `json:"workarounds,omitempty"`
	// ImageIDs are up to 5 of the images, newest first.
	ImageIDs []ImageID `json:"image_ids,omitempty"`
	// SatisfactionSum adds up how well the workarounds did, -1 to 1 for each
	// time that it was said.
	SatisfactionSum int `json:"satisfaction_sum"`
	// FirstMet is the first time, as ISO 8601 in UTC.
	FirstMet string `json:"first_met"`
	// LastMet is the last time, as ISO 8601 in UTC.
	LastMet string `json:"last_met"`
	// ClosedBy lists the entries of the vocabulary that say that they close it.
	ClosedBy []string `json:"closed_by,omitempty"`
}

// ListGaps ranks what the vocabulary could not do: what was met most often
// first, then what was worked around worst, then what was met last. A gap is
// closed when an entry of the loaded vocabulary has the tag "gap:" with its id;
// closed gaps are left out unless they are asked for.
func (e *Engine) ListGaps(_ context.Context, p ListGapsParams) (_ ListGapsResult, err error) {
	defer seal(&err, "list_gaps", "")
	if err := validate(&p); err != nil {
		return ListGapsResult{}, err
	}
	log, err := e.notebook.RankGaps()
	if err != nil {
		return ListGapsResult{}, err
	}
	closers := e.gapClosers()
	var ranked []RankedGap
	for _, gap := range log.Gaps {
		if closed := closers[gap.ID()]; p.IncludeClosed || len(closed) == 0 {
			ranked = append(ranked, rankedGap(gap, closed))
		}
	}
	return ListGapsResult{
		Gaps: lists.NotNil(lists.Page(ranked, p.Offset, p.Limit)), Total: len(ranked), SkippedLines: log.Skipped, OlderBytes: log.Older,
	}, nil
}

func rankedGap(g notebook.RankedGap, closed []string) RankedGap {
	out := RankedGap{
		GapID: g.ID(), Count: g.Count, Words: g.Words, Description: g.Description,
		MissingCapability: g.MissingCapability, Workarounds: g.Workarounds, SatisfactionSum: g.SatisfactionSum,
		FirstMet: g.FirstMet, LastMet: g.Time, ClosedBy: lists.NotNil(closed),
	}
	for _, id := range g.ImageIDs {
		out.ImageIDs = append(out.ImageIDs, ImageID(id))
	}
	return out
}

// gapClosers gives the entries that say that they close a gap, by its id.
func (e *Engine) gapClosers() map[string][]string {
	closers := map[string][]string{}
	for _, entry := range e.vocabulary.List(vocab.Filter{}) {
		for _, tag := range entry.Tags {
			if id, ok := strings.CutPrefix(tag, "gap:"); ok {
				closers[id] = append(closers[id], entry.Name)
			}
		}
	}
	return closers
}
