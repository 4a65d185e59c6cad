package workspace

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// Version is one version of an image's edit: the record and its sidecar.
type Version struct {
	Record  versioning.Record
	Sidecar *xmp.Sidecar
}

// annotations are what the engine keeps in a record beside what versioning
// knows: which vocabulary entries made the history entries of its state.
type annotations struct {
	Origins []xmp.InstanceOrigins `json:"origins,omitempty"`
}

// At gives the version that a ref or hash names; "" is HEAD.
func (i *Image) At(ctx context.Context, ref string) (Version, error) {
	record, err := i.History.Resolve(ctx, ref)
	if err != nil {
		return Version{}, err
	}
	return i.Load(ctx, record)
}

// Load reads the version of a record.
func (i *Image) Load(ctx context.Context, record versioning.Record) (Version, error) {
	state, err := i.History.State(ctx, record.State)
	if err != nil {
		return Version{}, err
	}
	sidecar, err := xmp.Parse(state)
	if err != nil {
		return Version{}, err
	}
	return annotated(record, sidecar)
}

// annotated gives the version of a record whose state a sidecar is.
func annotated(record versioning.Record, sidecar *xmp.Sidecar) (Version, error) {
	if len(record.Annotations) == 0 {
		return Version{record, sidecar}, nil
	}
	var notes annotations
	if err := json.Unmarshal(record.Annotations, &notes); err != nil {
		return Version{}, fault.New(fault.Versioning, "the annotations of record %s are damaged: %v", record.ID, err)
	}
	return Version{record, sidecar.WithOrigins(notes.Origins)}, nil
}

// BaselineTag names the first snapshot of every image.
const BaselineTag = "refs/tags/baseline"

// Baseline gives the version that the image began with.
func (i *Image) Baseline(ctx context.Context) (Version, error) { return i.At(ctx, BaselineTag) }

// state gives the bytes that a look is kept as: those of HEAD, when it is the same
// look, which is named otherwise where the raw's file name is in its state still.
func (i *Image) state(ctx context.Context, next *xmp.Sidecar) []byte {
	state := next.Canonical()
	head, err := i.History.Resolve(ctx, "")
	if err != nil {
		return state // Commit says what is wrong
	}
	now, err := i.History.State(ctx, head.State)
	if err != nil || !xmp.NamesFile(now) {
		return state
	}
	if look, err := xmp.Parse(now); err == nil && look.Hash() == next.Hash() {
		return now
	}
	return state
}

// Commit publishes a sidecar as the next snapshot of the branch. One that looks like HEAD
// publishes nothing, and what made HEAD stays what it was.
func (i *Image) Commit(ctx context.Context, next *xmp.Sidecar, change versioning.Change) (Version, bool, error) {
	notes, err := json.Marshal(annotations{Origins: next.Origins()})
	if err != nil {
		return Version{}, false, err
	}
	change.Annotations, change.Actor = notes, cmp.Or(change.Actor, i.workspace.Actor(ctx))
	record, changed, err := i.History.Commit(ctx, i.state(ctx, next), change)
	if err != nil || changed {
		return Version{record, next}, changed, err
	}
	now, err := annotated(record, next)
	return now, false, err
}

// MergeBases gives the newest versions that a merge of some snapshots and another one
// come from: one, or several where branches were merged into each other.
func (i *Image) MergeBases(ctx context.Context, merged []string, other string) ([]Version, error) {
	records, err := i.History.MergeBases(ctx, merged, []string{other})
	if err != nil {
		return nil, err
	}
	bases := make([]Version, len(records))
	for n, record := range records {
		if bases[n], err = i.Load(ctx, record); err != nil {
			return nil, err
		}
	}
	return bases, nil
}
