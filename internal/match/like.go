package match

import (
	"context"
	"fmt"
	"image"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/probe"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp"
)

// How a reference was understood.
const (
	// Aligned is another development of the same picture: places are compared.
	Aligned = "aligned"
	// OfPalette is another picture: what colours there are is compared.
	OfPalette = "palette"
)

// A Subject is a picture that is made to look like a reference.
type Subject struct {
	// Start is its edit. Keep adds to it; else tone and colour are found anew.
	Start compose.Start
	Keep  bool
	// Names of the moves that may be used; none is a sensible set of tone and colour.
	Names []string
	// MaxMoves and Budget bound the moves, and the developments.
	MaxMoves, Budget int
	// Develop develops a look as it is exported, or where that can be a draft of it,
	// AtOnce of them at a time.
	Develop func(ctx context.Context, look *xmp.Sidecar, draft bool) (Developed, error)
	AtOnce  int
	// Report is told how many were developed.
	Report func(done int)
}

// Developed is a picture that was developed: as it is exported, or as a draft of it.
type Developed struct {
	Picture image.Image
	Draft   bool
}

// A Likeness is what was found.
type Likeness struct {
	Measures
	// Moves that bring the picture nearest to the reference, and Look, its edit with
	// them; nil when none were looked for.
	Moves []Setting
	Look  *xmp.Sidecar
	// Sheet shows the reference, and the picture before and after.
	Sheet image.Image
}

// Measures say how like a reference a picture is and becomes.
type Measures struct {
	// Understood is Aligned or OfPalette, with how sure that is, 0 to 1.
	Understood string
	Confidence float64
	// Before and After are the distances from the reference, LightAlone what exposure and
	// white balance reach: of aligned pictures the mean ΔE2000 after a blur, of palettes
	// the sliced Wasserstein distance in CIELAB.
	Before, LightAlone, After float64
	// Clipped is by how much the share of clipped pixels grows.
	Clipped float64
	// Renders is how many developments it took.
	Renders int
	// LeftAlone says why it is better left as it is; empty when it is not.
	LeftAlone string
}

const (
	// worth is the share of the distance before that a move has to take away.
	worth = 0.01
	// enoughAligned is the distance of aligned pictures that needs no more looking for.
	enoughAligned = 0.25
	// maxNewlyClipped is how many of the pixels a palette may clip newly.
	maxNewlyClipped = 0.004
	// maxIdle is how many refinements that bring nothing end the search.
	maxIdle = 2
)

// lookalike is a picture on its way to a reference.
type lookalike struct {
	Measures
	subject Subject
	// first is the picture as it was, and now with the moves.
	first, now image.Image
	target     interface {
		measure
		apart(v View) float64
		sampled(v View) (sample, func([]colour.Lab) float64)
	}
	axes  []axis
	free  []bool
	fit   *fit
	at    point // where the fit is
	trust float64
	best  point
	view  View // of the best
	// errors are the differences of an export and its draft, for each cell; nil when none is
	// known.
	errors []colour.Lab
	// glared is whether too much was clipped in what was developed last.
	glared bool
	// clipped is the share of clipped pixels of the first picture, and of its draft.
	clipped, clippedDraft float64
}

// Like finds the moves by which a picture comes nearest to a reference.
func Like(ctx context.Context, r Reference, p Subject) (Likeness, error) {
	s := &lookalike{subject: p}
	var found Likeness
	looked, err := s.look(ctx, r)
	if err == nil && looked && s.judge() {
		found.Moves = settings(s.axes, s.best)
		found.Look, err = lookOf(ctx, s.subject.Start, found.Moves)
	}
	if err != nil {
		return Likeness{}, err
	}
	found.Measures = s.Measures
	found.Sheet, err = s.sheet(r)
	return found, err
}

// look looks for the moves, unless the picture is like the reference already or cannot
// be compared with it.
func (s *lookalike) look(ctx context.Context, r Reference) (looked bool, err error) {
	shown, err := s.developLook(ctx, s.subject.Start.Current, false)
	if err != nil {
		return false, err
	}
	first := NewView(shown.Picture)
	s.first, s.now = shown.Picture, shown.Picture
	if !s.understand(r, first) {
		return false, nil
	}
	if s.clipped, err = probe.ClippedShare(s.first, render.Region{}); err != nil {
		return false, err
	}
	s.clippedDraft, s.Before = s.clipped, s.target.apart(first)
	s.After, s.LightAlone = s.Before, s.Before
	if s.Before < alike {
		return false, nil
	}
	if err := s.begin(ctx, first); err != nil {
		return false, err
	}
	return true, s.search(ctx)
}

// developLook develops one look.
func (s *lookalike) developLook(ctx context.Context, look *xmp.Sidecar, draft bool) (Developed, error) {
	d, err := s.subject.Develop(ctx, look, draft)
	if err == nil {
		s.count()
	}
	return d, err
}

// count counts a development.
func (s *lookalike) count() {
	s.Renders++
	s.subject.Report(s.Renders)
}

// minSpread is the standard deviation of colours in CIELAB below which a picture shows
// nothing, and minSide the shortest side in pixels.
const (
	minSpread = 1.5
	minSide   = 16
)

// understand decides how the pictures are compared. It is false when they cannot be.
func (s *lookalike) understand(r Reference, first View) bool {
	for _, shown := range []struct {
		name    string
		picture image.Image
		view    View
	}{{"the reference", r.picture, r.view}, {"the picture", s.first, first}} {
		size := shown.picture.Bounds().Size()
		switch {
		case min(size.X, size.Y) < minSide:
			s.LeftAlone = fmt.Sprintf("%s has %d by %d pixels: at least %d by %d are needed to tell how it looks", shown.name, size.X, size.Y, minSide, minSide)
		case shown.view.spread() < minSpread:
			s.LeftAlone = shown.name + " is of one colour: there is nothing in it to match"
		default:
			continue
		}
		s.Understood = OfPalette
		return false
	}
	c := comparison{reference: r.view.unlost()}
	if c.place, c.overlaps = findVersion(r.view, first); c.overlaps {
		s.Understood, s.Confidence, s.target = Aligned, c.place.likeness, same{c}
		return true
	}
	s.Understood, s.target = OfPalette, newPalette(r.view, paletteDirections)
	return true
}

// compareDraft learns by how much drafts are wrong, which is alike in all of them.
func (s *lookalike) compareDraft(ctx context.Context, first View) error {
	d, err := s.subject.Develop(ctx, s.subject.Start.Current, true)
	if err != nil || !d.Draft { // then it is the first picture
		return err
	}
	s.count()
	draft := NewView(d.Picture)
	if draft.width != first.width || draft.height != first.height {
		return nil
	}
	s.errors = make([]colour.Lab, len(draft.lab))
	for i, c := range draft.lab {
		s.errors[i] = plus(first.lab[i], c, -1)
	}
	s.clippedDraft, err = probe.ClippedShare(d.Picture, render.Region{})
	return err
}

// makePlain begins without the tone and colour that the edit has.
func (s *lookalike) makePlain(ctx context.Context) error {
	plain, err := s.subject.Start.Plain(ctx)
	if err != nil || plain.Hash() == s.subject.Start.Current.Hash() {
		return err
	}
	s.subject.Start.Current = plain
	d, err := s.developLook(ctx, plain, true)
	if err != nil {
		return err
	}
	s.view, s.now = s.viewOf(d), d.Picture
	s.After = s.target.apart(s.view)
	s.Clipped, err = s.newlyClipped(d)
	return err
}

// viewOf is the view of a picture; that of a draft as the export would be.
func (s *lookalike) viewOf(d Developed) View {
	v := NewView(d.Picture)
	if d.Draft && len(s.errors) == len(v.lab) {
		for i, e := range s.errors {
			v.lab[i] = plus(v.lab[i], e, 1)
		}
	}
	return v
}

// newlyClipped is by how much more of a picture is clipped than of the first one.
func (s *lookalike) newlyClipped(d Developed) (float64, error) {
	share, err := probe.ClippedShare(d.Picture, render.Region{})
	if d.Draft {
		return share - s.clippedDraft, err
	}
	return share - s.clipped, err
}

// begin prepares the search.
func (s *lookalike) begin(ctx context.Context, first View) (err error) {
	s.view = first
	if err := s.compareDraft(ctx, first); err != nil {
		return err
	}
	if !s.subject.Keep {
		if err := s.makePlain(ctx); err != nil {
			return err
		}
	}
	s.beginFit()
	return nil
}

// beginFit begins a fit where the picture is.
func (s *lookalike) beginFit() {
	s.fit = newFit(s.target, s.view)
	s.fit.mild = func(float64, float64) float64 { return 1 }
	if s.Understood == Aligned {
		// By the distance itself, not by its square.
		s.fit.mild = func(size, typical float64) float64 { return 1 / max(size, typical/2) }
	}
}

const (
	// hardlyApart is the distance below which moves have to take away more than the rest
	// of mostOfHardly to be believed.
	hardlyApart, mostOfHardly = 1.0, 0.75
	// maxLeftOfPalette is the share of the distance of two palettes that may be left; of
	// more the pictures are too different.
	maxLeftOfPalette = 0.75
)

// judge tells whether the picture is better left as it is. It is false when there is
// nothing to match.
func (s *lookalike) judge() (nearerByMoves bool) {
	nearer := s.Before - s.After
	if s.Understood == OfPalette {
		s.Confidence = min(max(nearer/s.Before, 0), 1)
	}
	switch {
	case s.Before < hardlyApart && s.After > mostOfHardly*s.Before:
		// It is the same picture; what is left are its edges and its compression.
		s.now, s.After, s.Clipped = s.first, s.Before, 0
		return false
	case nearer < worthwhile:
		s.LeftAlone = fmt.Sprintf("no move brings it nearer: it is %.1f away, and %.1f at best", s.Before, s.After)
	case s.Understood == OfPalette && s.After > maxLeftOfPalette*s.Before:
		s.LeftAlone = fmt.Sprintf("the pictures are too different: of the distance of their palettes, %.1f, at least %.1f would be left", s.Before, s.After)
	}
	return true
}

// sheet shows the reference, and the picture before and after.
func (s *lookalike) sheet(r Reference) (image.Image, error) {
	now := fmt.Sprintf("after, %.1f away", s.After)
	if s.LeftAlone != "" {
		now = "left alone"
	}
	return render.Sheet([]render.Tile{
		{Picture: r.picture, Label: "reference: " + r.name},
		{Picture: s.first, Label: fmt.Sprintf("before, %.1f away", s.Before)},
		{Picture: s.now, Label: now},
	}, 3)
}

// Values are the numbers of the moves, by move and parameter.
func (l Likeness) Values() map[string]float64 {
	values := map[string]float64{}
	for _, move := range l.Moves {
		for parameter, value := range move.Values {
			values[move.Entry.Name+"."+parameter] = value
		}
	}
	return values
}
