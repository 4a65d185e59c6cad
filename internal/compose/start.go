package compose

import (
	"context"
	"fmt"
	"os"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Start is what an edit starts from.
type Start struct {
	// Stack is the version that is edited.
	stack.Stack
	// Vocabulary has the moves and the named masks.
	Vocabulary *vocab.Vocabulary
	// Raw is the size of the raw in pixels, by its EXIF.
	Raw mask.Size
	// Frame measures how the developed picture of a look lies in the raw.
	Frame func(ctx context.Context, look *xmp.Sidecar) (mask.Frame, error)
	// Size measures how many pixels a look's picture has before any scaling.
	Size func(ctx context.Context, look *xmp.Sidecar) (mask.Size, error)
	// Region finds a region in the developed picture.
	Region func(ctx context.Context, request mask.Request) (Region, error)
	// Sure is set to how sure regions are that were found; nil is allowed.
	Sure *Sureness
	// CheckEntry and CheckMask refuse a move and a named mask that are known not to do on
	// this darktable what they say; nil refuses none.
	CheckEntry func(*vocab.Entry) error
	CheckMask  func(name string) error
	// OpenMask opens the file of a mask, if it may be read.
	OpenMask func(name string) (*os.File, error)
}

// Sureness is how sure the regions of an edit are: the least confidence of those
// that were found, 0 to 1, or nil when none was.
type Sureness struct {
	Confidence *float64
	// Warnings are of what was done in another way than was asked for.
	Warnings []string
}

// warn adds a warning.
func (s *Sureness) warn(format string, args ...any) {
	if s != nil {
		s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
	}
}

// add takes another region into account.
func (s *Sureness) add(confidence float64) {
	if s != nil && (s.Confidence == nil || confidence < *s.Confidence) {
		s.Confidence = &confidence
	}
}

// Region is what was found in a picture: how much each pixel belongs to it, 0 to 1,
// row by row from the top left.
type Region struct {
	Width, Height int
	Values        []float32
	// Confidence is how much of it is probably right, 0 to 1.
	Confidence float64
}

// Apply gives the current version with a move applied, and the values that were
// used. a needs no more than its values and strength. The mask limits the move to a
// part of the picture; nil is the entry's own, if it has one, else the whole
// picture. A look replaces another one there.
func (s Start) Apply(
	ctx context.Context, entry *vocab.Entry, a vocab.Application, limit *mask.Spec,
) (look *xmp.Sidecar, values map[string]float64, err error) {
	if ok, reason := entry.Available(s.Release); !ok {
		return nil, nil, fault.New(fault.NotImplemented, "%s is not available: %s", entry.Name, reason).
			With("capability", entry.Name).With("requires", reason)
	}
	if err := s.checkProof(entry, a.Strength, limit); err != nil {
		return nil, nil, err
	}
	if a.Within, err = s.limit(ctx, entry, limit); err != nil {
		return nil, nil, err
	}
	if entry.Layer == vocab.L2 && (a.Strength == nil || *a.Strength > 0) {
		if s.Current, err = s.withoutOthers(entry, a.Within); err != nil {
			return nil, nil, err
		}
	}
	a.Baseline, a.Current, a.Target, a.Frame = s.Baseline, s.Current, s.Release, s.frame(ctx)
	edits, values, err := entry.Compile(a)
	if err != nil {
		return nil, nil, err
	}
	if look, err = s.Current.With(s.Release, edits...); err != nil {
		return nil, nil, err
	}
	look, err = s.Reframe(ctx, look)
	return look, values, err
}

// checkProof refuses a move or its mask that is known not to do here what it says. A move
// that is taken back does nothing.
func (s Start) checkProof(entry *vocab.Entry, strength *float64, limit *mask.Spec) error {
	if strength != nil && *strength == 0 {
		return nil
	}
	if limit != nil && limit.Name != "" && s.CheckMask != nil {
		if err := s.CheckMask(limit.Name); err != nil {
			return err
		}
	}
	if s.CheckEntry == nil {
		return nil
	}
	return s.CheckEntry(entry)
}

// Reframe gives a look that was made of the current version, with what depends on the
// frame's proportions as it has to be in the look's own frame.
func (s Start) Reframe(ctx context.Context, look *xmp.Sidecar) (*xmp.Sidecar, error) {
	return s.Vocabulary.Reframe(s.Current, look, vocab.Application{Target: s.Release, Frame: s.frame(ctx)})
}

func (s Start) frame(ctx context.Context) func(*xmp.Sidecar) (mask.Size, error) {
	return func(look *xmp.Sidecar) (mask.Size, error) { return s.Size(ctx, look) }
}
