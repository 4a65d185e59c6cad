package mcp

import (
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

// askKey names the one question that a tool may have.
const askKey = "agree"

// ask puts the tool's question to the person, through a client that can show
// it; with another client, the agent has asked. question is the answer to send
// when the person has still to be asked, and err what came of it when not.
func (t Tool) ask(req *sdk.CallToolRequest) (question *sdk.CallToolResult, err error) {
	if t.spec.Ask == "" {
		return nil, nil
	}
	if answer, ok := req.Params.InputResponses[askKey].(*sdk.ElicitResult); ok {
		if answer.Action == "accept" {
			return nil, nil
		}
		return nil, &chemigram.Error{
			Op: t.spec.Name, Code: chemigram.ErrPermission, Recoverable: true,
			Message: fmt.Sprintf("the person was asked and did not agree (%s)", answer.Action),
			Details: chemigram.Details{"violation": "declined"},
		}
	}
	can := req.ClientCapabilities()
	if can == nil || can.Elicitation == nil {
		return nil, nil
	}
	return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{askKey: &sdk.ElicitParams{
		Mode: "form", Message: t.spec.Ask,
		RequestedSchema: &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}},
	}}}, nil
}
