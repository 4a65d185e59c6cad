package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram"
)

// showMasks adds, to the cards of moves with a mask of their own, what the mask selects
// of the baseline.
func (b *builder) showMasks(ctx context.Context, cards []card) error {
	if err := b.reset(ctx); err != nil {
		return err
	}
	b.note("developing what masks select")
	for i := range cards {
		c := &cards[i]
		if c.Mask == "" || c.Unavailable != "" {
			continue
		}
		mask := chemigram.Mask{Name: c.Mask}
		if strings.HasPrefix(c.Mask, "{") {
			if err := json.Unmarshal([]byte(c.Mask), &mask); err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			c.Mask = "a part"
		}
		res, err := b.preview(ctx, mask)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if c.Where, err = picture(res.JPEGPath, b.size); err != nil {
			return err
		}
	}
	return nil
}

// preview renders what a mask selects.
func (b *builder) preview(ctx context.Context, mask chemigram.Mask) (chemigram.PreviewMaskResult, error) {
	return b.engine.PreviewMask(ctx, chemigram.PreviewMaskParams{ImageID: imageID, Mask: mask, Size: chemigram.Size(b.size)})
}

// masks makes the cards of the named masks.
func (b *builder) masks(ctx context.Context) ([]card, error) {
	list, err := b.engine.ListMasks(ctx, chemigram.ListMasksParams{Limit: 500, Detail: true})
	if err != nil {
		return nil, err
	}
	var cards []card
	for _, m := range list.Masks {
		if !b.only.MatchString(m.Name) {
			continue
		}
		res, err := b.preview(ctx, chemigram.Mask{Name: m.Name})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		c := card{
			Name: m.Name, Layer: "mask", Subject: "mask", Description: m.Description, Pack: m.Pack, Tags: m.Tags,
			Facts: []fact{
				{"selected, share of the picture", strconv.FormatFloat(res.Fraction, 'f', 3, 64)},
				{"its lightness, a*, b*", fmt.Sprintf("%.0f, %.0f, %.0f", res.Lab.L, res.Lab.A, res.Lab.B)},
			},
		}
		if c.After, err = b.keep(m.Name, res.JPEGPath); err != nil {
			return nil, err
		}
		cards = append(cards, c)
	}
	return cards, nil
}
