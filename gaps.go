package chemigram

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/vocab"
)

const (
	mostGapText  = 4000 // bytes of each text of a gap
	mostGapNames = 50   // names of vocabulary_used
	mostExamples = 5    // images and workarounds of a ranked gap
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

// LogVocabularyGapResult tells where a gap was logged.
type LogVocabularyGapResult struct {
	// Path of the log, one JSON object in each line.
	Path string `json:"path"`
	// Count is how often this gap has been met, this time included.
	Count int `json:"count"`
	// GapID names the gap. A vocabulary entry with the tag "gap:" and this id
	// says that it closes the gap.
	GapID string `json:"gap_id"`
}

// LogVocabularyGap remembers that the vocabulary lacked a move, and what was
// done instead: the list tells which move to author next. Gaps are the same when
// the words of their missing capability (or description) are, whatever their
// order, case, plurals and little words such as "the".
func (e *Engine) LogVocabularyGap(ctx context.Context, p LogVocabularyGapParams) (_ LogVocabularyGapResult, err error) {
	defer seal(&err, "log_vocabulary_gap", p.ImageID)
	if err := errors.Join(validate(&p), e.writable(), fault.Violated(p.check())); err != nil {
		return LogVocabularyGapResult{}, err
	}
	if _, err := e.image(p.ImageID); err != nil {
		return LogVocabularyGapResult{}, err
	}
	gap := gapLine{
		Time: time.Now().UTC().Format(time.RFC3339Nano), ImageID: p.ImageID, Actor: e.actor(ctx),
		Description: p.Description, Workaround: p.Workaround, Intent: p.Intent,
		MissingCapability: p.MissingCapability, VocabularyUsed: p.VocabularyUsed, Satisfaction: p.Satisfaction,
	}
	count, err := e.appendGap(ctx, gap)
	if err != nil {
		return LogVocabularyGapResult{}, err
	}
	return LogVocabularyGapResult{Path: e.workspace.path(gapLog), Count: count, GapID: gapID(gap.words())}, nil
}

func (p LogVocabularyGapParams) check() []fault.Violation {
	found := slices.Concat(
		checkWords("/description", p.Description, mostGapText),
		checkWords("/workaround", p.Workaround, mostGapText),
		checkWords("/intent", p.Intent, mostGapText),
		checkWords("/missing_capability", p.MissingCapability, mostGapText),
	)
	if n := len(p.VocabularyUsed); n > mostGapNames {
		return append(found, fault.Violation{
			Pointer: "/vocabulary_used", Expected: fmt.Sprintf("at most %d names", mostGapNames), Got: fmt.Sprintf("%d names", n),
		})
	}
	for i, name := range p.VocabularyUsed {
		found = append(found, checkWords(fmt.Sprintf("/vocabulary_used/%d", i), name, 128)...)
	}
	return found
}

// Gap is one time that the vocabulary lacked a move.
type Gap struct {
	// GapID names the gap; it is the same each time that it is met.
	GapID string `json:"gap_id"`
	// Time it was met, as ISO 8601 in UTC.
	Time string `json:"time"`
	// ImageID is the image that was edited.
	ImageID ImageID `json:"image_id"`
	// Description says what the vocabulary could not do.
	Description string `json:"description"`
	// Workaround says what was done instead.
	Workaround string `json:"workaround"`
}

func (g gapLine) gap() Gap {
	return Gap{
		GapID: gapID(g.words()), Time: g.Time, ImageID: g.ImageID,
		Description: g.Description, Workaround: g.Workaround,
	}
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
	// Total number of gaps that fit.
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
	// Words that tell it from other gaps.
	Words []string `json:"words"`
	// Description of the last time.
	Description string `json:"description"`
	// MissingCapability of the last time; may be empty.
	MissingCapability string `json:"missing_capability"`
	// Workarounds are up to 5 different ones, newest first.
	Workarounds []string `json:"workarounds"`
	// ImageIDs are up to 5 of the images, newest first.
	ImageIDs []ImageID `json:"image_ids"`
	// SatisfactionSum adds up how well the workarounds did, -1 to 1 for each
	// time that it was said.
	SatisfactionSum int `json:"satisfaction_sum"`
	// FirstMet is the first time, as ISO 8601 in UTC.
	FirstMet string `json:"first_met"`
	// LastMet is the last time, as ISO 8601 in UTC.
	LastMet string `json:"last_met"`
	// ClosedBy lists the entries of the vocabulary that say that they close it.
	ClosedBy []string `json:"closed_by"`
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
	lines, skipped, older, err := e.workspace.readGaps(mostGapLog)
	if err != nil {
		return ListGapsResult{}, err
	}
	closers := e.gapClosers()
	ranked := rankGaps(lines)
	for i := range ranked {
		ranked[i].ClosedBy = orEmpty(closers[ranked[i].GapID])
	}
	if !p.IncludeClosed {
		ranked = slices.DeleteFunc(ranked, func(g RankedGap) bool { return len(g.ClosedBy) > 0 })
	}
	return ListGapsResult{
		Gaps: orEmpty(slices.Clone(page(ranked, p.Offset, p.Limit))), Total: len(ranked),
		SkippedLines: skipped, OlderBytes: older,
	}, nil
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

// rankGaps puts lines that are the same gap together, and ranks them.
func rankGaps(lines []gapLine) []RankedGap {
	places := map[string]int{}
	var ranked []RankedGap
	for _, line := range slices.Backward(lines) { // newest first
		gap, words := line.gap(), line.words()
		place, known := places[gap.GapID]
		if !known {
			place = len(ranked)
			places[gap.GapID] = place
			ranked = append(ranked, RankedGap{
				GapID: gap.GapID, Words: words, Description: gap.Description,
				MissingCapability: line.MissingCapability, LastMet: gap.Time,
			})
		}
		r := &ranked[place]
		r.Count++
		r.FirstMet = gap.Time
		if line.Satisfaction != nil {
			r.SatisfactionSum += int(*line.Satisfaction)
		}
		if len(r.Workarounds) < mostExamples && !slices.Contains(r.Workarounds, gap.Workaround) {
			r.Workarounds = append(r.Workarounds, gap.Workaround)
		}
		if len(r.ImageIDs) < mostExamples && !slices.Contains(r.ImageIDs, gap.ImageID) {
			r.ImageIDs = append(r.ImageIDs, gap.ImageID)
		}
	}
	slices.SortStableFunc(ranked, func(a, b RankedGap) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.SatisfactionSum, b.SatisfactionSum))
	})
	return ranked
}
