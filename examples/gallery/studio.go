package main

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
)

// studio applies each move to one picture and has the states developed.
type studio struct {
	options
	engine  *chemigram.Engine
	shipped *vocab.Vocabulary
	wanted  []wish
	files   map[string]string // by state
}

// wish is a state that is to be developed, and the move that makes it.
type wish struct {
	state string
	move  []chemigram.VariantMove
}

// sweepSteps is how many values of a parameter are shown.
const sweepSteps = 5

// taken is a move whose states are waiting for their pictures.
type taken struct {
	card
	ground string // the state that it is held against, "" for the baseline
	state  string
	sweeps []takenSweep
}

type takenSweep struct {
	parameter chemigram.MoveParameter
	values    []float64
	states    []string
}

const imageID chemigram.ImageID = "gallery"

func (s *studio) show(ctx context.Context) (*gallery, error) {
	ingested, err := s.engine.Ingest(ctx, chemigram.IngestParams{RawPath: s.raw, ImageID: imageID})
	if err != nil {
		return nil, err
	}
	health, err := s.engine.HealthCheck(ctx, chemigram.HealthCheckParams{})
	if err != nil {
		return nil, err
	}
	moves, err := s.moves(ctx)
	if err != nil {
		return nil, err
	}
	s.wanted = append(s.wanted, wish{state: ingested.BaselineHash})
	var all []taken
	for _, move := range moves {
		t, err := s.take(ctx, move)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", move.Name, err)
		}
		all = append(all, t)
	}
	if err := s.develop(ctx); err != nil {
		return nil, err
	}
	shown, err := s.hang(all, ingested.BaselineHash, health.Darktable.Version)
	if err != nil {
		return nil, err
	}
	if err := s.outline(ctx, shown.Entries); err != nil {
		return nil, err
	}
	shown.Masks, err = s.masks(ctx)
	return shown, err
}

// moves lists the vocabulary, but for what the user does not want to see.
func (s *studio) moves(ctx context.Context) ([]chemigram.Move, error) {
	var moves []chemigram.Move
	for offset := 0; ; offset += 500 {
		page, err := s.engine.ListVocabulary(ctx, chemigram.ListVocabularyParams{Limit: 500, Offset: chemigram.Offset(offset)})
		if err != nil {
			return nil, err
		}
		for _, m := range page.Entries {
			if s.only.MatchString(m.Name) {
				moves = append(moves, m)
			}
		}
		if offset+500 >= page.Total {
			return moves, nil
		}
	}
}

// take applies a move at its defaults, and each parameter from end to end.
func (s *studio) take(ctx context.Context, m chemigram.Move) (taken, error) {
	t := taken{card: card{
		Name: m.Name, Layer: string(m.Layer), Subject: m.Subject, Description: m.Description, Pack: m.Pack,
		Tags: m.Tags, BuildsOn: m.BuildsOn, Mask: m.Mask, Unavailable: m.UnavailableReason, Claims: s.claims(m.Name),
	}}
	if !m.Available {
		return t, nil
	}
	var err error
	if m.BuildsOn != "" {
		if t.ground, err = s.apply(ctx, chemigram.Move{Name: m.BuildsOn}, nil); err != nil {
			return t, err
		}
	}
	if t.state, err = s.apply(ctx, m, nil); err != nil {
		return t, err
	}
	for _, p := range m.Parameters {
		sweep := takenSweep{parameter: p}
		for i := range sweepSteps {
			value := min(p.Min+(p.Max-p.Min)*float64(i)/(sweepSteps-1), p.Max)
			state, err := s.apply(ctx, m, map[string]float64{p.Name: value})
			if err != nil {
				return t, err
			}
			sweep.values, sweep.states = append(sweep.values, value), append(sweep.states, state)
		}
		t.sweeps = append(t.sweeps, sweep)
	}
	return t, nil
}

// apply gives the state of the baseline with one move, and with what it builds
// on.
func (s *studio) apply(ctx context.Context, m chemigram.Move, values map[string]float64) (string, error) {
	if _, err := s.engine.Reset(ctx, chemigram.ResetParams{ImageID: imageID}); err != nil {
		return "", err
	}
	var moves []chemigram.VariantMove
	if m.BuildsOn != "" {
		moves = append(moves, chemigram.VariantMove{PrimitiveName: m.BuildsOn})
	}
	moves = append(moves, chemigram.VariantMove{PrimitiveName: m.Name, Values: values})
	var state string
	for _, move := range moves {
		res, err := s.engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
			ImageID: imageID, PrimitiveName: move.PrimitiveName, Values: move.Values,
		})
		if err != nil {
			return "", err
		}
		state = *res.StateAfter.HeadHash
	}
	s.wanted = append(s.wanted, wish{state, moves})
	return state, nil
}

// claims are what a move was proven to do; none for a move that does not ship.
func (s *studio) claims(move string) []string {
	entry, err := s.shipped.Entry(move)
	if err != nil {
		return nil
	}
	var lines []string
	for _, c := range entry.Claims {
		lines = append(lines, c.String())
	}
	return lines
}

// hang puts the pictures and their numbers on the cards.
func (s *studio) hang(all []taken, baseline, darktable string) (*gallery, error) {
	g := &gallery{Darktable: darktable, Raw: s.raw}
	var err error
	if g.Before, err = picture(s.files[baseline], s.size); err != nil {
		return nil, err
	}
	for _, t := range all {
		if t.state != "" {
			if err := s.hangOne(&t, baseline); err != nil {
				return nil, fmt.Errorf("%s: %w", t.Name, err)
			}
		}
		g.Entries = append(g.Entries, t.card)
	}
	return g, nil
}

func (s *studio) hangOne(t *taken, baseline string) (err error) {
	if t.ground != "" {
		if t.Before, err = picture(s.files[t.ground], s.size); err != nil {
			return err
		}
	}
	before, err := measured(s.files[cmp.Or(t.ground, baseline)])
	if err != nil {
		return err
	}
	if t.After, err = s.keep(t.Name, s.files[t.state]); err != nil {
		return err
	}
	after, err := measured(s.files[t.state])
	if err != nil {
		return err
	}
	for i, name := range measures {
		t.Numbers = append(t.Numbers, number{name, hundredths(before[i]), hundredths(after[i])})
	}
	for _, of := range t.sweeps {
		shown := sweep{Parameter: of.parameter.Name, Unit: of.parameter.Unit}
		for i, state := range of.states {
			small, err := picture(s.files[state], thumbnailSize)
			if err != nil {
				return err
			}
			shown.Steps = append(shown.Steps, step{strconv.FormatFloat(of.values[i], 'g', 3, 64), small})
		}
		t.Sweeps = append(t.Sweeps, shown)
	}
	return nil
}

// hundredths writes a number with two decimals, without the sign of a zero.
func hundredths(v float64) string {
	rounded := math.Round(v*100) / 100
	if rounded == 0 {
		rounded = 0 // and not -0
	}
	return strconv.FormatFloat(rounded, 'f', 2, 64)
}

// keep gives a picture for the page, and puts it into the folder of pictures.
func (s *studio) keep(name, path string) (template.URL, error) {
	if s.pictures != "" {
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.MkdirAll(s.pictures, 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(s.pictures, name+".jpg"), data, 0o644)
		}
		if err != nil {
			return "", err
		}
	}
	return picture(path, s.size)
}

// measures are the numbers beside a picture.
var measures = []string{"luma, mean (0 to 1)", "contrast (95th − 5th percentile of luma)", "chroma, mean", "green − magenta + (a*)", "blue − yellow + (b*)", "white, share of pixels"}

func measured(path string) ([]float64, error) {
	pixels, err := render.Load(path)
	if err != nil {
		return nil, err
	}
	m, err := render.Measure(pixels, render.Region{})
	if err != nil {
		return nil, err
	}
	return []float64{m.Luma.Mean, m.Luma.P95 - m.Luma.P5, m.Lab.Chroma, m.Lab.A, m.Lab.B, m.Luma.ClippedHigh}, nil
}
