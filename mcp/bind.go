package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/formerly"
)

// Tool is a verb as a tool of a server. [Bind] makes one.
type Tool struct {
	spec           Spec
	params, result reflect.Type
	checker        *checker
	picture        []int // index of the result's field with the path of a picture; nil for none
	audited        bool  // the verb writes its audit record itself
	takesReason    bool  // the verb has the guard's reason among its parameters
	forViews       bool  // views alone see it
	run            func(ctx context.Context, arguments []byte) (reflect.Value, error)
}

// Bind makes a Tool of a verb. P and R are structs with json tags: their
// schemas become the tool's. A field is required unless its tag has omitempty
// or omitzero; the tag default:"…" is its value when it is absent, and jsonschema:"…"
// describes it; formerly:"…" is a name that it had before, which is still taken. Lists
// and maps of a result that are nil are sent as empty, and the tag
// decimals:"…" is how many decimals of a result's number are sent. The JPEG that a
// result's field `json:"jpeg_path"` is the path of is sent, too. A type's enum, range or
// pattern is what its method Rule says; see [Ruled].
//
// An error that is a [*chemigram.Error] with one of the nine codes is reported with it,
// any other as a state_error. A panic ends the call, not the server.
//
// Bind panics when the parameters or the spec are not those of a tool. For a result
// that is not, the server that offers the tool panics.
func Bind[P, R any](spec Spec, verb func(context.Context, P) (R, error)) Tool {
	params, result := reflect.TypeFor[P](), reflect.TypeFor[R]()
	spec = spec.complete()
	return Tool{
		spec: spec, params: params, result: result, checker: checkerOf(spec, params),
		picture: pictureField(result), takesReason: spec.Effect == Destructive && hasReason(params),
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
			tidy(v)
			return v, nil
		},
	}
}

// checkerOf returns the checker of a tool's arguments. It is made once: EngineTools and
// NewServer bind the same verbs for every engine.
func checkerOf(spec Spec, params reflect.Type) *checker {
	key := checkerKey{params, spec.Effect == Destructive}
	known, ok := checkers.Load(key)
	if !ok {
		made := newChecker(withGuard(spec, inputSchema(params, nil)))
		made.formerly = formerly.Of(params)
		known, _ = checkers.LoadOrStore(key, made)
	}
	return known.(*checker)
}

// checkers are those that checkerOf has made.
var checkers sync.Map

// A checkerKey is what a checker depends on: the parameters, and whether the guard's
// arguments are among them.
type checkerKey struct {
	params  reflect.Type
	guarded bool
}

// Alias returns the tool under a name that it had before it was renamed. Its
// description says so, and its calls are recorded under the present name. Keep an
// alias for as long as programs may call it.
func (t Tool) Alias(former string) Tool {
	t.spec.aliasOf = t.spec.Name
	t.spec.Name = former
	t.spec.Description = "Deprecated: a former name of " + t.spec.aliasOf + ", which is to be called instead."
	return t
}

// presentName is the name of the tool, also when it is an alias.
func (t Tool) presentName() string { return cmp.Or(t.spec.aliasOf, t.spec.Name) }

// Name of the tool.
func (t Tool) Name() string { return t.spec.Name }

// Spec returns the specification of the tool, with its defaults.
func (t Tool) Spec() Spec { return t.spec }

// Definition is the tool with all its descriptions. In the list of a server its
// arguments have fewer: they refer to other tools there that describe the same struct.
// The details of errors are described here alone.
func (t Tool) Definition() *sdk.Tool { return t.define(nil) }

// define returns the tool as clients see it, with references to other tools.
func (t Tool) define(refs references) *sdk.Tool {
	return &sdk.Tool{
		Name: t.spec.Name, Title: t.spec.Title, Description: t.spec.Description, Annotations: t.spec.hints(),
		InputSchema:  withGuard(t.spec, inputSchema(t.params, refs)),
		OutputSchema: outputSchema(t.result, refs == nil),
	}
}

// hints sets all four hints: a missing one means the worst case.
func (s Spec) hints() *sdk.ToolAnnotations {
	destructive, openWorld := s.Effect == Destructive, s.OpenWorld
	return &sdk.ToolAnnotations{
		Title: s.Title, ReadOnlyHint: s.Effect == Read, IdempotentHint: s.Idempotent,
		DestructiveHint: &destructive, OpenWorldHint: &openWorld,
	}
}

// tidy replaces the nil lists and maps of a result by empty ones, and rounds the
// numbers whose fields say how many decimals mean something.
func tidy(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			tidy(v.Field(i))
			if decimals := field.Tag.Get("decimals"); decimals != "" {
				round(v.Field(i), decimals)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			tidy(v.Elem())
		}
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			tidy(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
	default:
	}
}

// round rounds a number, or the numbers of a list, to a number of decimals.
func round(v reflect.Value, decimals string) {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		digits, err := strconv.Atoi(decimals)
		if err != nil {
			panic(fmt.Sprintf("mcp: decimals:%q is no number", decimals))
		}
		scale := math.Pow10(digits)
		if rounded := math.Round(v.Float()*scale) / scale; !math.IsInf(rounded, 0) {
			v.SetFloat(rounded + 0) // and no negative zero
		}
	case reflect.Pointer:
		if !v.IsNil() {
			round(v.Elem(), decimals)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			round(v.Index(i), decimals)
		}
	default:
		panic(fmt.Sprintf("mcp: decimals:%q of a %s", decimals, v.Type()))
	}
}
