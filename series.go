package chemigram

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// PropagateStateParams are the parameters of PropagateState.
type PropagateStateParams struct {
	// ImageID names the image whose look the targets get.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version whose look is copied. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
	// Targets are the images that get the look, 1 to 500.
	Targets []ImageID `json:"targets"`
	// Masks copies masked moves, too, to the same place of the sensor. Default: they
	// stay behind.
	Masks bool `json:"masks,omitempty"`
	// SameLight says that all pictures were taken in the same light: then
	// differences of exposure time, aperture and ISO are evened out, and a
	// target from the same camera model gets the source's white balance itself
	// instead of its change.
	SameLight bool `json:"same_light,omitempty"`
	// AllOrNothing changes no target when one cannot be changed.
	AllOrNothing bool `json:"all_or_nothing,omitempty"`
}

// SeriesResult says what became of each target.
type SeriesResult struct {
	// Outcomes in the order of the targets.
	Outcomes []SeriesOutcome `json:"outcomes"`
	// Changed is the number of targets that look different now.
	Changed int `json:"changed"`
	// LeftAlone is the number of targets that a match would harm, and left alone.
	LeftAlone int `json:"left_alone,omitempty"`
	// Failed is the number of targets with an error.
	Failed int `json:"failed"`
}

// SeriesOutcome is what became of one target.
type SeriesOutcome struct {
	// ImageID names the target.
	ImageID ImageID `json:"image_id"`
	// Changed is false when the target looked so already, or was not touched.
	Changed bool `json:"changed"`
	// SnapshotHash is the hash of the target's look now.
	SnapshotHash string `json:"snapshot_hash,omitempty"`
	// Event is the snapshot that the target's HEAD is at now. Answers of tools leave it
	// out: log has it.
	Event string `json:"-"`
	// EV is by how much the target's exposure was changed beyond the source's
	// edit, in stops.
	EV float64 `json:"ev" decimals:"3"`
	// LeftBehind are the module instances of the source that were not copied.
	LeftBehind []string `json:"left_behind,omitempty"`
	// Match is what match_exposure measured.
	Match *ExposureMatch `json:"match,omitempty"`
	// Series is what match_series measured and changed.
	Series *SeriesMatch `json:"series,omitempty"`
	Failure
	Looks
}

// set takes over what became of the target's edit.
func (o *SeriesOutcome) set(res EditResult) {
	o.Changed, o.SnapshotHash, o.Event, o.Looks = res.Changed, res.SnapshotHash, res.Event, res.Looks
}

// PropagateState makes other images look like this one. What the version
// changes against its own baseline is put on each target's own baseline, as one
// snapshot: exposure and white balance as a change relative to what the target
// has, all else as it is. It replaces what was edited on the target before.
// Framing (crop, rotation, perspective), lens corrections and spots stay as
// each image has them, and so do masked moves unless masks is set.
func (e *Engine) PropagateState(ctx context.Context, p PropagateStateParams) (_ SeriesResult, err error) {
	defer e.seal(&err, "propagate_state", p.ImageID)
	if err := errors.Join(e.validateWrite(&p), checkTargets(p.ImageID, p.Targets)); err != nil {
		return SeriesResult{}, err
	}
	img, err := e.image(p.ImageID)
	if err != nil {
		return SeriesResult{}, err
	}
	source, err := e.start(ctx, img, p.RefOrHash)
	if err != nil {
		return SeriesResult{}, err
	}
	change := versioning.Change{Op: "propagate_state", Entry: string(p.ImageID)}
	next := func(target *workspace.Image, outcome *SeriesOutcome) composition {
		return func(now compose.Start, _ *versioning.Change) (look *xmp.Sidecar, err error) {
			look, outcome.LeftBehind, err = stack.Carry(source.Stack, now.Stack, p.Masks)
			if err != nil || !p.SameLight {
				return look, err
			}
			light, err := lightBetween(EXIFSummary(img.EXIF), EXIFSummary(target.EXIF))
			if err != nil {
				return nil, err
			}
			now.Current = look
			if look, err = now.EvenLight(source.Current, light); err == nil {
				outcome.EV = light.EV
			}
			return look, err
		}
	}
	if p.AllOrNothing {
		return e.propagateAll(ctx, p.Targets, change, next)
	}
	return e.eachTarget(ctx, p.Targets, 1, func(ctx context.Context, target *workspace.Image, outcome *SeriesOutcome) error {
		res, err := e.edit(ctx, ImageID(target.ImageID), change, next(target, outcome))
		outcome.set(res)
		return err
	})
}

// propagateAll changes all targets or none: it locks them all, composes all
// looks, and only then publishes them. Every series locks in the order of the ids, so
// that two with the same targets wait for each other, and not for ever.
func (e *Engine) propagateAll(
	ctx context.Context, targets []ImageID, change versioning.Change, next func(*workspace.Image, *SeriesOutcome) composition,
) (_ SeriesResult, err error) {
	var prepared []*preparedEdit
	defer func() {
		for _, edit := range prepared {
			edit.release()
		}
	}()
	res, err := e.eachTarget(ctx, slices.Sorted(slices.Values(targets)), 1, func(ctx context.Context, target *workspace.Image, outcome *SeriesOutcome) error {
		edit, err := e.prepare(ctx, ImageID(target.ImageID), change, next(target, outcome))
		if err == nil {
			prepared = append(prepared, edit)
		}
		return err
	})
	if err != nil {
		return SeriesResult{}, err
	}
	if res.Failed > 0 {
		return SeriesResult{}, firstFailure(res, targets)
	}
	var edits []workspace.Edit
	for _, edit := range prepared {
		edits = append(edits, edit.Edit)
	}
	done, err := e.workspace.CommitAll(ctx, change.Op, edits)
	if err != nil {
		return SeriesResult{}, err
	}
	for i, one := range done {
		res.Outcomes[i].set(prepared[i].result(one))
		if res.Outcomes[i].Changed {
			res.Changed++
		}
	}
	res.arrange(targets)
	return res, nil
}

// arrange puts the outcomes in the order of the targets.
func (r *SeriesResult) arrange(targets []ImageID) {
	places := make(map[ImageID]int, len(targets))
	for i, id := range targets {
		places[id] = i
	}
	slices.SortFunc(r.Outcomes, func(a, b SeriesOutcome) int { return cmp.Compare(places[a.ImageID], places[b.ImageID]) })
}

// lightBetween compares how two pictures of one light were taken.
func lightBetween(source, target EXIFSummary) (stack.Light, error) {
	exposure := func(s EXIFSummary) float64 {
		light := s.ExposureSeconds * float64(s.ISO)
		if source.Aperture > 0 && target.Aperture > 0 {
			light /= s.Aperture * s.Aperture
		}
		return light
	}
	from, to := exposure(source), exposure(target)
	if !(from > 0 && to > 0) {
		return stack.Light{}, fault.Invalid("/same_light", "the files do not say exposure time and ISO: same_light cannot be used; match_exposure measures instead")
	}
	return stack.Light{
		EV: math.Log2(from / to), SameCamera: source.Make == target.Make && source.Model == target.Model,
	}, nil
}

// firstFailure is the error of an all-or-nothing call: that of the first target
// that cannot be changed.
func firstFailure(res SeriesResult, targets []ImageID) error {
	res.arrange(targets)
	for _, o := range res.Outcomes {
		if o.ErrorCode != "" {
			return fault.New(fault.Kind(o.ErrorCode), "%s: %s (no target was changed)", o.ImageID, o.Error).With("outcomes", res.Outcomes)
		}
	}
	return nil
}

// checkTargets refuses lists that are empty or too long, and targets named twice or
// equal to the source.
func checkTargets(source ImageID, targets []ImageID) error {
	return checkImages("/targets", "targets", source, targets)
}

// checkImages refuses lists, as what they are called, as checkTargets does.
func checkImages(at, called string, source ImageID, images []ImageID) error {
	if n := len(images); n < 1 || n > maxTargets {
		return fault.Invalid(at, "%d %s: 1 to %d can be given", n, called, maxTargets)
	}
	seen := map[ImageID]bool{source: source != ""}
	for _, id := range images {
		if seen[id] {
			return fault.Invalid(at, "%s is named twice", id)
		}
		seen[id] = true
	}
	return nil
}

const maxTargets = 500

// eachTarget calls do for each target, for atOnce of them at a time, and reports
// progress. A target's error is part of its outcome; only the end of the context is
// an error of the whole.
func (e *Engine) eachTarget(
	ctx context.Context, targets []ImageID, atOnce int, do func(context.Context, *workspace.Image, *SeriesOutcome) error,
) (SeriesResult, error) {
	s := outcomes{SeriesResult: SeriesResult{Outcomes: make([]SeriesOutcome, len(targets))}}
	limit := make(chan struct{}, atOnce)
	var running sync.WaitGroup
	for i, id := range targets {
		s.Outcomes[i].ImageID, s.Outcomes[i].LeftBehind = id, []string{}
		limit <- struct{}{}
		running.Go(func() {
			defer func() { <-limit }()
			if ctx.Err() != nil {
				return
			}
			img, err := e.image(id)
			if err == nil {
				err = do(ctx, img, &s.Outcomes[i])
			}
			if ctx.Err() == nil {
				s.end(ctx, &s.Outcomes[i], e.orMissing(id, err))
			}
		})
	}
	running.Wait()
	return s.SeriesResult, context.Cause(ctx)
}

// outcomes collects what became of the targets, from several goroutines.
type outcomes struct {
	mu sync.Mutex
	SeriesResult
	done int // targets
}

// end adds the outcome of one target, whose error is err.
func (s *outcomes) end(ctx context.Context, outcome *SeriesOutcome, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		outcome.Failure = failureOf(err)
		s.Failed++
	}
	if outcome.Changed {
		s.Changed++
	}
	if outcome.Match != nil && outcome.Match.LeftAlone != "" || outcome.Series != nil && outcome.Series.LeftAlone != "" {
		s.LeftAlone++
	}
	s.done++
	reportProgress(ctx, s.done, len(s.Outcomes), string(outcome.ImageID))
}
