package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/xmp"
)

// Imposter is a move that stood in an entry's place.
type Imposter struct {
	// Entry is the move whose claims were checked, As the one that stood for it:
	// a rival's name, or [Everywhere].
	Entry, As string
	// Caught is the first claim that did not hold; empty when all did.
	Caught string
	// Alike is why the entry says that the two may be the same picture.
	Alike string
}

// Passed reports whether nothing told the imposter from the entry, though the entry
// does not say that it cannot be told.
func (i Imposter) Passed() bool { return i.Caught == "" && i.Alike == "" }

// Everywhere names the imposter that a move with a mask is without the mask.
const Everywhere = "everywhere"

// Imposters lets other moves stand in the place of each entry and tells which claim of
// the entry fails then: its rivals, and for a move with a mask the same move without
// it. The entry itself and what the target does not have do not stand for it. A rival
// has its defaults; where a claim names values, it has values as far from its neutral,
// in its own defaults, as the entry's are. In a rival's name only the first word is
// compared with what the entry says is alike, so that one move may stand there with
// several amounts: "exposure +1".
//
// Of the parameters it uses Entries, Renderer, Target and Parallel. The error is the
// renderer's or the context's.
func Imposters(ctx context.Context, p VerifyParams, rivals func(*vocab.Entry) []*vocab.Entry) ([]Imposter, error) {
	if p.Renderer == nil {
		return nil, errors.New("proving needs a renderer")
	}
	p.Parallel = max(1, p.Parallel)
	t := &trial{verifier: newVerifier(p), originals: map[pictureKey]*original{}, poses: map[pose]*xmp.Sidecar{}, hashes: map[*xmp.Sidecar][32]byte{}}
	for _, e := range p.Entries {
		if ok, _ := e.Available(p.Target); !ok {
			continue
		}
		for _, rival := range withEverywhere(e, rivals(e)) {
			if ok, _ := rival.Available(p.Target); !ok || rival.Name == e.Name {
				continue
			}
			t.suspects = append(t.suspects, suspect{Imposter{Entry: e.Name, As: rival.Name, Alike: e.Alike[firstWord(rival.Name)]}, e, rival})
		}
	}
	for _, round := range trialRounds {
		if err := t.run(ctx, round); err != nil {
			return nil, err
		}
	}
	imposters := make([]Imposter, len(t.suspects))
	for i, s := range t.suspects {
		imposters[i] = s.Imposter
	}
	return imposters, nil
}

// withEverywhere adds to an entry's rivals the entry without its mask, when it has one.
func withEverywhere(e *vocab.Entry, rivals []*vocab.Entry) []*vocab.Entry {
	if e.Mask == nil {
		return rivals
	}
	unmasked := *e
	unmasked.Name, unmasked.Mask = Everywhere, nil
	return append(slices.Clone(rivals), &unmasked)
}

func firstWord(name string) string {
	word, _, _ := strings.Cut(name, " ")
	return word
}

// trialRounds choose the claims to ask for, one round after the other: most imposters
// are caught in the first, for which all of a rival's questions need one picture.
var trialRounds = []func(vocab.Claim) bool{
	func(c vocab.Claim) bool { return c.At == nil && c.Scene == vocab.Natural },
	func(c vocab.Claim) bool { return c.At == nil && c.Scene == vocab.Chart },
	func(c vocab.Claim) bool { return c.At == nil && c.Scene != vocab.Natural && c.Scene != vocab.Chart },
	func(c vocab.Claim) bool { return c.At != nil },
}

// A trial puts the claims of entries to the pictures of their rivals.
type trial struct {
	*verifier
	suspects  []suspect
	originals map[pictureKey]*original
	poses     map[pose]*xmp.Sidecar
	hashes    map[*xmp.Sidecar][32]byte
}

// pose is a rival with values, on a picture.
type pose struct {
	rival  *vocab.Entry
	base   pictureKey
	values string
}

// suspect is an imposter with the two moves.
type suspect struct {
	Imposter
	entry, rival *vocab.Entry
}

// original is a picture without the moves, with what was measured of it. It is safe
// for concurrent use.
type original struct {
	*measure.Picture
	mu     sync.Mutex
	masks  map[string][]bool
	values map[string]float64
}

// sitting is a picture with what is asked of it.
type sitting struct {
	key       pictureKey
	shot      Shot
	questions []question
}

// question is whether a claim of a suspect's entry holds, against a picture without it.
type question struct {
	suspect *suspect
	claim   vocab.Claim
	base    pictureKey
}

// run asks the claims of a round of those suspects that are not caught yet.
func (t *trial) run(ctx context.Context, round func(vocab.Claim) bool) error {
	sittings, bases := map[pictureKey]*sitting{}, map[pictureKey]Shot{}
	for i := range t.suspects {
		s := &t.suspects[i]
		for _, c := range s.entry.Claims {
			if s.Caught != "" || !round(c) {
				continue
			}
			if err := t.ask(ctx, s, c, sittings, bases); err != nil {
				return fmt.Errorf("%s in the place of %s: %w", s.As, s.Entry, err)
			}
		}
	}
	if err := t.developOriginals(ctx, bases); err != nil {
		return err
	}
	slots, failed := make(chan struct{}, t.Parallel), make(chan error, len(sittings)+1)
	var running sync.WaitGroup
	for batch := range slices.Chunk(inOrder(sittings), batchShots) {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			failed <- t.sit(ctx, batch)
		})
	}
	running.Wait()
	close(failed)
	var errs []error
	for err := range failed {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// ask adds a question to the picture that answers it.
func (t *trial) ask(ctx context.Context, s *suspect, c vocab.Claim, sittings map[pictureKey]*sitting, bases map[pictureKey]Shot) error {
	base, err := t.start(ctx, c.Scene, s.entry)
	if err != nil {
		return err
	}
	baseKey := t.keyOf(c.Scene, base)
	if _, known := bases[baseKey]; !known {
		bases[baseKey] = Shot{c.Scene, base.Bytes()}
	}
	values := imitation(s.entry, s.rival, c.At)
	posed := pose{s.rival, baseKey, fmt.Sprint(values)}
	state, known := t.poses[posed]
	if !known {
		on := base
		if s.rival.MissingModule(base) != "" {
			on = nil // it begins with its own prerequisite
		}
		if state, err = t.apply(ctx, c.Scene, s.rival, on, values, 1); err != nil {
			return err
		}
		t.poses[posed] = state
	}
	key := t.keyOf(c.Scene, state)
	if sittings[key] == nil {
		sittings[key] = &sitting{key: key, shot: Shot{c.Scene, state.Bytes()}}
	}
	sittings[key].questions = append(sittings[key].questions, question{s, c, baseKey})
	return nil
}

// keyOf is the key of a state's picture. States are hashed once.
func (t *trial) keyOf(scene vocab.Scene, state *xmp.Sidecar) pictureKey {
	hash, known := t.hashes[state]
	if !known {
		hash = state.Hash()
		t.hashes[state] = hash
	}
	return pictureKey{scene, hash}
}

// imitation gives a rival values that stand to its defaults as an entry's stand to the
// entry's; nil is the rival's defaults. Parameters of one name have one value.
func imitation(e, rival *vocab.Entry, at map[string]float64) map[string]float64 {
	if at == nil {
		return sampleValues(rival)
	}
	part := 1.0
	for _, p := range e.Amounts() {
		if v, given := at[p.Name]; given && p.Default != p.Neutral {
			part = (v - p.Neutral) / (p.Default - p.Neutral)
			break
		}
	}
	values := map[string]float64{}
	for _, p := range rival.Amounts() {
		values[p.Name] = min(max(p.Neutral+part*(p.Default-p.Neutral), p.Min), p.Max)
	}
	for _, p := range rival.Parameters {
		v, given := at[p.Name]
		if _, own := e.Parameter(p.Name); own && given && v >= p.Min && v <= p.Max {
			values[p.Name] = v
		}
	}
	return values
}

// developOriginals develops the pictures without the moves that are not there yet.
func (t *trial) developOriginals(ctx context.Context, bases map[pictureKey]Shot) error {
	var keys []pictureKey
	var shots []Shot
	for key, shot := range bases {
		if t.originals[key] == nil {
			keys, shots = append(keys, key), append(shots, shot)
		}
	}
	if len(shots) == 0 {
		return ctx.Err()
	}
	images, err := t.Renderer.Render(ctx, shots)
	if err != nil {
		return err
	}
	for i, key := range keys {
		t.originals[key] = &original{Picture: measure.New(images[i]), masks: map[string][]bool{}, values: map[string]float64{}}
	}
	return nil
}

// inOrder gives the sittings scene by scene, so that a batch has few raws.
func inOrder(sittings map[pictureKey]*sitting) []*sitting {
	return slices.SortedFunc(maps.Values(sittings), func(a, b *sitting) int {
		return cmp.Or(cmp.Compare(a.key.scene, b.key.scene), slices.Compare(a.key.state[:], b.key.state[:]))
	})
}

// sit develops pictures and answers what is asked of them.
func (t *trial) sit(ctx context.Context, sittings []*sitting) error {
	shots := make([]Shot, len(sittings))
	for i, s := range sittings {
		shots[i] = s.shot
	}
	images, err := t.Renderer.Render(ctx, shots)
	if err != nil {
		return err
	}
	for i, s := range sittings {
		after := measure.New(images[i])
		known := map[string]float64{}
		for _, q := range s.questions {
			if !t.isCaught(q.suspect) && !t.stands(q, after, known) {
				t.catch(q.suspect, q.claim)
			}
		}
	}
	return nil
}

// stands reports whether a claim is true of a picture with a rival. known are the
// picture's measures so far.
func (t *trial) stands(q question, after *measure.Picture, known map[string]float64) bool {
	before := t.originals[q.base]
	region, was := before.measure(q)
	if region != nil && (before.Width != after.Width || before.Height != after.Height) {
		return false // it is about the same frame
	}
	key := fmt.Sprintf("%s %x", q.measureKey(), q.base.state)
	is, measured := known[key]
	if !measured {
		is = q.claim.Measure.Of(after, region)
		known[key] = is
	}
	return holds(q.claim, was, is)
}

func (t *trial) isCaught(s *suspect) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return s.Caught != ""
}

func (t *trial) catch(s *suspect, by vocab.Claim) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.Caught == "" {
		s.Caught = by.String()
	}
}

// measure gives the region that a question is about, and the measure within.
func (o *original) measure(q question) (region []bool, value float64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	where, key := q.regionKey(), q.measureKey()
	region, known := o.masks[where]
	if !known {
		region = q.claim.Mask(o.Picture)
		o.masks[where] = region
	}
	value, known = o.values[key]
	if !known {
		value = q.claim.Measure.Of(o.Picture, region)
		o.values[key] = value
	}
	return region, value
}

// regionKey is the same for questions about the same part of a picture.
func (q question) regionKey() string {
	if q.claim.In == measure.Others { // of what the entry's other claims name
		return string(q.claim.In) + " " + q.suspect.Entry
	}
	return string(q.claim.In)
}

func (q question) measureKey() string { return string(q.claim.Measure) + " in " + q.regionKey() }
