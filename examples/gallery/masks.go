package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/chemigram/chemigram"
)

// masks shows what each named mask selects of the baseline.
func (s *studio) masks(ctx context.Context) ([]card, error) {
	if _, err := s.engine.Reset(ctx, chemigram.ResetParams{ImageID: imageID}); err != nil {
		return nil, err
	}
	list, err := s.engine.ListMasks(ctx, chemigram.ListMasksParams{})
	if err != nil {
		return nil, err
	}
	var cards []card
	for _, m := range list.Masks {
		if !s.only.MatchString(m.Name) {
			continue
		}
		res, err := s.engine.PreviewMask(ctx, chemigram.PreviewMaskParams{
			ImageID: imageID, Mask: chemigram.Mask{Name: m.Name}, Size: chemigram.Size(s.size),
		})
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
