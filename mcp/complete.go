package mcp

import (
	"context"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

// maxCompletions is how many values the protocol allows in one response.
const maxCompletions = 100

// complete returns the values of an argument of a prompt or of a resource template, by
// the argument's name, that begin with what was typed.
func (a *adapter) complete(ctx context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	argument := req.Params.Argument
	image := chemigram.ImageID("")
	if req.Params.Context != nil {
		image = chemigram.ImageID(req.Params.Context.Arguments["image_id"])
	}
	var all []string
	var err error
	switch argument.Name {
	case "image_id":
		all, err = a.imageIDs(ctx, argument.Value)
	case "ref", "ref_or_hash", "hash_a", "hash_b":
		all, err = a.refs(ctx, image)
	case "name", "primitive_name":
		all, err = a.moves(ctx)
	case "tool":
		for _, tool := range a.tools {
			all = append(all, tool.Name())
		}
	case "mask", "mask_name":
		all, err = a.masks(ctx)
	case "module", "module_name":
		all, err = a.modules(ctx, image)
	}
	if err != nil {
		all = nil // such as an image that does not exist
	}
	typed := strings.ToLower(argument.Value)
	all = slices.DeleteFunc(all, func(value string) bool { return !strings.HasPrefix(strings.ToLower(value), typed) })
	result := &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{
		Values: []string{}, Total: len(all), HasMore: len(all) > maxCompletions,
	}}
	result.Completion.Values = append(result.Completion.Values, all[:min(len(all), maxCompletions)]...)
	return result, nil
}

func (a *adapter) imageIDs(ctx context.Context, typed string) ([]string, error) {
	page, err := a.engine.ListImages(ctx, chemigram.ListImagesParams{Query: typed, Limit: 500})
	var out []string
	for _, image := range page.Images {
		out = append(out, string(image.ImageID))
	}
	return out, err
}

// refs lists HEAD and an image's branches and tags.
func (a *adapter) refs(ctx context.Context, image chemigram.ImageID) ([]string, error) {
	page, err := a.engine.Log(ctx, chemigram.LogParams{ImageID: image, Limit: 1})
	out := []string{"HEAD"}
	for _, ref := range page.Refs {
		out = append(out, strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), "refs/tags/"))
	}
	return out, err
}

func (a *adapter) moves(ctx context.Context) ([]string, error) {
	page, err := a.engine.ListVocabulary(ctx, chemigram.ListVocabularyParams{Limit: 500})
	var out []string
	for _, move := range page.Entries {
		out = append(out, move.Name)
	}
	return out, err
}

func (a *adapter) masks(ctx context.Context) ([]string, error) {
	page, err := a.engine.ListMasks(ctx, chemigram.ListMasksParams{})
	var out []string
	for _, mask := range page.Masks {
		out = append(out, mask.Name)
	}
	return out, err
}

func (a *adapter) modules(ctx context.Context, image chemigram.ImageID) ([]string, error) {
	state, err := a.engine.DescribeState(ctx, chemigram.DescribeStateParams{ImageID: image})
	var out []string
	for _, module := range state.Modules {
		out = append(out, strings.TrimSuffix(module.Module+":"+module.Instance, ":"))
	}
	return out, err
}
