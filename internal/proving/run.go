package proving

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
)

// Params say what is proven.
type Params struct {
	// Entries and Masks name what is proven. Default: all of the vocabulary.
	Entries, Masks []string
	// Again proves also what was proven on this darktable before.
	Again bool
	// Limit bounds darktable's time for each picture. Default: [render.DefaultTimeout].
	Limit time.Duration
	// Report is called with how far the run is. Default: none.
	Report func(Progress)
}

// Outcome is what a run has left.
type Outcome struct {
	Counts
	Darktable, Identity string
	// Page and Report are files; empty while they are not written.
	Page, Report string
}

// A run proves on one darktable, whose lock it holds.
type run struct {
	*Proofs
	Params
	darktable *render.Darktable
	identity  string
	entries   []*vocab.Entry
	masks     []*vocab.NamedMask
	has       int // of those that are asked for, how many have a proof
	progress  Progress
	unlock    func()
}

// Prove proves what is asked for and has no proof on the installed darktable yet, and
// writes the page and the report, also when it ends early: what was proven by then is
// kept, and the next run goes on with the rest.
func (p *Proofs) Prove(ctx context.Context, params Params) (Outcome, error) {
	r, err := p.begin(params)
	if err != nil {
		return Outcome{}, err
	}
	return r.prove(ctx)
}

// Start is Prove that goes on by itself until ctx ends; Summary says how far it is.
func (p *Proofs) Start(ctx context.Context, params Params) (Outcome, error) {
	r, err := p.begin(params)
	if err != nil {
		return Outcome{}, err
	}
	out := r.outcome()
	p.ended.Go(func() {
		if _, err := r.prove(ctx); err != nil {
			p.Log.Warn("a proof in the background ended early", "error", err)
		}
	})
	return out, nil
}

// begin looks up what is to be proven, and takes the lock.
func (p *Proofs) begin(params Params) (_ *run, err error) {
	if err := p.Workspace.CheckWritable(); err != nil {
		return nil, err
	}
	r := &run{Proofs: p, Params: params}
	if r.darktable, err = p.Darktable(); err != nil {
		return nil, err
	}
	r.identity = r.darktable.Identity()
	if _, err := p.Workspace.MakeFolder(folder); err != nil {
		return nil, err
	}
	unlock, free, err := p.Workspace.TryLock(p.path(r.identity, ".lock"))
	if err != nil {
		return nil, err
	}
	if !free {
		return nil, fault.New(fault.State, "a proof on this darktable is running already, here or in another program: wait for its end")
	}
	r.unlock = unlock
	defer func() {
		if err != nil {
			r.unlock()
		}
	}()
	if err := r.choose(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.run, p.cause = new(r.progress), nil
	return r, nil
}

// choose finds the moves and masks that are asked for and have no proof yet.
func (r *run) choose() error {
	known, err := r.records(r.identity)
	if err != nil {
		return err
	}
	all := len(r.Entries)+len(r.Masks) == 0
	for _, name := range r.Entries {
		if _, err := r.Vocabulary.Entry(name); err != nil {
			return err
		}
	}
	for _, name := range r.Masks {
		if !r.Vocabulary.HasMask(name) {
			return fault.Missing("mask", name, r.maskNames())
		}
	}
	for s, is := range r.subjects() {
		if !all && !slices.Contains(r.Entries, s.entry) && !slices.Contains(r.Masks, s.mask) {
			continue
		}
		r.progress.Total++
		if _, ok := r.current(known, s, is); ok && !r.Again {
			r.has++
			continue
		}
		switch is := is.(type) {
		case *vocab.Entry:
			r.entries = append(r.entries, is)
		case *vocab.NamedMask:
			r.masks = append(r.masks, is)
		}
	}
	r.progress.Done = r.has
	return nil
}

func (p *Proofs) maskNames() (names []string) {
	for _, m := range p.Vocabulary.Masks() {
		names = append(names, m.Name)
	}
	return names
}

// prove proves, writes the report and gives the lock back.
func (r *run) prove(ctx context.Context) (out Outcome, err error) {
	defer r.unlock()
	err = r.verify(ctx)
	known := r.lookUp(r.identity)
	out, reportErr := r.writeReport(known)
	r.mu.Lock()
	defer r.mu.Unlock()
	err = errors.Join(err, reportErr)
	r.run, r.cause = nil, err
	return out, err
}

// outcome is what is known now.
func (r *run) outcome() Outcome {
	return Outcome{Counts: r.count(r.lookUp(r.identity)), Darktable: r.darktable.Version(), Identity: r.identity}
}

// verify proves what was chosen and keeps each proof as soon as it is made.
func (r *run) verify(ctx context.Context) error {
	r.report("begun")
	if len(r.entries)+len(r.masks) == 0 {
		return ctx.Err()
	}
	renderer, err := newRenderer(r.darktable, r.Limit, r.paint)
	if err != nil {
		return err
	}
	defer renderer.close()
	release, err := r.Release()
	if err != nil {
		return err
	}
	base, err := renderer.Baseline(ctx, vocab.Natural)
	if err != nil {
		return err
	}
	if base, err = base.Compact(release); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := map[subject]bool{}
	params := prove.VerifyParams{
		Entries: r.entries, Masks: r.masks, Others: r.Vocabulary.List(vocab.Filter{}), Renderer: renderer,
		Target: stack.New(release, base, base).Release, Parallel: 2,
		NoHarm: true, // what a move does beside its claims is looked at where it is made
		Finished: func(proof prove.Proof, shown *prove.Shown) {
			done[subject{proof.Entry, proof.Mask}] = true
			if err := r.keep(ctx, proof, shown); err != nil {
				cancel(err)
			}
		},
	}
	_, err = prove.Verify(ctx, params)
	if err == nil || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return r.verifySingly(ctx, params, done)
}

// mostInARow is after how many moves in a row that cannot be developed the next are not
// tried.
const mostInARow = 3

// verifySingly proves one by one what a batch has left out: a picture that cannot be
// developed spoils its whole batch.
func (r *run) verifySingly(ctx context.Context, params prove.VerifyParams, done map[subject]bool) error {
	entries, masks := params.Entries, params.Masks
	var failures []error
	inARow := 0
	for i := range len(entries) + len(masks) {
		var s subject
		if params.Entries, params.Masks = nil, nil; i < len(entries) {
			params.Entries, s = entries[i:i+1], subject{entry: entries[i].Name}
		} else {
			mask := masks[i-len(entries)]
			params.Masks, s = []*vocab.NamedMask{mask}, subject{mask: mask.Name}
		}
		if done[s] {
			continue
		}
		_, err := prove.Verify(ctx, params)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil {
			inARow = 0
			continue
		}
		failures = append(failures, err)
		if inARow++; inARow == mostInARow {
			return fmt.Errorf("nothing can be developed any more: %w", errors.Join(failures...))
		}
	}
	return errors.Join(failures...)
}

// keep appends a proof to the file of its darktable, and writes its picture.
func (r *run) keep(ctx context.Context, proof prove.Proof, shown *prove.Shown) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.darktable.Identity() != r.identity {
		return fault.New(fault.State, "darktable was replaced while moves were proven on it: prove again")
	}
	record := Record{
		Identity: r.identity, Darktable: proof.Darktable, Entry: proof.Entry, Mask: proof.Mask, Chemigram: r.Chemigram,
		Time: time.Now().UTC().Truncate(time.Second), Skipped: proof.Skipped,
	}
	for s, is := range r.subjects() {
		if s == record.subject() {
			record.Digest = r.digest(is)
		}
	}
	record.setFindings(proof.Findings)
	line, err := json.Marshal(record)
	if err != nil {
		return err
	}
	if len(line) > mostLine {
		return fmt.Errorf("the proof of %s has %d bytes, more than are read", record.subject(), len(line))
	}
	if shown != nil {
		if err := r.writePicture(record, shown); err != nil {
			return err
		}
	}
	if err := r.Workspace.AppendLine(filepath.Join(folder, r.identity+".jsonl"), line); err != nil {
		return err
	}
	r.progress.Done++
	what := record.subject().String()
	if f, failed := record.Failure(); failed {
		what += " FAILED: " + f.String()
	}
	r.report(what)
	return nil
}

// report says how far the run is.
func (r *run) report(what string) {
	r.progress.What = what
	r.mu.Lock()
	r.run = new(r.progress)
	r.mu.Unlock()
	if r.Report != nil {
		r.Report(r.progress)
	}
}

// pictureName is the name of a subject's picture. No move's name is a device's then.
func pictureName(s subject) string {
	if s.mask != "" {
		return "mask-" + s.mask + ".jpg"
	}
	return "move-" + s.entry + ".jpg"
}

// writePicture writes what a proof shows beside the record.
func (r *run) writePicture(record Record, shown *prove.Shown) error {
	dir, err := r.Workspace.MakeFolder(filepath.Join(folder, r.identity))
	if err != nil {
		return err
	}
	after := record.Entry
	if record.Mask != "" {
		after = "more light within " + record.Mask
	}
	var jpeg bytes.Buffer
	both := render.SideBySide(render.Tile{Picture: shown.Before, Label: string(shown.Scene)}, render.Tile{Picture: shown.After, Label: after})
	if err := render.EncodeJPEG(&jpeg, both, 80); err != nil {
		return err
	}
	name := pictureName(record.subject())
	if err := workspace.RefuseLink(dir, name); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, name), jpeg.Bytes(), 0o644)
}
