package chemigram

import "context"

// ListMasksParams are the parameters of ListMasks.
type ListMasksParams struct {
	// Query chooses masks by words in name, description and tags.
	Query string `json:"query,omitempty"`
}

// ListMasksResult lists named masks.
type ListMasksResult struct {
	// Masks by name.
	Masks []NamedMask `json:"masks"`
}

// NamedMask is a selection that has a name.
type NamedMask struct {
	// Name to use it by.
	Name string `json:"name"`
	// Description of what it selects.
	Description string `json:"description"`
	// Tags to find it by.
	Tags []string `json:"tags"`
	// Pack that it comes from.
	Pack string `json:"pack"`
}

// ListMasks lists the masks that have a name: tones, colours, and parts of the
// frame.
func (e *Engine) ListMasks(ctx context.Context, p ListMasksParams) (_ ListMasksResult, err error) {
	defer seal(&err, "list_masks", "")
	if err := validate(&p); err != nil {
		return ListMasksResult{}, err
	}
	res := ListMasksResult{Masks: []NamedMask{}}
	for _, m := range e.vocabulary.Masks() {
		texts := append([]string{m.Name, m.Description}, m.Tags...)
		if matchesQuery(p.Query, texts...) {
			res.Masks = append(res.Masks, NamedMask{Name: m.Name, Description: m.Description, Tags: orEmpty(m.Tags), Pack: m.Pack.Name})
		}
	}
	return res, ctx.Err()
}
