package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/internal/workspace"
)

// GetStateParams are the parameters of GetState.
type GetStateParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
}

// GetState gives the present state of an image's edit.
func (e *Engine) GetState(ctx context.Context, p GetStateParams) (_ State, err error) {
	defer seal(&err, "get_state", p.ImageID)
	if err := validate(&p); err != nil {
		return State{}, err
	}
	img, err := e.image(p.ImageID)
	if err != nil {
		return State{}, err
	}
	now, err := img.At(ctx, "")
	if err != nil {
		return State{}, err
	}
	return stateOf(now), nil
}

// stateOf is what get_state and state_after report.
func stateOf(v workspace.Version) State {
	hash := v.Record.State.String()
	s := State{HeadHash: &hash}
	for _, entry := range v.Sidecar.History() {
		s.EntryCount++
		if !entry.Enabled {
			continue
		}
		s.EnabledCount++
		for _, origin := range entry.Origins {
			switch Layer(origin.Layer) {
			case "L1":
				s.LayersPresent.L1 = true
			case "L2":
				s.LayersPresent.L2 = true
			case "L3":
				s.LayersPresent.L3 = true
			}
		}
	}
	return s
}
