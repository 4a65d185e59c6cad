package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chemigram/chemigram/vocab"
)

// proveAll proves the subjects, batch by batch, Parallel of them at once.
func (v *verifier) proveAll(ctx context.Context) ([]Proof, error) {
	subjects := v.subjects()
	proofs := make([]Proof, len(subjects))
	var mu sync.Mutex
	var errs []error
	fail := func(s subject, err error) {
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, fmt.Errorf("prove %s on darktable %s: %w", s.name(), v.Target.Version(), err))
	}
	finish := func(i int, shown *Shown) {
		if v.Finished != nil {
			mu.Lock()
			defer mu.Unlock()
			v.Finished(proofs[i], shown)
		}
	}
	slots := make(chan struct{}, v.Parallel)
	var running sync.WaitGroup
	start := func(b *batch) {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			developed := b.develop(ctx)
			for _, m := range b.members {
				s, err := subjects[m.index], cmp.Or(developed, ctx.Err())
				if err == nil {
					proofs[m.index].Findings, err = b.findings(ctx, s, m)
				}
				if err != nil {
					fail(s, err)
					continue
				}
				finish(m.index, b.show(m))
			}
		})
	}
	b := newBatch(v)
	for i, s := range subjects {
		proofs[i] = s.newProof(v.Target)
		if proofs[i].Skipped != "" {
			finish(i, nil)
			continue
		}
		err := ctx.Err()
		if err == nil {
			err = b.addSubject(ctx, i, s)
		}
		if err != nil {
			fail(s, err)
			continue
		}
		if len(b.shots) >= batchShots {
			start(b)
			b = newBatch(v)
		}
	}
	start(b)
	running.Wait()
	return proofs, errors.Join(errs...)
}

// checkPictures runs the checks that look at pictures. Which pictures they ask
// for must not depend on what the pictures show.
func (b *batch) checkPictures(ctx context.Context, s subject) ([]Finding, error) {
	if s.mask != nil {
		return b.checkNamedMask(ctx, s.mask)
	}
	switch {
	case b.OnPhotographs:
		return b.checkOnPhotographs(ctx, s.entry)
	case b.HarmAlone:
		return b.checkHarm(ctx, s.entry)
	}
	checks := []check{b.checkClaims, b.checkSweeps, b.checkOnset, b.checkLook, b.checkMask}
	if !b.NoHarm {
		checks = append(checks, b.checkHarm)
	}
	return runChecks(ctx, s.entry, checks...)
}

// checkStates runs the checks that compare states.
func (v *verifier) checkStates(ctx context.Context, s subject) ([]Finding, error) {
	if s.mask != nil || v.HarmAlone || v.OnPhotographs {
		return nil, nil
	}
	return runChecks(ctx, s.entry, v.checkNeutral, v.checkIdempotence, v.checkOrder)
}

// check is one kind of check of a move.
type check = func(context.Context, *vocab.Entry) ([]Finding, error)

func runChecks(ctx context.Context, e *vocab.Entry, checks ...check) (all []Finding, err error) {
	for _, check := range checks {
		found, err := check(ctx, e)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}
