package chemigram

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/lists"
	"github.com/chemigram/chemigram/internal/requests"
	"github.com/chemigram/chemigram/internal/suggest"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp/iop"
)

// ListVocabularyParams are the parameters of ListVocabulary.
type ListVocabularyParams struct {
	// Layer chooses moves of one layer.
	Layer Layer `json:"layer,omitempty"`
	// Tags chooses moves that have all of these tags.
	Tags []string `json:"tags,omitempty"`
	// Query chooses moves by words, best match first: "warmer skin".
	Query string `json:"query,omitempty"`
	// AvailableOnly leaves out what the installed darktable cannot do.
	AvailableOnly bool `json:"available_only,omitempty"`
	// Limit is how many entries to give; default 10 for a query, 50 with detail, and
	// else none but an index of all names.
	Limit Limit `json:"limit,omitempty"`
	// Offset is how many entries to skip.
	Offset Offset `json:"offset,omitempty"`
	// Detail gives the whole description of each move, its tags, the modules that it
	// changes and its pack.
	Detail bool `json:"detail,omitempty"`
}

// ListVocabularyResult is a page of the vocabulary, or its index.
type ListVocabularyResult struct {
	// Answer comes first: another tool or a mask that the words ask for, or that what
	// they ask for is not possible here, or that nothing fits.
	Answer *VocabularyAnswer `json:"answer,omitempty"`
	// Entries of this page, best match first when words were searched for.
	Entries []Move `json:"entries"`
	// Index of all moves that the filters choose, when neither a query, a limit nor
	// detail was asked for.
	Index []VocabularySubject `json:"index,omitempty"`
	// Total number of moves that the filters choose.
	Total int `json:"total"`
}

// VocabularyAnswer is what there is for the words of a query, when it is not a move.
type VocabularyAnswer struct {
	// Kind is tool, mask, move (see entries), not_possible, or none when nothing fits.
	Kind string `json:"kind"`
	// Name of the tool, mask or move; of what is not possible, a few words.
	Name string `json:"name,omitempty"`
	// Says how to use it; of what is not possible, what comes nearest.
	Says string `json:"says"`
}

// VocabularySubject names the moves of one subject.
type VocabularySubject struct {
	// Subject they are filed under, such as tone or colour.
	Subject string `json:"subject"`
	// Names of the moves, with commas between.
	Names string `json:"names"`
}

// Move is one entry of the vocabulary.
type Move struct {
	// Name to apply it by.
	Name string `json:"name"`
	// Layer it belongs to.
	Layer Layer `json:"layer"`
	// Subject it is filed under, such as tone or colour.
	Subject string `json:"subject"`
	// Description of what it does, when to use it and when not; without detail its
	// first sentence, with … where it goes on.
	Description string `json:"description"`
	// Tags to find it by; with detail.
	Tags []string `json:"tags,omitempty"`
	// Touches lists the darktable modules that it changes; with detail.
	Touches []string `json:"touches,omitempty"`
	// Parameters that it takes.
	Parameters []MoveParameter `json:"parameters,omitempty"`
	// Mask that limits it: a named mask, or shapes and ranges as JSON; empty for all.
	Mask string `json:"mask,omitempty"`
	// Pack that it comes from; with detail.
	Pack string `json:"pack,omitempty"`
	// BuildsOn is the move that has to be applied first, such as a tone mapper;
	// empty for most.
	BuildsOn string `json:"builds_on,omitempty"`
	// Available is true when the installed darktable can do it.
	Available bool `json:"available"`
	// UnavailableReason says why it is not available; empty when it is.
	UnavailableReason string `json:"unavailable_reason,omitempty"`
	// Proven here, elsewhere, or failed here.
	Proven string `json:"proven,omitempty"`
}

// MoveParameter is one number that a move takes.
type MoveParameter struct {
	// Name of the parameter.
	Name string `json:"name"`
	// Unit of its values, such as EV; empty for a plain number.
	Unit string `json:"unit,omitempty"`
	// Min is the smallest value.
	Min float64 `json:"min"`
	// Max is the largest value.
	Max float64 `json:"max"`
	// Default is the value when none is given.
	Default float64 `json:"default"`
	// Neutral is the value that changes nothing. Default: 0.
	Neutral float64 `json:"neutral,omitempty"`
}

// ListVocabulary finds moves by words, best match first, and without words gives an
// index of all names by subject.
func (e *Engine) ListVocabulary(ctx context.Context, p ListVocabularyParams) (_ ListVocabularyResult, err error) {
	defer seal(&err, "list_vocabulary", "")
	if err := validate(&p); err != nil {
		return ListVocabularyResult{}, err
	}
	if tag, unknown := e.vocabulary.UnknownTag(p.Tags); unknown {
		return ListVocabularyResult{}, fault.Missing("tag", tag, e.vocabulary.Tags())
	}
	release, missing := e.release()
	found := e.vocabulary.List(vocab.Filter{Layer: vocab.Layer(p.Layer), Tags: p.Tags, Query: p.Query})
	if p.AvailableOnly {
		found = slices.DeleteFunc(found, func(entry *vocab.Entry) bool {
			ok, _ := entry.Available(release)
			return missing != nil || !ok
		})
	}
	answer, found := e.answer(p, found)
	res := ListVocabularyResult{Answer: answer, Entries: []Move{}, Total: len(found)}
	switch {
	case p.Limit == 0 && p.Query == "" && !p.Detail:
		res.Index = indexOf(found)
		return res, ctx.Err()
	case p.Limit == 0 && p.Detail:
		p.Limit = 50
	case p.Limit == 0:
		p.Limit = 10
	}
	proven := e.proofs.States()
	for _, entry := range lists.Page(found, p.Offset, p.Limit) {
		move := describeMove(entry)
		if missing != nil {
			move.UnavailableReason = "no darktable is installed that Chemigram can use"
		} else {
			move.Available, move.UnavailableReason = entry.Available(release)
		}
		if p.Detail || e.proofs.Any() {
			move.Proven = string(proven(entry))
		}
		if !p.Detail {
			move = move.brief()
		}
		if whole := entry.FullStrengthOnly(release); missing == nil && len(whole) > 0 {
			move.Description += " Below full strength it leaves out " + strings.Join(whole, ", ") + "."
		}
		res.Entries = append(res.Entries, move)
	}
	return res, ctx.Err()
}

// answer finds what there is for the words of a query, and the moves to show with it.
func (e *Engine) answer(p ListVocabularyParams, found []*vocab.Entry) (*VocabularyAnswer, []*vocab.Entry) {
	if p.Query == "" || p.Layer != "" || len(p.Tags) > 0 {
		return nil, found
	}
	a, ok := requests.Find(e.vocabulary, p.Query)
	if !ok && len(found) == 0 {
		return &VocabularyAnswer{
			Kind: "none", Says: "No move, mask or tool fits these words. Say it otherwise, or list all names without a query. " + logTheWish,
		}, found
	}
	if !ok {
		return nil, found
	}
	var shown []*vocab.Entry
	for _, name := range a.Moves {
		if entry, err := e.vocabulary.Entry(name); err == nil {
			shown = append(shown, entry)
		}
	}
	if a.Kind == requests.Move && a.Says == "" {
		if len(strings.Fields(p.Query)) > 1 {
			return nil, shown
		}
		// A single word asks for all moves that have to do with it.
		rest := slices.DeleteFunc(found, func(entry *vocab.Entry) bool { return slices.Contains(shown, entry) })
		return nil, append(shown, rest...)
	}
	if a.Kind == requests.NotPossible {
		a.Says = strings.TrimSpace(a.Says + " " + logTheWish)
	}
	return &VocabularyAnswer{Kind: string(a.Kind), Name: a.Name, Says: a.Says}, shown
}

// move finds a move by its name. Of a name that is none, but words for something else, the
// error says what that is.
func (e *Engine) move(name string) (*vocab.Entry, error) {
	entry, err := e.vocabulary.Entry(name)
	if err == nil {
		return entry, nil
	}
	a, ok := requests.Find(e.vocabulary, name)
	near := len(suggest.Nearest(name, e.vocabulary.Like("*"))) > 0
	if !ok || near && (a.Kind == requests.Move || !a.Whole) {
		return nil, err
	}
	unknown := AsError(err)
	suggestions := a.Moves
	switch a.Kind {
	case requests.Tool, requests.Mask:
		unknown.Message = fmt.Sprintf("there is no primitive %.128q; the %s %s may be meant: %s", name, a.Kind, a.Name, a.Says)
	case requests.NotPossible:
		unknown.Message = fmt.Sprintf("there is no primitive %.128q, and %s is not possible here: %s", name, a.Name, a.Says)
	default:
		unknown.Message = fmt.Sprintf("there is no primitive %.128q; the nearest names are %q", name, a.Moves)
	}
	unknown.Details = maps.Clone(unknown.Details)
	delete(unknown.Details, "suggestions")
	if len(suggestions) > 0 {
		unknown.Details["suggestions"] = suggestions
	}
	return nil, unknown
}

// logTheWish says what to do about what is missing.
const logTheWish = "If it is an edit that should be possible, log_vocabulary_gap keeps the wish."

// indexOf names entries by their subjects.
func indexOf(entries []*vocab.Entry) []VocabularySubject {
	names := map[string][]string{}
	for _, entry := range entries {
		names[entry.Subject] = append(names[entry.Subject], entry.Name)
	}
	index := []VocabularySubject{}
	for _, subject := range slices.Sorted(maps.Keys(names)) {
		index = append(index, VocabularySubject{Subject: subject, Names: strings.Join(names[subject], ", ")})
	}
	return index
}

// brief leaves out what is needed to study a move rather than to choose it.
func (m Move) brief() Move {
	m.Description = vocab.FirstSentence(m.Description)
	m.Tags, m.Touches, m.Pack = nil, nil, ""
	return m
}

func describeMove(entry *vocab.Entry) Move {
	m := Move{
		Name: entry.Name, Layer: Layer(entry.Layer), Subject: entry.Subject,
		Description: entry.Description, Tags: lists.NotNil(entry.Tags), Touches: lists.NotNil(entry.Touches()),
		Parameters: []MoveParameter{}, Pack: entry.Pack.Name, BuildsOn: entry.BuildsOn,
	}
	for _, p := range entry.Parameters {
		m.Parameters = append(m.Parameters, MoveParameter(p))
	}
	switch {
	case entry.Region != "":
		m.Mask = string(entry.Region)
	case entry.Mask != nil:
		m.Mask = entry.Mask.Name
		if own, err := json.Marshal(entry.Mask); err == nil && entry.Mask.Key() != m.Mask {
			m.Mask = string(own)
		}
	}
	return m
}

// release is what the installed darktable knows.
func (e *Engine) release() (iop.Release, error) {
	darktable, err := e.renderer()
	if err != nil {
		return iop.Release{}, err
	}
	known, err := e.installed.Of(darktable)
	return known.Release, err
}

// releaseFor is what the darktable knows that edits of an image are written for, and its
// version: the installed one, or without any the one that made the baseline.
func (e *Engine) releaseFor(img *workspace.Image) (release iop.Release, version string, err error) {
	if darktable, missing := e.renderer(); missing == nil {
		release, err = e.release()
		return release, darktable.Version(), err
	}
	release, err = iop.ReleaseFor(img.Darktable)
	return release, img.Darktable, err
}
