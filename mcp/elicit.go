package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

// agreementKey names the one input that a tool may request of the person.
const agreementKey = "agree"

// elicit asks the person the tool's question, if it has one, by the protocol's
// elicitation. A client without elicitation is served without: its agent is to ask.
// request is the result to send as long as there is no answer, and err says that the
// person did not agree; both are nil when the call may go on.
func (t Tool) elicit(ctx context.Context, req *sdk.CallToolRequest) (request *sdk.CallToolResult, err error) {
	if t.spec.Ask == "" {
		return nil, nil
	}
	if response, ok := req.Params.InputResponses[agreementKey].(*sdk.ElicitResult); ok {
		if response.Action == "accept" {
			return nil, nil
		}
		return nil, &chemigram.Error{
			Op: t.spec.Name, Code: chemigram.ErrPermission, Recoverable: true,
			Message: fmt.Sprintf("the person was asked and did not agree (%s)", response.Action),
			Details: chemigram.Details{"violation": "declined"},
		}
	}
	client := req.ClientCapabilities()
	if client == nil || client.Elicitation == nil {
		return nil, nil
	}
	message := t.spec.Ask
	if t.spec.Show != nil {
		message = strings.TrimSpace(message + "\n\n" + t.spec.Show(ctx, req.Params.Arguments))
	}
	return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{agreementKey: &sdk.ElicitParams{
		Mode: "form", Message: message,
		RequestedSchema: &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}},
	}}}, nil
}

// showProposal gives what a proposal changes: the file and the lines; "" when it does
// not wait for an answer.
func showProposal(e *chemigram.Engine) func(context.Context, json.RawMessage) string {
	return func(ctx context.Context, arguments json.RawMessage) string {
		var p chemigram.ConfirmParams
		if json.Unmarshal(arguments, &p) != nil {
			return ""
		}
		const all = 500 // there are never as many
		pending, err := e.ListProposals(ctx, chemigram.ListProposalsParams{Limit: all})
		if err != nil {
			return ""
		}
		for _, proposal := range pending.Proposals {
			if proposal.ProposalID == p.ProposalID {
				return proposal.TargetFile + "\n\n" + proposal.Diff
			}
		}
		return ""
	}
}
