package match

import (
	"fmt"
	"image"
	"strings"

	"github.com/chemigram/chemigram/render"
)

// Sheet draws a reference, and each of the named pictures before and after side by
// side, with what was measured and changed. Those that could not be measured are only
// named.
func Sheet(r Reference, names []string, pictures []Outcome) (image.Image, error) {
	tiles := []render.Tile{{Picture: r.picture, Label: r.name + ": the reference"}}
	for i, o := range pictures {
		if o.First == nil {
			tiles = append(tiles, render.Tile{Picture: image.NewGray(image.Rect(0, 0, 256, 64)), Label: names[i] + ": not measured"})
			continue
		}
		both := render.SideBySide(
			render.Tile{Picture: o.First, Label: fmt.Sprintf("%s, ΔE %.1f", names[i], o.Before)},
			render.Tile{Picture: o.Now, Label: fmt.Sprintf("ΔE %.1f", o.After)},
		)
		tiles = append(tiles, render.Tile{Picture: render.FitTile(both, len(pictures)+1), Label: o.words()})
	}
	return render.Sheet(tiles, 0)
}

// words say what was changed, or why nothing was.
func (o Outcome) words() string {
	var list []string
	for _, m := range o.Moves {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s %+.4g", m.Name, m.By)))
	}
	said := strings.Join(list, ", ")
	switch {
	case o.LeftAlone != "" && o.Unlike:
		return "left alone, unlike: right as near as it comes"
	case o.LeftAlone != "":
		return "left alone: " + said
	case said == "":
		return "nothing to change"
	}
	return said
}
