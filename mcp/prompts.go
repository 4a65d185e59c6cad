package mcp

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	//go:embed prompts/collaborate.md
	collaborate string
	//go:embed prompts/autonomous.md
	autonomous string
)

// addPrompts adds the prompts to a server that has some already.
func addPrompts(server *sdk.Server, have []string) {
	for _, p := range []struct{ name, title, description, text string }{
		{"collaborate", "Edit together", "Edit a photograph together with a person, one small step at a time.", collaborate},
		{"autonomous", "Edit alone", "Edit a photograph from a brief, and report what was done and why.", autonomous},
	} {
		if slices.Contains(have, p.name) {
			continue
		}
		server.AddPrompt(&sdk.Prompt{
			Name: p.name, Title: p.title, Description: p.description,
			Arguments: []*sdk.PromptArgument{
				{Name: "image_id", Title: "Image", Description: "Names the image, from list_images or ingest.", Required: true},
				{Name: "brief", Title: "Brief", Description: "What the person wants, in their words. Default: ask, or judge by the picture."},
			},
		}, servePrompt(p.description, p.text))
	}
}

func servePrompt(description, text string) sdk.PromptHandler {
	return func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		brief := strings.TrimSpace(req.Params.Arguments["brief"])
		if brief == "" {
			brief = "(none was given)"
		}
		filled := strings.NewReplacer("{image_id}", req.Params.Arguments["image_id"], "{brief}", brief).Replace(text)
		return &sdk.GetPromptResult{
			Description: description,
			Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: filled}}},
		}, nil
	}
}
