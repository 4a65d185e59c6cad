package vocab

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"sync"

	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/xmp"
)

// waveShots is how many pictures make a wave: enough to spread the start of
// darktable over, and few enough to be kept in memory.
const waveShots = 96

// A wave are subjects whose pictures are developed together. The checks run
// twice: while the wave gathers, to learn which pictures they look at, and then
// on the pictures.
type wave struct {
	*verifier
	gathering bool
	shots     []Shot
	keys      []pictureKey
	seen      []pictureKey // by the subject that is gathered
	pictures  map[pictureKey]*measure.Picture
	subjects  []gathered
}

// gathered is a subject that a wave has been given.
type gathered struct {
	place int // in subjects
	key   [32]byte
	found []Finding // when they were recalled
}

type pictureKey struct {
	scene Scene
	state [32]byte
}

func (v *verifier) newWave() *wave {
	return &wave{verifier: v, gathering: true, pictures: map[pictureKey]*measure.Picture{}}
}

// all proves the subjects.
func (v *verifier) all(ctx context.Context) ([]Proof, error) {
	subjects := v.subjects()
	proofs := make([]Proof, len(subjects))
	var mu sync.Mutex
	var errs []error
	fail := func(s subject, err error) {
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, fmt.Errorf("vocab: prove %s on darktable %s: %w", s.name(), v.Target.Version(), err))
	}
	places := make(chan struct{}, v.Parallel)
	var running sync.WaitGroup
	send := func(w *wave) {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			err := w.develop(ctx)
			for _, g := range w.subjects {
				s := subjects[g.place]
				if err == nil {
					proofs[g.place].Findings, err = w.prove(ctx, s, g)
				}
				if err != nil {
					fail(s, err)
				}
			}
		})
	}
	w := v.newWave()
	for i, s := range subjects {
		proofs[i] = s.proof(v.Target)
		if proofs[i].Skipped != "" {
			continue
		}
		if err := w.gather(ctx, i, s); err != nil {
			fail(s, err)
			continue
		}
		if len(w.shots) >= waveShots {
			send(w)
			w = v.newWave()
		}
	}
	send(w)
	running.Wait()
	return proofs, errors.Join(errs...)
}

// byPixels are the checks that look at pictures. Which pictures may not depend
// on what they show.
func (v *wave) byPixels(ctx context.Context, s subject) (found []Finding, err error) {
	if s.mask != nil {
		return v.maskClaims(ctx, s.mask)
	}
	return inTurn(ctx, s.entry, v.claims, v.sweeps, v.onset, v.look, v.masked)
}

// byState are the checks that compare states.
func (v *verifier) byState(ctx context.Context, s subject) (found []Finding, err error) {
	if s.mask != nil {
		return nil, nil
	}
	return inTurn(ctx, s.entry, v.neutral, v.set, v.others)
}

func inTurn(ctx context.Context, e *Entry, checks ...func(context.Context, *Entry) ([]Finding, error)) (all []Finding, err error) {
	for _, check := range checks {
		found, err := check(ctx, e)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// gather learns which pictures a subject needs.
func (v *wave) gather(ctx context.Context, place int, s subject) error {
	n := len(v.shots)
	v.seen = nil
	if _, err := v.byPixels(ctx, s); err != nil {
		return err
	}
	g := gathered{place: place}
	if v.Memo != nil {
		what, err := s.claims()
		if err != nil {
			return err
		}
		h := sha256.New()
		fmt.Fprintf(h, "%s %d %s", s.name(), v.Sweep, what)
		for _, k := range v.seen {
			fmt.Fprintf(h, " %s %x", k.scene, k.state)
		}
		h.Sum(g.key[:0])
		if found, ok := v.Memo.Recall(g.key); ok {
			g.found = found
			for _, k := range v.keys[n:] {
				delete(v.pictures, k)
			}
			v.shots, v.keys = v.shots[:n], v.keys[:n]
		}
	}
	v.subjects = append(v.subjects, g)
	return nil
}

// blank stands for a picture while a wave gathers.
var blank = measure.New(image.NewRGBA(image.Rect(0, 0, 8, 8)))

// picture gives a state of a scene.
func (v *wave) picture(scene Scene, s *xmp.Sidecar) (*measure.Picture, error) {
	key := pictureKey{scene, s.Hash()}
	p := v.pictures[key]
	switch {
	case v.gathering:
		v.seen = append(v.seen, key)
		if p == nil {
			v.pictures[key] = blank
			v.shots, v.keys = append(v.shots, Shot{scene, s.Bytes()}), append(v.keys, key)
		}
		return blank, nil
	case p == nil:
		return nil, fmt.Errorf("a picture of the %s was not gathered", scene)
	}
	return p, nil
}

// develop makes the pictures that were gathered.
func (v *wave) develop(ctx context.Context) error {
	v.gathering = false
	if len(v.shots) == 0 {
		return ctx.Err()
	}
	images, err := v.Renderer.Render(ctx, v.shots)
	if err != nil {
		return err
	}
	for i, img := range images {
		v.pictures[v.keys[i]] = measure.New(img)
	}
	v.shots = nil
	return nil
}

// prove runs all checks on one subject.
func (v *wave) prove(ctx context.Context, s subject, g gathered) ([]Finding, error) {
	found := g.found
	if found == nil {
		var err error
		if found, err = v.byPixels(ctx, s); err != nil {
			return nil, err
		}
		if v.Memo != nil {
			v.Memo.Keep(g.key, found)
		}
	}
	more, err := v.byState(ctx, s)
	return append(found[:len(found):len(found)], more...), err
}
