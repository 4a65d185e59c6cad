package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram"
)

// outline shows where the moves with masks of their own work, in the baseline.
func (s *studio) outline(ctx context.Context, cards []card) error {
	if _, err := s.engine.Reset(ctx, chemigram.ResetParams{ImageID: imageID}); err != nil {
		return err
	}
	for i := range cards {
		c := &cards[i]
		if c.Mask == "" || c.Unavailable != "" {
			continue
		}
		where := chemigram.Mask{Name: c.Mask}
		if strings.HasPrefix(c.Mask, "{") {
			if err := json.Unmarshal([]byte(c.Mask), &where); err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			c.Mask = "a part"
		}
		res, err := s.area(ctx, where)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if c.Where, err = picture(res.JPEGPath, s.size); err != nil {
			return err
		}
	}
	return nil
}

// area shows what a mask selects.
func (s *studio) area(ctx context.Context, where chemigram.Mask) (chemigram.PreviewMaskResult, error) {
	return s.engine.PreviewMask(ctx, chemigram.PreviewMaskParams{ImageID: imageID, Mask: where, Size: chemigram.Size(s.size)})
}

// masks shows what each named mask selects of the baseline.
func (s *studio) masks(ctx context.Context) ([]card, error) {
	list, err := s.engine.ListMasks(ctx, chemigram.ListMasksParams{})
	if err != nil {
		return nil, err
	}
	var cards []card
	for _, m := range list.Masks {
		if !s.only.MatchString(m.Name) {
			continue
		}
		res, err := s.area(ctx, chemigram.Mask{Name: m.Name})
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
		if c.After, err = s.keep(m.Name, res.JPEGPath); err != nil {
			return nil, err
		}
		cards = append(cards, c)
	}
	return cards, nil
}
