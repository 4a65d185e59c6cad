package chemigram

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/formerly"
	"github.com/chemigram/chemigram/internal/transcript"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
)

// ReplayParams are the parameters of Replay.
type ReplayParams struct {
	// SessionID names the transcript, as list_transcripts gives it.
	SessionID SessionID `json:"session_id"`
	// ImageID is the image whose calls are replayed.
	ImageID ImageID `json:"image_id"`
	// As is the name of the copy. Default: the image's, with "-replay".
	As ImageID `json:"as,omitempty"`
	// TimeoutSeconds limits darktable's time for the copy's baseline and, when it is
	// given, for each call, in place of the call's own limit.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// ReplayResult reports whether the copy went the way of the image.
type ReplayResult struct {
	// ImageID names the copy.
	ImageID ImageID `json:"image_id"`
	// Calls is how many calls were replayed.
	Calls int `json:"calls"`
	// Same is true when every look was the same.
	Same bool `json:"same"`
	// FirstDifference is the first call that came out differently; null when there
	// is none.
	FirstDifference *ReplayDifference `json:"first_difference"`
}

// ReplayDifference is a call that came out differently.
type ReplayDifference struct {
	// N is the number of the call in the transcript; 0 is the beginning.
	N int `json:"n"`
	// Verb that was called.
	Verb string `json:"verb"`
	// What differs: state, the look's hash, or outcome.
	What string `json:"what"`
	// Expected is what the transcript has.
	Expected string `json:"expected"`
	// Got is what it is in the replay.
	Got string `json:"got"`
}

// Replay repeats what a recorded session did to an image, on a fresh copy: the
// same raw under another id. It stops at the first call after which the look is
// not the one of then. With the same darktable there is none. Verbs that only
// look are left out, and so are those that failed and whose parameters had a
// secret, which the transcript does not have; those that work on several images
// are a difference when they changed this one.
func (e *Engine) Replay(ctx context.Context, p ReplayParams) (_ ReplayResult, err error) {
	defer e.seal(&err, "replay", p.ImageID)
	limit := p.TimeoutSeconds // before its default
	if err := validate(&p); err != nil {
		return ReplayResult{}, err
	}
	if _, err := transcript.Read(ctx, e.workspace, string(p.SessionID), nil); err != nil {
		return ReplayResult{}, err
	}
	original, err := e.image(p.ImageID)
	if err != nil {
		return ReplayResult{}, err
	}
	as := cmp.Or(p.As, p.ImageID+"-replay")
	made, err := e.Ingest(ctx, IngestParams{RawPath: original.Raw.Path, ImageID: as, TimeoutSeconds: p.TimeoutSeconds})
	if err != nil {
		return ReplayResult{}, err
	}
	if !made.Created {
		return ReplayResult{}, fault.New(fault.State, "there is an image %s already: say as what else to replay, with as", as)
	}
	r := replayer{engine: e, original: original, limit: limit, onto: transcript.Copy{ImageID: string(as), Snapshots: map[string]string{}}}
	res := ReplayResult{ImageID: as}
	_, err = transcript.Read(ctx, e.workspace, string(p.SessionID), func(call transcript.Call) (err error) {
		if res.FirstDifference != nil || call.ImageID != string(p.ImageID) || call.Verb == "ingest" {
			return nil
		}
		if res.Calls == 0 {
			res.FirstDifference, err = r.start(ctx, call.StateBefore)
		}
		if err == nil && res.FirstDifference == nil {
			res.FirstDifference, err = r.repeat(ctx, call)
		}
		if err == nil && res.FirstDifference == nil {
			res.Calls++
		}
		return err
	})
	res.Same = err == nil && res.FirstDifference == nil
	return res, err
}

// replayer repeats the calls of one image on its copy.
type replayer struct {
	engine   *Engine
	original *workspace.Image
	onto     transcript.Copy
	limit    TimeoutSeconds // of every call; 0 is each call's own
}

// start brings the copy to the look that the session began with.
func (r replayer) start(ctx context.Context, before string) (*ReplayDifference, error) {
	now, _ := r.engine.headOf(ctx, r.onto.ImageID)
	fresh, err := r.engine.workspace.Image(r.onto.ImageID)
	if err != nil {
		return nil, err
	}
	old, err := r.original.Baseline(ctx)
	if err != nil {
		return nil, err
	}
	young, err := fresh.Baseline(ctx)
	if err != nil {
		return nil, err
	}
	r.onto.Snapshots[old.Record.ID.String()] = young.Record.ID.String()
	if now == before {
		return nil, nil
	}
	if old.Sidecar.Hash() != young.Sidecar.Hash() {
		return &ReplayDifference{Verb: "ingest", What: "state", Expected: old.Record.State.String(), Got: now}, nil
	}
	began, err := r.original.At(ctx, before)
	if err != nil {
		return nil, err
	}
	_, _, err = fresh.Commit(ctx, began.Sidecar, versioning.Change{Op: "replay"})
	return nil, err
}

// repeat makes a call again and compares what came of it.
func (r replayer) repeat(ctx context.Context, call transcript.Call) (*ReplayDifference, error) {
	differs := func(what, expected, got string) (*ReplayDifference, error) {
		return &ReplayDifference{N: call.N, Verb: call.Verb, What: what, Expected: expected, Got: got}, nil
	}
	if call.Hidden && call.Outcome != outcomeOK {
		return nil, nil // it changed nothing, and might fail otherwise now
	}
	verb := reruns()[call.Verb]
	if verb == nil || call.Cut && len(call.Params) == 0 {
		if call.StateBefore != call.StateAfter {
			return differs("outcome", call.Outcome, "not replayed")
		}
		return nil, nil
	}
	params, err := r.params(ctx, call)
	if err != nil {
		return nil, err
	}
	result, err := verb(r.engine, ctx, params)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if got := outcomeOf(err); got != call.Outcome {
		return differs("outcome", call.Outcome, got)
	}
	look, event := r.engine.headOf(ctx, r.onto.ImageID)
	if look != call.StateAfter {
		return differs("state", call.StateAfter, look)
	}
	if call.EventAfter != "" {
		r.onto.Snapshots[call.EventAfter] = event
	}
	for _, name := range []string{"snapshot_hash", "hash"} {
		then, _ := call.Result[name].(string)
		if now, _ := result[name].(string); then != "" && now != "" {
			r.onto.Snapshots[then] = now
		}
	}
	return nil, nil
}

// params are a call's parameters for the copy, as JSON. A label that the transcript
// hides is taken from the snapshot that it was given to.
func (r replayer) params(ctx context.Context, call transcript.Call) ([]byte, error) {
	fresh, err := r.engine.workspace.Image(r.onto.ImageID)
	if err != nil {
		return nil, err
	}
	refs, err := fresh.History.Refs(ctx)
	if err != nil {
		return nil, err
	}
	r.onto.Refs = nil
	for _, ref := range refs {
		r.onto.Refs = append(r.onto.Refs, strings.TrimPrefix(strings.TrimPrefix(ref.Name, branchPrefix), tagPrefix))
	}
	params := r.onto.Params(call.Params)
	if snapshot := call.HiddenLabel(); snapshot != "" {
		if record, err := r.original.History.Resolve(ctx, snapshot); err == nil && record.Op == call.Verb {
			params["label"] = record.Label
		}
	}
	if r.limit != 0 {
		params["timeout_seconds"] = r.limit
	}
	return json.Marshal(params)
}

// reruns are the verbs that change the edit of the one image they name.
func reruns() map[string]rerun {
	return map[string]rerun{
		"apply_per_region": rerunVerb((*Engine).ApplyPerRegion),
		"apply_spot":       rerunVerb((*Engine).ApplySpot),
		"apply_primitive":  rerunVerb((*Engine).ApplyPrimitive),
		"bind_layers":      rerunVerb((*Engine).BindLayers),
		"branch":           rerunVerb((*Engine).Branch),
		"checkout":         rerunVerb((*Engine).Checkout),
		"cherry_pick":      rerunVerb((*Engine).CherryPick),
		"delete_ref":       rerunVerb((*Engine).DeleteRef),
		"import_sidecar":   rerunVerb((*Engine).ImportSidecar),
		"merge":            rerunVerb((*Engine).Merge),
		"redo":             rerunVerb((*Engine).Redo),
		"remove_module":    rerunVerb((*Engine).RemoveModule),
		"reset":            rerunVerb((*Engine).Reset),
		"set_parameters":   rerunVerb((*Engine).SetParameters),
		"set_rating":       rerunVerb((*Engine).SetRating),
		"snapshot":         rerunVerb((*Engine).Snapshot),
		"tag":              rerunVerb((*Engine).Tag),
		"undo":             rerunVerb((*Engine).Undo),
		"match_reference":  rerunVerb((*Engine).MatchReference),
		"wb_from_point":    rerunVerb((*Engine).WBFromPoint),
	}
}

// rerun calls a verb with parameters as JSON, and gives its result as such.
type rerun func(e *Engine, ctx context.Context, params []byte) (Details, error)

func rerunVerb[P, R any](verb func(*Engine, context.Context, P) (R, error)) rerun {
	return func(e *Engine, ctx context.Context, params []byte) (Details, error) {
		var p P
		if err := formerly.Decode(params, &p); err != nil {
			return nil, fault.Invalid("/session_id", "the transcript's parameters do not fit: %v", err)
		}
		result, err := verb(e, ctx, p)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(result)
		if err != nil {
			return nil, fmt.Errorf("the result: %w", err)
		}
		var out Details
		err = json.Unmarshal(text, &out)
		return out, err
	}
}
