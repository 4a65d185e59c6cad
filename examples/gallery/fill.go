package main

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/chemigram/chemigram/render"
)

// fill puts the pictures and their measurements on the cards.
func (b *builder) fill(pending []pendingCard, baseline, darktable string) (*gallery, error) {
	g := &gallery{Darktable: darktable, Raw: b.raw}
	var err error
	if g.Before, err = picture(b.files[baseline], b.size); err != nil {
		return nil, err
	}
	for _, c := range pending {
		if c.afterState != "" {
			if err := b.fillCard(&c, baseline); err != nil {
				return nil, fmt.Errorf("%s: %w", c.Name, err)
			}
		}
		g.Entries = append(g.Entries, c.card)
	}
	return g, nil
}

func (b *builder) fillCard(c *pendingCard, baseline string) (err error) {
	if c.beforeState != "" {
		if c.Before, err = picture(b.files[c.beforeState], b.size); err != nil {
			return err
		}
	}
	before, err := measurePicture(b.files[cmp.Or(c.beforeState, baseline)])
	if err != nil {
		return err
	}
	if c.After, err = b.keep(c.Name, b.files[c.afterState]); err != nil {
		return err
	}
	after, err := measurePicture(b.files[c.afterState])
	if err != nil {
		return err
	}
	for i, name := range measureNames {
		c.Numbers = append(c.Numbers, number{name, formatNumber(before[i]), formatNumber(after[i])})
	}
	for _, pending := range c.sweeps {
		shown := sweep{Parameter: pending.parameter.Name, Unit: pending.parameter.Unit}
		for i, state := range pending.states {
			small, err := picture(b.files[state], thumbnailSize)
			if err != nil {
				return err
			}
			shown.Steps = append(shown.Steps, step{strconv.FormatFloat(pending.values[i], 'g', 3, 64), small})
		}
		c.Sweeps = append(c.Sweeps, shown)
	}
	return nil
}

// formatNumber formats a number with two decimals, without the sign of a zero.
func formatNumber(v float64) string {
	rounded := math.Round(v*100) / 100
	if rounded == 0 {
		rounded = 0 // and not -0
	}
	return strconv.FormatFloat(rounded, 'f', 2, 64)
}

// keep returns a picture for the page, and copies it into the folder of -pictures.
func (b *builder) keep(name, path string) (template.URL, error) {
	if b.pictures != "" {
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.MkdirAll(b.pictures, 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(b.pictures, name+".jpg"), data, 0o644)
		}
		if err != nil {
			return "", err
		}
	}
	return picture(path, b.size)
}

// measureNames are the names of the numbers beside a picture.
var measureNames = []string{"luma, mean (0 to 1)", "contrast (95th − 5th percentile of luma)", "chroma, mean", "green − magenta + (a*)", "blue − yellow + (b*)", "white, share of pixels"}

// measurePicture returns the numbers of a picture, in the order of measureNames.
func measurePicture(path string) ([]float64, error) {
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
