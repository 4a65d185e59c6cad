package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"runtime/debug"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/fault"
)

// call is one call of a tool on its way.
type call struct {
	adapter *adapter
	tool    Tool
	actor   string
	begun   time.Time
}

// handler serves a tool. It is the one way from a request to a verb.
func (t Tool) handler(a *adapter) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c := call{adapter: a, tool: t, actor: actorOf(a.opts.Actor, req), begun: time.Now()}
		question, err := t.ask(req)
		if question != nil {
			return question, nil
		}
		end := c.record(ctx, req)
		var result reflect.Value
		if err == nil {
			reporting, stop := c.reportProgress(ctx, req)
			result, err = c.invoke(reporting, req.Params.Arguments)
			stop()
		}
		c.log(ctx, err)
		answer := c.answer(result, err)
		if result.IsValid() {
			end(result.Interface(), err)
		} else {
			end(nil, err)
		}
		return answer, nil
	}
}

// invoke validates, decodes, guards and calls.
func (c call) invoke(ctx context.Context, raw json.RawMessage) (result reflect.Value, err error) {
	defer c.recover(ctx, &err)
	arguments, violations := c.tool.checker.arguments(raw)
	if len(violations) > 0 {
		return reflect.Value{}, fault.Violated(violations)
	}
	if c.tool.spec.Effect != Read {
		defer func() {
			if err == nil {
				c.adapter.changed(ctx, imagesOf(arguments, result))
			}
		}()
	}
	if c.actor != "" {
		ctx = chemigram.WithActor(ctx, c.actor)
	}
	if c.tool.spec.Effect != Destructive {
		return c.run(ctx, arguments)
	}
	agreed := takeConsent(arguments)
	if err := agreed.check(c.tool.spec.Name, c.actor); err != nil {
		return reflect.Value{}, err
	}
	passed := arguments
	if c.tool.reason {
		passed = maps.Clone(arguments)
		passed[reasonArgument] = agreed.reason
	}
	result, err = c.run(ctx, passed)
	c.audit(ctx, agreed, arguments, err)
	return result, err
}

// run calls the verb. The arguments are encoded anew: what is decoded is what
// was checked, whatever keys the raw text had twice.
func (c call) run(ctx context.Context, arguments map[string]any) (_ reflect.Value, err error) {
	defer c.recover(ctx, &err)
	plain, err := json.Marshal(arguments)
	if err != nil {
		return reflect.Value{}, err
	}
	return c.tool.run(ctx, plain)
}

// recover makes a panic an error that names an incident; the log has its stack.
func (c call) recover(ctx context.Context, err *error) {
	if cause := recover(); cause != nil {
		*err = c.incident(ctx, fmt.Sprint(cause), string(debug.Stack()))
	}
}

func (c call) incident(ctx context.Context, cause, stack string) *chemigram.Error {
	id := rand.Text()[:10]
	c.adapter.log.ErrorContext(ctx, "a verb failed from within",
		"event", "incident", "tool", c.tool.spec.Name, "incident", id, "fault", cause, "stack", stack)
	return &chemigram.Error{
		Op: c.tool.spec.Name, Code: chemigram.ErrState,
		Message: "the verb failed from within; this is a fault of Chemigram. The server's log has it as incident " + id,
		Details: chemigram.Details{"incident": id},
	}
}

// answer makes the envelope, as structured content and as text, and the
// picture of a result that has one.
func (c call) answer(result reflect.Value, err error) *sdk.CallToolResult {
	e := envelope{Success: err == nil, Error: failureOf(err)}
	if err == nil {
		e.Data = result.Addr().Interface()
	}
	sealed, sealErr := e.seal()
	if sealErr != nil {
		err = c.incident(context.Background(), sealErr.Error(), "")
		e = envelope{Error: failureOf(err)}
		sealed, _ = e.seal()
	}
	answer := &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: string(sealed)}},
		StructuredContent: json.RawMessage(sealed),
		IsError:           err != nil,
	}
	if err == nil && c.tool.picture != nil {
		answer.Content = append(answer.Content, c.adapter.show(result.FieldByIndex(c.tool.picture).String())...)
	}
	return answer
}

// failureOf makes any error one of the engine's nine codes.
func failureOf(err error) *failure {
	if err == nil {
		return nil
	}
	e := chemigram.AsError(err)
	f := &failure{Code: e.Code, Message: e.Message, Details: e.Details, Recoverable: e.Recoverable}
	if f.Details == nil {
		f.Details = chemigram.Details{}
	}
	return f
}
