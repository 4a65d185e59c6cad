package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/chemigram/chemigram/internal/segment"
)

// An answer is what the forests find of a category in a photograph.
type answer struct {
	id         string
	present    bool
	shared     float64 // of mask and region; 0 when nothing is found
	area       float64 // of the mask, as a share of the picture
	confidence float64
}

// measureNamed says how well regions are found by name in photographs that the
// models of their folds have not seen.
func measureNamed(examples []*example, likely [][][]float64, unseen []*segment.Model) map[string][]answer {
	out := map[string][]answer{}
	for c, category := range segment.Categories() {
		var answers []answer
		parallel(len(examples), func(i int) *answer { return examples[i].ask(unseen[examples[i].fold], category, likely[i][c]) },
			func(_ int, a *answer) {
				if a != nil {
					answers = append(answers, *a)
				}
			})
		summarise(string(category), answers)
		out[string(category)] = answers
	}
	return out
}

// ask gives what is found of a category, when it is known whether it is there.
func (e *example) ask(m *segment.Model, category segment.Category, likely []float64) *answer {
	region := e.planes[string(category)]
	if region == nil && !slices.Contains(absent[string(category)], e.id) {
		return nil
	}
	a := &answer{id: e.id, present: region != nil}
	found, err := e.scene.Named(m, category, likely)
	if err != nil {
		return a
	}
	a.confidence = found.Confidence
	for _, v := range found.Mask {
		if v > 0.5 {
			a.area += 1 / float64(len(found.Mask))
		}
	}
	if a.present {
		a.shared = common(found.Mask, region)
	}
	return a
}

func summarise(category string, answers []answer) {
	var shared, sure []float64
	empty, over := 0, 0
	for _, a := range answers {
		if a.confidence > 0.8 {
			sure = append(sure, a.shared)
		}
		if a.present {
			shared = append(shared, a.shared)
			continue
		}
		empty++
		if a.area > 0.02 {
			over++
		}
	}
	fmt.Printf("%-8s IoU %.3f of %d photographs; more than 2 %% of %d of %d without it; IoU %.3f of %d answers with a confidence above 0.8\n",
		category, average(shared), len(shared), over, empty, average(sure), len(sure))
}

// list prints answers, the surest first.
func list(answers map[string][]answer) {
	for _, category := range slices.Sorted(maps.Keys(answers)) {
		all := answers[category]
		slices.SortFunc(all, func(a, b answer) int { return cmp.Compare(b.confidence, a.confidence) })
		for _, a := range all {
			if a.present || a.area > 0 {
				fmt.Printf("  %s %s: there %v, confidence %.3f, IoU %.3f, area %.3f\n", category, a.id, a.present, a.confidence, a.shared, a.area)
			}
		}
	}
}
