package chemigram

import (
	"context"
	goimage "image"

	"github.com/chemigram/chemigram/internal/advise"
	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/vocab"
)

// SuggestStartParams are the parameters of SuggestStart.
type SuggestStartParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// SuggestStartResult says where to start.
type SuggestStartResult struct {
	// BaselineHash names what was measured.
	BaselineHash string `json:"baseline_hash"`
	// Suggestions, one about each.
	Suggestions []StartSuggestion `json:"suggestions"`
}

// StartSuggestion is about one side of a photograph.
type StartSuggestion struct {
	// About is exposure, white_balance, straighten, crop, noise or lens.
	About string `json:"about"`
	// Verdict is change, keep or unsure.
	Verdict string `json:"verdict"`
	// Reason with what was measured.
	Reason string `json:"reason"`
	// Confidence, 0 to 1.
	Confidence float64 `json:"confidence" decimals:"2"`
	// Moves to change it, for apply_primitive.
	Moves []StartMove `json:"moves,omitempty"`
}

// StartMove is a move, ready to be applied.
type StartMove struct {
	// Name of the move.
	Name string `json:"move"`
	// Values by parameter.
	Values map[string]float64 `json:"values,omitempty"`
}

// startSize is the longest edge of the pictures that are looked at: the first look's,
// which is developed when a raw is registered.
const startSize = firstLook

// SuggestStart measures darktable's own development and suggests where to start:
// exposure, white balance, straightening, crop, noise, lens. What the picture does not
// show is unsure.
func (e *Engine) SuggestStart(ctx context.Context, p SuggestStartParams) (_ SuggestStartResult, err error) {
	defer e.seal(&err, "suggest_start", p.ImageID)
	img, err := e.imageToRead(&p, p.ImageID)
	if err != nil {
		return SuggestStartResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	baseline, err := img.Baseline(ctx)
	if err != nil {
		return SuggestStartResult{}, err
	}
	start, err := e.startFrom(ctx, img, baseline.Sidecar)
	if err != nil {
		return SuggestStartResult{}, err
	}
	photograph := advise.Photograph{Taken: img.EXIF, NoiseTemplates: e.noiseTemplates(img.EXIF.ISO)}
	photograph.Develop = func(ctx context.Context, moves ...advise.Move) (goimage.Image, error) {
		return e.developStart(ctx, img, start, moves)
	}
	if photograph.Picture, err = photograph.Develop(ctx); err != nil {
		return SuggestStartResult{}, err
	}
	if photograph.Linear, err = e.probe.Linear(ctx, rawOf(ctx, img), start.Stack); err != nil {
		return SuggestStartResult{}, err
	}
	lens, found := baseline.Sidecar.Find("lens", "")
	photograph.Corrected = found && lens.Enabled
	advice, err := advise.All(ctx, photograph)
	return SuggestStartResult{BaselineHash: baseline.Record.State.String(), Suggestions: e.startSuggestions(advice)}, err
}

// developStart develops an edit with moves; nil when one of them is not to be had.
func (e *Engine) developStart(ctx context.Context, img *workspace.Image, start compose.Start, moves []advise.Move) (goimage.Image, error) {
	for _, move := range moves {
		entry, err := e.vocabulary.Entry(move.Name)
		if err != nil {
			return nil, nil //nolint:nilerr // a pack may be missing: there is no such move then
		}
		if ok, _ := entry.Available(start.Release); !ok {
			return nil, nil
		}
		if start.Current, _, err = start.Apply(ctx, entry, vocab.Application{Values: move.Values}, nil); err != nil {
			return nil, err
		}
	}
	pixels, _, err := e.pixelsOf(ctx, img, start.Current, startSize, QualityFine)
	return pixels, err
}

// noiseTemplates are the templates that were made for a sensitivity.
func (e *Engine) noiseTemplates(iso int) []string {
	var names []string
	for _, entry := range e.madeFor(vocab.Taken{ISO: iso}) {
		if entry.AppliesTo.MinISO > 0 {
			names = append(names, entry.Name)
		}
	}
	return names
}

// startSuggestions leaves out moves that no loaded pack has.
func (e *Engine) startSuggestions(all []advise.Advice) []StartSuggestion {
	out := make([]StartSuggestion, len(all))
	for i, a := range all {
		out[i] = StartSuggestion{About: a.About, Verdict: a.Verdict, Reason: a.Reason, Confidence: a.Confidence}
		for _, move := range a.Moves {
			if _, err := e.vocabulary.Entry(move.Name); err != nil {
				out[i] = StartSuggestion{About: a.About, Verdict: advise.Unsure, Reason: a.Reason + "; no loaded pack has the move " + move.Name}
				break
			}
			out[i].Moves = append(out[i].Moves, StartMove{Name: move.Name, Values: move.Values})
		}
	}
	return out
}
