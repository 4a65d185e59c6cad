package studio

import (
	"context"

	"github.com/chemigram/chemigram/mcp"
)

// OpenParams are the parameters of the tool open_studio.
type OpenParams struct{}

// OpenResult is the answer of the tool open_studio.
type OpenResult struct {
	// Link opens the page. Whoever has it may edit, so that it is for the person alone.
	Link string `json:"link" jsonschema:"Opens the studio in a browser on the machine of this server. Give it to the person as it is, and to nobody else: whoever has it may edit."`
}

// Tool is open_studio, by which an agent gets the link for its person: for the
// Tools of [mcp.Options]. page is as for Address.
func (s *Studio) Tool(page string) mcp.Tool {
	return mcp.Bind(mcp.Spec{
		Name: "open_studio", Title: "Get the link to the studio", Group: mcp.Inspect, Effect: mcp.Read,
		Description: "Gives the link to the studio: a page where the person sees the pictures and their history beside what you do, " +
			"compares versions, chooses among variants and edits by hand. Show them the link when they want to look, choose or do something themselves.",
	}, func(context.Context, OpenParams) (OpenResult, error) { return OpenResult{s.Address(page)}, nil })
}
