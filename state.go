package chemigram

import "context"

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
	return now.state(), nil
}
