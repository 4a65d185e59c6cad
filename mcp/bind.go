package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram/internal/fault"
)

// Tool is a verb that is ready to be served. [Bind] makes one.
type Tool struct {
	spec           Spec
	params, result reflect.Type
	checker        *checker
	picture        []int // index of the result's field that names a picture
	audits         bool  // the verb keeps its audit record itself
	reason         bool  // the verb takes the guard's reason as its own argument
	run            func(ctx context.Context, arguments []byte) (reflect.Value, error)
}

// Bind makes a Tool of a verb. P and R are structs with json tags: their
// schemas become the tool's. A field is required unless its tag has omitempty
// or omitzero; the tag default:"…" is what the verb gets when it is absent, and
// jsonschema:"…" describes it. Lists and maps of a result that are nil are sent as empty. A
// result whose field `json:"jpeg_path"` names a file is shown as a picture.
//
// An error that is a [*chemigram.Error] is reported with its code, any other
// as a state_error. A panic ends the call, not the server.
//
// Bind panics when the parameters or the spec cannot make a tool, and a server
// that offers it when the result cannot.
func Bind[P, R any](spec Spec, verb func(context.Context, P) (R, error)) Tool {
	params, result := reflect.TypeFor[P](), reflect.TypeFor[R]()
	spec = spec.complete()
	return Tool{
		spec: spec, params: params, result: result,
		checker: newChecker(guarded(spec, inputSchema(params, nil))),
		picture: pictureField(result), reason: spec.Effect == Destructive && takesReason(params),
		run: func(ctx context.Context, arguments []byte) (reflect.Value, error) {
			var p P
			if err := json.Unmarshal(arguments, &p); err != nil {
				return reflect.Value{}, fault.Violated([]fault.Violation{{Expected: "arguments that fit the schema", Got: err.Error()}})
			}
			r, err := verb(ctx, p)
			if err != nil {
				return reflect.Value{}, err
			}
			v := reflect.ValueOf(&r).Elem()
			fillLists(v)
			return v, nil
		},
	}
}

// Alias is the tool under a name that it had before it was renamed. Its
// description says so, and what is recorded of its calls has the present name.
// Keep an alias for as long as programs may call it.
func (t Tool) Alias(former string) Tool {
	t.spec.aliasOf = t.spec.Name
	t.spec.Name = former
	t.spec.Description = "Deprecated: a former name of " + t.spec.aliasOf + ", which is to be called instead."
	return t
}

// verb is the present name of the tool.
func (t Tool) verb() string { return cmp.Or(t.spec.aliasOf, t.spec.Name) }

// Name of the tool.
func (t Tool) Name() string { return t.spec.Name }

// Spec gives what was said of the tool, with the defaults.
func (t Tool) Spec() Spec { return t.spec }

// Definition is the tool with all its words. In the list of a server it has fewer:
// what another tool there describes is left out, and so are words of a result's
// fields that only say their names.
func (t Tool) Definition() *sdk.Tool { return t.define(nil) }

// define makes the tool as clients see it, without what is told elsewhere.
func (t Tool) define(told toldBy) *sdk.Tool {
	return &sdk.Tool{
		Name: t.spec.Name, Title: t.spec.Title, Description: t.spec.Description, Annotations: t.spec.hints(),
		InputSchema:  visible(guarded(t.spec, inputSchema(t.params, told))),
		OutputSchema: outputSchema(t.result, told),
	}
}

// hints sets all four: one that is missing means the worst.
func (s Spec) hints() *sdk.ToolAnnotations {
	destructive, openWorld := s.Effect == Destructive, s.OpenWorld
	return &sdk.ToolAnnotations{
		ReadOnlyHint: s.Effect == Read, IdempotentHint: s.Idempotent,
		DestructiveHint: &destructive, OpenWorldHint: &openWorld,
	}
}

// fillLists makes nil lists and maps of a result empty ones.
func fillLists(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillLists(v.Field(i))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fillLists(v.Elem())
		}
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			fillLists(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
	default:
	}
}
