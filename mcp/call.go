package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"runtime/debug"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/formerly"
)

// call is one call of a tool.
type call struct {
	adapter *adapter
	tool    Tool
	actor   string
	started time.Time
}

// handler answers the calls of a tool.
func (t Tool) handler(a *adapter) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c := call{adapter: a, tool: t, actor: actorOf(a.opts.Actor, req), started: time.Now()}
		request, err := t.elicit(ctx, req)
		if request != nil {
			return request, nil
		}
		end := c.record(ctx, req)
		var result reflect.Value
		if err == nil {
			reporting, stop := c.reportProgress(ctx, req)
			result, err = c.invoke(reporting, req.Params.Arguments)
			stop()
		}
		c.log(ctx, err)
		answer := c.toolResult(ctx, result, err)
		if result.IsValid() {
			end(result.Interface(), err)
		} else {
			end(nil, err)
		}
		return answer, nil
	}
}

// invoke checks the arguments, guards a destructive tool and runs the verb.
func (c call) invoke(ctx context.Context, raw json.RawMessage) (result reflect.Value, err error) {
	defer c.recover(ctx, &err)
	arguments, renamed, violations := c.tool.checker.arguments(raw)
	if len(violations) > 0 {
		return reflect.Value{}, fault.Violated(violations)
	}
	defer func() { err = asGiven(err, renamed) }()
	if c.tool.spec.Effect != Read {
		defer func() {
			if err == nil {
				c.adapter.notifySubscribers(ctx, imagesOf(arguments, result))
			}
		}()
	}
	if c.actor != "" {
		ctx = chemigram.WithActor(ctx, c.actor)
	}
	if c.tool.spec.Effect != Destructive {
		return c.run(ctx, arguments)
	}
	consent := takeConsent(arguments)
	if err := consent.check(c.tool.spec.Name, c.actor); err != nil {
		return reflect.Value{}, err
	}
	params := arguments
	if c.tool.takesReason {
		params = maps.Clone(arguments)
		params[reasonArgument] = consent.reason
	}
	record, err := c.intend(ctx, consent.reason, arguments)
	if err != nil {
		return reflect.Value{}, err
	}
	result, err = c.run(ctx, params)
	c.audit(ctx, record, err)
	return result, err
}

// asGiven makes the pointers of an error's violations name what the caller gave.
func asGiven(err error, renamed map[string]string) error {
	if err == nil || len(renamed) == 0 {
		return err
	}
	told := *chemigram.AsError(err)
	found, ok := told.Details["violations"].([]chemigram.Violation)
	if !ok {
		return err
	}
	found = slices.Clone(found)
	for i := range found {
		found[i].Pointer = formerly.Given(renamed, found[i].Pointer)
	}
	told.Details = maps.Clone(told.Details)
	told.Details["violations"] = found
	return &told
}

// run decodes the arguments and calls the verb. They are encoded again for that, so
// that the verb gets what was checked, also when a key was in the request twice.
func (c call) run(ctx context.Context, arguments map[string]any) (_ reflect.Value, err error) {
	defer c.recover(ctx, &err)
	checked, err := json.Marshal(arguments)
	if err != nil {
		return reflect.Value{}, err
	}
	return c.tool.run(ctx, checked)
}

// recover turns a panic into an error with the id of an incident, whose stack is in
// the log.
func (c call) recover(ctx context.Context, err *error) {
	if cause := recover(); cause != nil {
		*err = c.incident(ctx, fmt.Sprint(cause), string(debug.Stack()))
	}
}

// incident logs an internal error and returns one that refers to it.
func (c call) incident(ctx context.Context, cause, stack string) *chemigram.Error {
	id := rand.Text()[:10]
	c.adapter.log.ErrorContext(ctx, "internal error",
		"event", "incident", "tool", c.tool.spec.Name, "incident", id, "fault", cause, "stack", stack)
	return &chemigram.Error{
		Op: c.tool.spec.Name, Code: chemigram.ErrState,
		Message: "internal error, a fault of Chemigram: it is incident " + id + " in the server's log",
		Details: chemigram.Details{"incident": id},
	}
}

// toolResult encodes the envelope, as structured content and as text, and adds the
// picture of a result that has one.
func (c call) toolResult(ctx context.Context, result reflect.Value, err error) *sdk.CallToolResult {
	e := envelope{Success: err == nil, Error: failureOf(err)}
	if err == nil {
		e.Data = result.Addr().Interface()
	}
	encoded, encodeErr := e.encode()
	if encodeErr != nil {
		err = c.incident(ctx, encodeErr.Error(), "")
		e = envelope{Error: failureOf(err)}
		encoded, _ = e.encode()
	}
	answer := &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: string(encoded)}},
		StructuredContent: json.RawMessage(encoded),
		IsError:           err != nil,
	}
	if err == nil && c.tool.picture != nil {
		answer.Content = append(answer.Content, c.adapter.pictureContent(ctx, result.FieldByIndex(c.tool.picture).String(), c.tool.forViews)...)
	}
	return answer
}

// failureOf converts any error, or nil.
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
