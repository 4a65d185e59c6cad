package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tools calls the tools of a server and decodes their envelopes.
type tools struct{ session *sdk.ClientSession }

type arguments map[string]any

// toolError is the error in an envelope.
type toolError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e *toolError) Error() string { return e.Code + ": " + e.Message }

// call calls a tool and decodes its data into result, unless that is nil.
func (t tools) call(ctx context.Context, tool string, args arguments, result any) error {
	answer, err := t.session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	text, ok := answer.Content[0].(*sdk.TextContent)
	if !ok {
		return fmt.Errorf("%s: %w", tool, errors.New("the answer has no text"))
	}
	var envelope struct {
		Data  json.RawMessage `json:"data"`
		Error *toolError      `json:"error"`
	}
	if err := json.Unmarshal([]byte(text.Text), &envelope); err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	if envelope.Error != nil {
		return fmt.Errorf("%s: %w", tool, envelope.Error)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(envelope.Data, result)
}
