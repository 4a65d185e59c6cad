package chemigram

import (
	"cmp"
	"context"
	goimage "image"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/classify"
	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/match"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// MoveCount is how many moves a match uses at most, 1 to 16.
type MoveCount int

// RenderCount is how many developments a match may take, 8 to 96.
type RenderCount int

// MatchReferenceParams are the parameters of MatchReference.
type MatchReferenceParams struct {
	// ImageID names the image that is to look like the reference.
	ImageID ImageID `json:"image_id"`
	// Reference is an image id, the path of a JPEG, PNG or TIFF, or camera: the raw's JPEG.
	Reference string `json:"reference"`
	// RefOrHash is the version of a reference that is an image. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
	// Moves that may be used. Default: a sensible set of tone and colour.
	Moves []string `json:"moves,omitempty"`
	// MaxMoves is how many moves are used at most.
	MaxMoves MoveCount `json:"max_moves,omitempty" default:"6"`
	// Budget is how many drafts are developed at most.
	Budget RenderCount `json:"budget,omitempty" default:"24"`
	// Keep adds to the edit that is there, whose moves stay as they are. Default: tone and
	// colour are found anew; framing, lens, spots, masked moves and L1 stay.
	Keep bool `json:"keep,omitempty"`
	// DryRun finds the moves, and changes nothing.
	DryRun bool `json:"dry_run,omitempty"`
	// Label of the snapshot. Default: what it was matched to.
	Label string `json:"label,omitempty"`
	// TimeoutSeconds limits darktable's time for all of it.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"300"`
}

// MatchReferenceResult says what was found, as applied, and changed.
type MatchReferenceResult struct {
	EditResult
	Likeness
	// JPEGPath shows the reference, and the picture before and after, as sRGB.
	JPEGPath string `json:"jpeg_path"`
}

// Likeness is how like a reference a picture is and becomes.
type Likeness struct {
	// Understood is aligned for another development of this picture, compared place by
	// place; palette for another picture: which colours there are is matched, not where.
	Understood string `json:"understood"`
	// Confidence, 0 to 1: how alike the structure is, or what share moves take away.
	Confidence float64 `json:"confidence" decimals:"2"`
	// Before is the mean ΔE2000 after a blur; of palettes how far colours have to go.
	Before float64 `json:"distance_before" decimals:"2"`
	// LightAlone is the distance that exposure and white balance alone reach.
	LightAlone float64 `json:"distance_light_alone" decimals:"2"`
	// After is the distance with the moves.
	After float64 `json:"distance_after" decimals:"2"`
	// Clipped is by how much the share of clipped pixels grows, -1 to 1.
	Clipped float64 `json:"newly_clipped" decimals:"4"`
	// Renders is how many drafts were developed.
	Renders int `json:"renders"`
	// LeftAlone says why nothing was changed; empty when it was, or it is alike already.
	LeftAlone string `json:"left_alone,omitempty"`
}

// MatchReference makes a picture look like a reference by a few named moves, as one
// labelled snapshot: another development of it (the camera's JPEG, an export), or
// another picture, whose palette it then gets. It measures on drafts what each move
// does, solves for all together and drops what does little. A reference that is too
// different, or shows nothing, changes nothing: left_alone says why.
func (e *Engine) MatchReference(ctx context.Context, p MatchReferenceParams) (_ MatchReferenceResult, err error) {
	defer e.seal(&err, "match_reference", p.ImageID)
	if err := validate(&p); err != nil {
		return MatchReferenceResult{}, err
	}
	if err := e.workspace.CheckWritable(); err != nil && !p.DryRun {
		return MatchReferenceResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	img, err := e.image(p.ImageID)
	if err != nil {
		return MatchReferenceResult{}, err
	}
	head, err := img.At(ctx, "")
	if err != nil {
		return MatchReferenceResult{}, err
	}
	name, reference, err := e.openReference(ctx, img, p)
	if err != nil {
		return MatchReferenceResult{}, err
	}
	found, err := e.like(ctx, img, head, reference, p)
	if err != nil {
		return MatchReferenceResult{}, err
	}
	res := MatchReferenceResult{Likeness: Likeness(found.Measures), EditResult: (&preparedEdit{before: head.Sidecar, sure: &compose.Sureness{}}).result(workspace.Committed{Version: head})}
	change := versioning.Change{
		Op: "match_reference", Entry: name, Values: found.Values(), Expect: head.Record.ID, Label: cmp.Or(p.Label, "like "+name),
	}
	if res.JPEGPath, err = e.keepPicture(ctx, found.Sheet); err == nil && !p.DryRun && found.LeftAlone == "" && found.Look != nil {
		res.EditResult, err = e.edit(ctx, p.ImageID, change, func(compose.Start, *versioning.Change) (*xmp.Sidecar, error) { return found.Look, nil })
	}
	for _, move := range found.Moves {
		res.Applied = append(res.Applied, appliedMove(move.Entry, move.Values, nil, nil))
	}
	return res, err
}

// like finds the moves by which a version comes nearest to a reference.
func (e *Engine) like(
	ctx context.Context, img *workspace.Image, head workspace.Version, reference match.Reference, p MatchReferenceParams,
) (found match.Likeness, err error) {
	subject := match.Subject{
		Keep: p.Keep, Names: p.Moves, MaxMoves: int(p.MaxMoves), Budget: int(p.Budget), AtOnce: e.darktables(),
		Report: func(done int) { reportProgress(ctx, done, int(p.Budget), "drafts") },
	}
	subject.Develop = func(ctx context.Context, look *xmp.Sidecar, draft bool) (match.Developed, error) {
		quality := QualityFine
		if draft {
			quality = qualityDraftAlone
		}
		pixels, made, err := e.pixelsOf(ctx, img, look, matchSize, quality)
		return match.Developed{Picture: pixels, Draft: made == QualityDraft}, err
	}
	if subject.Start, err = e.startFrom(ctx, img, head.Sidecar); err != nil {
		return found, err
	}
	return match.Like(ctx, reference, subject)
}

// openReference reads the reference, and gives its name.
func (e *Engine) openReference(ctx context.Context, img *workspace.Image, p MatchReferenceParams) (name string, _ match.Reference, err error) {
	var pixels goimage.Image
	switch name = p.Reference; {
	case p.Reference == "camera" && p.RefOrHash == "": // with a version it is the image of that name
		if err = img.CheckRaw(ctx); err == nil {
			pixels, err = render.LoadCameraPhoto(ctx, img.Raw.Path, int(matchSize))
		}
	case e.workspace.Has(p.Reference):
		if img, err = e.image(ImageID(p.Reference)); err == nil {
			shown, failed := e.developVersion(ctx, img, p.RefOrHash, matchSize, QualityFine)
			pixels, err = shown.pixels, failed
		}
	case p.RefOrHash != "":
		err = fault.Invalid("/ref_or_hash", "it is a version of a reference that is an image, and there is no image %s", p.Reference)
	default:
		name = filepath.Base(p.Reference)
		pixels, err = e.openPhoto(ctx, p.Reference)
	}
	if err != nil {
		return "", match.Reference{}, fault.At("/reference", classify.Fault(err))
	}
	r, err := match.NewReference(name, pixels)
	return name, r, err
}

// openPhoto reads the file of a photograph.
func (e *Engine) openPhoto(ctx context.Context, path string) (goimage.Image, error) {
	file, info, err := workspace.OpenUserFile(path, e.opts.RawRoots, "a reference")
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return render.LoadPhoto(ctx, path, file, info.Size(), int(matchSize))
}
