package main

import (
	"context"
	"fmt"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/vocab"
)

// builder builds the gallery: it applies each move to one picture, renders all states
// and fills the cards.
type builder struct {
	options
	engine  *chemigram.Engine
	shipped *vocab.Vocabulary
	queue   []request
	files   map[string]string // the pictures, by state
}

// request is a state to render, and the moves that make it.
type request struct {
	state string
	moves []chemigram.VariantMove
}

// sweepSteps is how many values of a parameter are shown.
const sweepSteps = 5

// pendingCard is a card without pictures, and the states that these show.
type pendingCard struct {
	card
	beforeState string // that of the move that it builds on; "" for the baseline
	afterState  string
	sweeps      []pendingSweep
}

type pendingSweep struct {
	parameter chemigram.MoveParameter
	values    []float64
	states    []string
}

const imageID chemigram.ImageID = "gallery"

// build makes the whole gallery.
func (b *builder) build(ctx context.Context) (*gallery, error) {
	ingested, err := b.engine.Ingest(ctx, chemigram.IngestParams{RawPath: b.raw, ImageID: imageID})
	if err != nil {
		return nil, err
	}
	health, err := b.engine.HealthCheck(ctx, chemigram.HealthCheckParams{})
	if err != nil {
		return nil, err
	}
	moves, err := b.moves(ctx)
	if err != nil {
		return nil, err
	}
	b.queue = append(b.queue, request{state: ingested.BaselineHash})
	var pending []pendingCard
	for i, move := range moves {
		if i%50 == 0 {
			b.note("composed %d of %d moves", i, len(moves))
		}
		c, err := b.prepare(ctx, move)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", move.Name, err)
		}
		pending = append(pending, c)
	}
	if err := b.render(ctx); err != nil {
		return nil, err
	}
	g, err := b.fill(pending, ingested.BaselineHash, health.Darktable.Version)
	if err != nil {
		return nil, err
	}
	if err := b.showMasks(ctx, g.Entries); err != nil {
		return nil, err
	}
	g.Masks, err = b.masks(ctx)
	return g, err
}

// note tells how far it is.
func (b *builder) note(format string, args ...any) {
	if b.progress != nil {
		fmt.Fprintf(b.progress, format+"\n", args...)
	}
}

// moves lists the moves that match the option -only.
func (b *builder) moves(ctx context.Context) ([]chemigram.Move, error) {
	var moves []chemigram.Move
	for offset := 0; ; offset += 500 {
		page, err := b.engine.ListVocabulary(ctx, chemigram.ListVocabularyParams{Detail: true, Limit: 500, Offset: chemigram.Offset(offset)})
		if err != nil {
			return nil, err
		}
		for _, m := range page.Entries {
			if b.only.MatchString(m.Name) {
				moves = append(moves, m)
			}
		}
		if offset+500 >= page.Total {
			return moves, nil
		}
	}
}

// prepare applies a move at its defaults, and with each parameter from its minimum to
// its maximum.
func (b *builder) prepare(ctx context.Context, m chemigram.Move) (pendingCard, error) {
	c := pendingCard{card: card{
		Name: m.Name, Layer: string(m.Layer), Subject: m.Subject, Description: m.Description, Pack: m.Pack,
		Tags: m.Tags, BuildsOn: m.BuildsOn, Mask: m.Mask, Unavailable: m.UnavailableReason, Claims: b.claims(m.Name), Intends: b.intends(m.Name),
	}}
	if !m.Available {
		return c, nil
	}
	var err error
	if m.BuildsOn != "" {
		if c.beforeState, err = b.apply(ctx, chemigram.Move{Name: m.BuildsOn}, nil); err != nil {
			return c, err
		}
	}
	if c.afterState, err = b.apply(ctx, m, nil); err != nil {
		return c, err
	}
	for _, p := range m.Parameters {
		sweep := pendingSweep{parameter: p}
		for i := range sweepSteps {
			value := min(p.Min+(p.Max-p.Min)*float64(i)/(sweepSteps-1), p.Max)
			state, err := b.apply(ctx, m, map[string]float64{p.Name: value})
			if err != nil {
				return c, err
			}
			sweep.values, sweep.states = append(sweep.values, value), append(sweep.states, state)
		}
		c.sweeps = append(c.sweeps, sweep)
	}
	return c, nil
}

// apply applies a move, and the one that it builds on, to the baseline. It queues the
// state for rendering and returns it.
func (b *builder) apply(ctx context.Context, m chemigram.Move, values map[string]float64) (string, error) {
	if err := b.reset(ctx); err != nil {
		return "", err
	}
	var moves []chemigram.VariantMove
	if m.BuildsOn != "" {
		moves = append(moves, chemigram.VariantMove{PrimitiveName: m.BuildsOn})
	}
	moves = append(moves, chemigram.VariantMove{PrimitiveName: m.Name, Values: values})
	var state string
	for _, move := range moves {
		res, err := b.engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
			ImageID: imageID, PrimitiveName: move.PrimitiveName, Values: move.Values,
		})
		if err != nil {
			return "", err
		}
		state = *res.StateAfter.HeadHash
	}
	b.queue = append(b.queue, request{state, moves})
	return state, nil
}

// intends are the harms that a move of the built-in packs is meant to do.
func (b *builder) intends(move string) []vocab.Harm {
	entry, err := b.shipped.Entry(move)
	if err != nil {
		return nil
	}
	return entry.Intends
}

// claims are those of a move of the built-in packs, which are proven.
func (b *builder) claims(move string) []string {
	entry, err := b.shipped.Entry(move)
	if err != nil {
		return nil
	}
	var lines []string
	for _, c := range entry.Claims {
		lines = append(lines, c.String())
	}
	return lines
}

// reset makes the present look the bare baseline.
func (b *builder) reset(ctx context.Context) error {
	_, err := b.engine.Reset(ctx, chemigram.ResetParams{ImageID: imageID, Layers: chemigram.DropLayers})
	return err
}
