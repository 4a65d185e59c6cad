package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/mcp"
)

// These tests see the package as a program does that embeds it.

// Mood is a program's own enum.
type Mood string

func (Mood) Rule() chemigram.Rule { return chemigram.Rule{Enum: []string{"sunny", "overcast"}} }

// Mired is a program's own range.
type Mired float64

func (Mired) Rule() chemigram.Rule {
	low, high := -50.0, 50.0
	return chemigram.Rule{Minimum: &low, Maximum: &high}
}

// Ticket is a program's own pattern.
type Ticket string

func (Ticket) Rule() chemigram.Rule {
	return chemigram.Rule{Pattern: `^[A-Z]{2}-\d+$`, Says: "two capitals, a hyphen and a number"}
}

// Stops is a program's own enum of numbers.
type Stops int

func (Stops) Rule() chemigram.Rule { return chemigram.Rule{Enum: []string{"-1", "0", "1"}} }

type ownParams struct {
	chemigram.Region
	Mood    Mood            `json:"mood" jsonschema:"The mood."`
	Moods   []Mood          `json:"moods,omitempty" jsonschema:"More moods."`
	Amount  *Mired          `json:"amount,omitempty" jsonschema:"How far."`
	Ticket  Ticket          `json:"ticket,omitempty" jsonschema:"The ticket."`
	Stops   Stops           `json:"stops,omitempty" jsonschema:"The stops."`
	Mask    *chemigram.Mask `json:"mask,omitempty" jsonschema:"The mask."`
	Corner  *[2]float64     `json:"corner,omitempty" jsonschema:"A corner."`
	Payload []byte          `json:"payload,omitempty" jsonschema:"Bytes."`
	From    netip.Addr      `json:"from_host,omitzero" jsonschema:"A host."`
	When    time.Time       `json:"when,omitzero" jsonschema:"A time."`
	Any     json.RawMessage `json:"any,omitempty" jsonschema:"Anything."`
	Extra   map[string]any  `json:"extra,omitempty" jsonschema:"Anything by name."`
	Number  json.Number     `json:"number,omitempty" jsonschema:"A number."`
}

type ownResult struct {
	ownParams
	State chemigram.State `json:"state" jsonschema:"The state."`
}

func ownTool(name string, verb func(ownParams) error) mcp.Tool {
	return mcp.Bind(mcp.Spec{Name: name, Title: "Own", Description: "A program's own.", Effect: mcp.Read, Group: mcp.Expert},
		func(_ context.Context, p ownParams) (ownResult, error) { return ownResult{ownParams: p}, verb(p) })
}

func succeeds(ownParams) error { return nil }

// whole are valid arguments of ownTool.
const whole = `{"x": 0, "y": 0, "width": 1, "height": 1, "mood": "sunny"}`

// openOwn opens an engine without darktable.
func openOwn(t *testing.T, logger *slog.Logger) *chemigram.Engine {
	t.Helper()
	engine, err := chemigram.Open(t.Context(), &chemigram.Options{
		Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: filepath.Join(t.TempDir(), "none"), Logger: logger,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	return engine
}

func connectTo(t *testing.T, server *sdk.Server) *sdk.ClientSession {
	t.Helper()
	ours, theirs := sdk.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), ours, nil); err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func toolNames(t *testing.T, session *sdk.ClientSession) []string {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	return names
}

type failure struct {
	Code        chemigram.Code `json:"code"`
	Message     string         `json:"message"`
	Details     map[string]any `json:"details"`
	Recoverable bool           `json:"recoverable"`
}

// call calls a tool, checks its answer by the schema that is published, and returns the
// failure, if there is one.
func call(t *testing.T, session *sdk.ClientSession, name, arguments string) *failure {
	t.Helper()
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Name == name && tool.OutputSchema != nil {
			text, err := json.Marshal(tool.OutputSchema)
			if err != nil {
				t.Fatal(err)
			}
			var schema jsonschema.Schema
			if err := json.Unmarshal(text, &schema); err != nil {
				t.Fatal(err)
			}
			resolved, err := schema.Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := resolved.Validate(result.StructuredContent); err != nil {
				t.Errorf("%s %s: the answer breaks its schema: %v", name, arguments, err)
			}
		}
	}
	text, err := json.Marshal(result.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var envelope struct {
		Error *failure `json:"error"`
	}
	if err := json.Unmarshal(text, &envelope); err != nil {
		t.Fatal(err)
	}
	return envelope.Error
}

// panics returns what a function panics with.
func panics(f func()) (message string) {
	defer func() { message, _ = recover().(string) }()
	f()
	return ""
}

func TestToolsAreChosenByName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		opts mcp.Options
		want []string
	}{
		{"names alone", mcp.Options{Names: []string{"merge", "get_state"}}, []string{"get_state", "merge"}},
		{"names beside groups", mcp.Options{Groups: []mcp.Group{mcp.Expert}, Names: []string{"undo"}}, []string{"describe_module", "set_parameters", "undo"}},
		{"a name twice", mcp.Options{Names: []string{"undo", "undo"}}, []string{"undo"}},
		{"a program's own beside one", mcp.Options{Names: []string{"undo"}, Tools: []mcp.Tool{ownTool("mine", succeeds)}}, []string{"mine", "undo"}},
		{"no tools of the engine", mcp.Options{Groups: []mcp.Group{}, Tools: []mcp.Tool{ownTool("mine", succeeds)}}, []string{"mine"}},
		{"read-only", mcp.Options{ReadOnly: true, Names: []string{"undo", "log"}}, []string{"log"}},
	} {
		if got := toolNames(t, connectTo(t, mcp.NewServer(openOwn(t, nil), &c.opts))); !slices.Equal(got, c.want) {
			t.Errorf("%s: offers %q, want %q", c.name, got, c.want)
		}
	}
	message := panics(func() { mcp.NewServer(nil, &mcp.Options{Names: []string{"export_fnial"}}) })
	if !strings.Contains(message, "export_final") {
		t.Errorf("a name that there is not: %q", message)
	}
}

// A program's own tool is in no group of the engine's, so that none drops it.
func TestAProgramsOwnToolIsNeverDropped(t *testing.T) {
	t.Parallel()
	for _, group := range mcp.Groups() {
		server := mcp.NewServer(openOwn(t, nil), &mcp.Options{Groups: []mcp.Group{group}, Tools: []mcp.Tool{ownTool("mine", succeeds)}})
		if names := toolNames(t, connectTo(t, server)); !slices.Contains(names, "mine") {
			t.Errorf("with the group %s there are %q", group, names)
		}
	}
}

// hello is a tool of the SDK, of the program's own.
func hello(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "own"}}}, nil, nil
}

func TestAProgramsOwnToolIsNeverReplaced(t *testing.T) {
	t.Parallel()
	for _, pages := range []int{0, 1} {
		server := sdk.NewServer(&sdk.Implementation{Name: "host", Version: "1"}, &sdk.ServerOptions{PageSize: pages})
		for _, name := range []string{"aaa", "diff", "zzz"} {
			sdk.AddTool(server, &sdk.Tool{Name: name, Description: "The program's own."}, hello)
		}
		message := panics(func() { mcp.AddTools(server, openOwn(t, nil), nil) })
		if !strings.Contains(message, "diff") {
			t.Fatalf("pages of %d: it panics with %q", pages, message)
		}
		session := connectTo(t, server)
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "diff"})
		if err != nil || result.Content[0].(*sdk.TextContent).Text != "own" {
			t.Errorf("pages of %d: diff answers %+v (%v)", pages, result, err)
		}
		mcp.AddTools(server, openOwn(t, nil), &mcp.Options{Names: []string{"log"}})
		if result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "diff"}); err != nil || result.Content[0].(*sdk.TextContent).Text != "own" {
			t.Errorf("pages of %d: beside log, diff answers %+v (%v)", pages, result, err)
		}
	}
	if message := panics(func() { mcp.NewServer(nil, &mcp.Options{Tools: []mcp.Tool{ownTool("merge", succeeds)}}) }); !strings.Contains(message, "merge") {
		t.Errorf("a tool of the program's own named merge, which is not offered: %q", message)
	}
}

// schemaAt gives the schema at a place of a tool's arguments or results.
func schemaAt(t *testing.T, schema any, path ...string) map[string]any {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var at map[string]any
	if err := json.Unmarshal(text, &at); err != nil {
		t.Fatal(err)
	}
	defs, _ := at["$defs"].(map[string]any)
	for _, name := range path {
		if options, ok := at["anyOf"].([]any); ok {
			at = options[0].(map[string]any)
		}
		if ref, ok := at["$ref"].(string); ok {
			at = defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
		}
		properties, _ := at["properties"].(map[string]any)
		if at, _ = properties[name].(map[string]any); at == nil {
			t.Fatalf("there is no %s of %v", name, path)
		}
	}
	return at
}

func TestAProgramsOwnTypesAreShownAsTheyAre(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(openOwn(t, nil), &mcp.Options{Tools: []mcp.Tool{ownTool("mine", succeeds)}})
	session := connectTo(t, server)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	mine := list.Tools[slices.IndexFunc(list.Tools, func(tool *sdk.Tool) bool { return tool.Name == "mine" })]
	for name, want := range map[string]any{
		"mood": "string", "amount": "number", "stops": "integer", "payload": "string", "from_host": "string", "when": "string",
		"any": nil, "extra": "object", "number": "number", "corner": "array", "x": "number",
	} {
		if got := schemaAt(t, mine.InputSchema, name)["type"]; got != want {
			t.Errorf("the argument %s is shown as %v, want %v", name, got, want)
		}
	}
	for _, good := range []string{
		whole,
		`{"x": 0, "y": 0, "width": 1, "height": 1, "mood": "overcast", "moods": ["sunny"], "amount": -50, "ticket": "AB-12", "stops": 1,
		  "mask": {"name": "sky"}, "corner": [0.5, 1], "payload": "aGVsbG8=", "from_host": "10.0.0.1", "when": "2026-10-01T12:00:00Z",
		  "any": {"a": [1, "b"]}, "extra": {"a": 1, "b": [null]}, "number": 1.50}`,
	} {
		if failed := call(t, session, "mine", good); failed != nil {
			t.Errorf("%s: %+v", good, failed)
		}
	}
	for bad, pointer := range map[string]string{
		`"mood": "gloomy"`: "/mood", `"moods": ["sunny", "x"]`: "/moods/1", `"amount": 51`: "/amount", `"ticket": "ab-1"`: "/ticket", `"stops": 2`: "/stops",
		`"corner": [1]`: "/corner", `"corner": [1, 2, 3]`: "/corner", `"corner": [1, "2"]`: "/corner/1", `"payload": [1, 2]`: "/payload", `"number": "1"`: "/number",
		`"width": 2`: "/width", `"mask": {"opacity": 2}`: "/mask/opacity",
	} {
		failed := call(t, session, "mine", `{"x": 0, "y": 0, "height": 1, "mood": "sunny", "width": 1, `+bad+`}`)
		if failed == nil || failed.Code != chemigram.ErrInvalidInput || failed.Details["violations"].([]any)[0].(map[string]any)["pointer"] != pointer {
			t.Errorf("%s: %+v, want a violation at %s", bad, failed, pointer)
		}
	}
	failed := call(t, session, "mine", `{"x": 0, "y": 0, "height": 1, "mood": "sunny", "width": 1, "ticket": "1"}`)
	if failed == nil || !strings.Contains(failed.Message, "two capitals, a hyphen and a number") {
		t.Errorf("the rule in words: %+v", failed)
	}
}

// What no schema is made of is refused when the program starts, and not shown as
// something else.
func TestTypesWithoutASchemaPanic(t *testing.T) {
	t.Parallel()
	type inner struct {
		A int `json:"a"`
	}
	type named struct {
		inner `json:"inner"`
	}
	type quoted struct {
		N int `json:"n,string"`
	}
	spec := mcp.Spec{Name: "x", Title: "X", Description: "X.", Effect: mcp.Read}
	if message := panics(func() {
		mcp.Bind(spec, func(context.Context, named) (inner, error) { return inner{}, nil })
	}); !strings.Contains(message, "embeds") {
		t.Errorf("a named embedded struct: %q", message)
	}
	if message := panics(func() {
		mcp.Bind(spec, func(context.Context, quoted) (inner, error) { return inner{}, nil })
	}); !strings.Contains(message, "n as a number in a text") {
		t.Errorf("a number in a text: %q", message)
	}
}

// The engine's descriptions stay with its types in a program's own.
func TestDescriptionsSurviveEmbedding(t *testing.T) {
	t.Parallel()
	tool := ownTool("mine", succeeds).Definition()
	for _, path := range [][]string{{"x"}, {"width"}, {"mask", "name"}, {"mask", "shapes"}, {"mood"}} {
		if text, _ := schemaAt(t, tool.InputSchema, path...)["description"].(string); text == "" {
			t.Errorf("the argument %v has lost its description", path)
		}
	}
	for _, path := range [][]string{{"data", "height"}, {"data", "state", "head_hash"}, {"data", "state", "layers_present", "L1"}, {"data", "mask", "invert"}} {
		if text, _ := schemaAt(t, tool.OutputSchema, path...)["description"].(string); text == "" {
			t.Errorf("the result's %v has lost its description", path)
		}
	}
	// A list without the tools that others refer to has all the words itself.
	server := mcp.NewServer(openOwn(t, nil), &mcp.Options{Names: []string{"preview_mask"}})
	list, err := connectTo(t, server).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := schemaAt(t, list.Tools[0].InputSchema, "mask")["description"].(string); strings.Contains(text, "As in") {
		t.Errorf("preview_mask alone refers to %q", text)
	}
	if text, _ := schemaAt(t, list.Tools[0].InputSchema, "mask", "feather")["description"].(string); text == "" {
		t.Error("preview_mask alone does not describe feather")
	}
}

// A server of a program's own gets all that a server of ours has, and keeps its own.
func TestAddToolsBringsAllThatAServerHas(t *testing.T) {
	t.Parallel()
	asked := false
	server := sdk.NewServer(&sdk.Implementation{Name: "host", Version: "1"}, &sdk.ServerOptions{
		Instructions: "Greet first.",
		CompletionHandler: func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
			asked = true
			return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{"own"}}}, nil
		},
	})
	sdk.AddTool(server, &sdk.Tool{Name: "say_hello", Description: "The program's own."}, hello)
	server.AddPrompt(&sdk.Prompt{Name: "autonomous", Description: "The program's own."}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{Description: "own"}, nil
	})
	mcp.AddTools(server, openOwn(t, nil), nil)
	session := connectTo(t, server)

	told := session.InitializeResult()
	if !strings.HasPrefix(told.Instructions, "Greet first.") || !strings.Contains(told.Instructions, mcp.Instructions()) {
		t.Errorf("the instructions are %.80q…", told.Instructions)
	}
	if told.Capabilities.Completions == nil {
		t.Error("there are no completions")
	}
	names := toolNames(t, session)
	if !slices.Contains(names, "say_hello") || !slices.Contains(names, "export_final") {
		t.Errorf("it offers %q", names)
	}
	if got, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "collaborate", Arguments: map[string]string{"image_id": "a"}}); err != nil || len(got.Messages) == 0 {
		t.Errorf("collaborate: %+v, %v", got, err)
	}
	if got, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "autonomous"}); err != nil || got.Description != "own" {
		t.Errorf("the program's own prompt: %+v, %v", got, err)
	}
	complete := func(ref *sdk.CompleteReference, argument string) []string {
		result, err := session.Complete(t.Context(), &sdk.CompleteParams{Ref: ref, Argument: sdk.CompleteParamsArgument{Name: argument, Value: ""}})
		if err != nil {
			t.Errorf("%s of %+v: %v", argument, ref, err)
			return nil
		}
		return result.Completion.Values
	}
	if got := complete(&sdk.CompleteReference{Type: "ref/resource", URI: "chemigram://tools/{tool}"}, "tool"); !slices.Contains(got, "export_final") || asked {
		t.Errorf("our resource is completed with %q", got)
	}
	if complete(&sdk.CompleteReference{Type: "ref/prompt", Name: "collaborate"}, "image_id"); asked {
		t.Error("the program was asked about our prompt")
	}
	if got := complete(&sdk.CompleteReference{Type: "ref/prompt", Name: "autonomous"}, "image_id"); !slices.Equal(got, []string{"own"}) {
		t.Errorf("the program's own prompt is completed with %q", got)
	}
	if got := call(t, session, "health_check", `{}`); got != nil {
		t.Errorf("health_check: %+v", got)
	}
}

// A server without instructions or completions of its own has ours.
func TestAddToolsToABareServer(t *testing.T) {
	t.Parallel()
	server := sdk.NewServer(&sdk.Implementation{Name: "host", Version: "1"}, nil)
	mcp.AddTools(server, openOwn(t, nil), nil)
	session := connectTo(t, server)
	if got := session.InitializeResult().Instructions; got != mcp.Instructions() {
		t.Errorf("the instructions are %.80q…", got)
	}
	result, err := session.Complete(t.Context(), &sdk.CompleteParams{
		Ref: &sdk.CompleteReference{Type: "ref/resource", URI: "chemigram://vocabulary/{name}"}, Argument: sdk.CompleteParamsArgument{Name: "name", Value: "expos"},
	})
	if err != nil || !slices.Contains(result.Completion.Values, "exposure") {
		t.Errorf("moves are completed with %+v, %v", result, err)
	}
}

// Errors that a program makes have the codes, and those of other codes become one.
func TestAProgramsOwnErrors(t *testing.T) {
	t.Parallel()
	var fails error
	server := mcp.NewServer(openOwn(t, nil), &mcp.Options{Tools: []mcp.Tool{ownTool("mine", func(ownParams) error { return fails })}})
	session := connectTo(t, server)
	for _, c := range []struct {
		err  error
		code chemigram.Code
		key  string
		want any
	}{
		{chemigram.NewError(chemigram.ErrMasking, "no mask of %d", 3).With("part", "a"), chemigram.ErrMasking, "part", "a"},
		{chemigram.UnknownName("preset", "velvja", []string{"velvia", "provia"}), chemigram.ErrNotFound, "name", "velvja"},
		{chemigram.InvalidArgument("/mood", "mood is %q", "x"), chemigram.ErrInvalidInput, "", nil},
		{&chemigram.Error{Code: "quota_exceeded", Message: "no more today"}, chemigram.ErrState, "foreign_code", "quota_exceeded"},
		{chemigram.NewError("quota_exceeded", "no more today"), chemigram.ErrState, "foreign_code", "quota_exceeded"},
		{&chemigram.Error{Message: "no code"}, chemigram.ErrState, "foreign_code", ""},
		{errors.New("plain"), chemigram.ErrState, "", nil},
		{errors.Join(errors.New("more"), &chemigram.Error{Code: "other", Message: "inside"}), chemigram.ErrState, "foreign_code", "other"},
	} {
		fails = c.err
		failed := call(t, session, "mine", whole)
		if failed == nil || failed.Code != c.code {
			t.Errorf("%#v: %+v, want %s", c.err, failed, c.code)
			continue
		}
		if c.key != "" && failed.Details[c.key] != c.want {
			t.Errorf("%v: the details are %v, want %s %v", c.err, failed.Details, c.key, c.want)
		}
	}
	fails = chemigram.UnknownName("preset", "velvja", []string{"velvia", "provia"})
	if failed := call(t, session, "mine", whole); !failed.Recoverable || !strings.Contains(failed.Message, "velvia") {
		t.Errorf("an unknown name: %+v", failed)
	}
	fails = chemigram.InvalidArgument("/mood", "mood is %q", "x")
	if failed := call(t, session, "mine", whole); len(failed.Details["violations"].([]any)) != 1 {
		t.Errorf("an invalid argument: %+v", failed)
	}
	if foreign := (&chemigram.Error{Code: "mine", Message: "m"}); chemigram.AsError(foreign).Code != chemigram.ErrState || foreign.Code != "mine" {
		t.Errorf("the program's own error was changed: %+v", foreign)
	}
}

// Secrets are hidden in any logger.
func TestSecretsAreHiddenInAnyLogger(t *testing.T) {
	t.Parallel()
	const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	engine := openOwn(t, logger)
	server := mcp.NewServer(engine, &mcp.Options{Logger: logger, Tools: []mcp.Tool{ownTool("mine", func(ownParams) error {
		return errors.New("the password: " + secret)
	})}})
	session := connectTo(t, server)
	call(t, session, "mine", whole)
	call(t, session, "mine", `{"mood": "`+secret+`"}`)
	call(t, session, "ingest", `{"raw_path": "/nowhere/`+secret+`.dng"}`)
	if text := log.String(); strings.Contains(text, secret[:24]) || !strings.Contains(text, "[hidden]") {
		t.Errorf("the log has the secret, or nothing:\n%s", text)
	}
}
