package mcp

import (
	"encoding"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/chemigram/chemigram"
)

// Ruled is a type of parameters that says itself what may be said with it: an
// embedding program's own enum, range or pattern. The method is called on the type's
// zero value.
//
//	type Mood string
//
//	func (Mood) Rule() chemigram.Rule { return chemigram.Rule{Enum: []string{"sunny", "overcast"}} }
type Ruled interface{ Rule() chemigram.Rule }

// ruleOf is the rule of a type: one of the engine's, or the type's own.
func ruleOf(t reflect.Type) (chemigram.Rule, bool) {
	if rule, ok := rules[t]; ok {
		return rule, true
	}
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer || !t.Implements(reflect.TypeFor[Ruled]()) {
		return chemigram.Rule{}, false
	}
	rule := reflect.Zero(t).Interface().(Ruled).Rule()
	if rule.Pattern != "" && rule.Says != "" {
		ownSays.Store(rule.Pattern, rule.Says)
	}
	return rule, true
}

// ownSays are the rules in words of programs' own types, by pattern.
var ownSays sync.Map

// saysOf is the rule in words that has a pattern.
func saysOf(pattern string) string {
	for _, rule := range rules {
		if rule.Pattern == pattern {
			return rule.Says
		}
	}
	if says, ok := ownSays.Load(pattern); ok {
		return says.(string)
	}
	return "a text that matches " + pattern
}

// knownTypes are types with an encoding of their own that schemas are made of right.
var knownTypes = []reflect.Type{
	reflect.TypeFor[time.Time](), reflect.TypeFor[slog.Level](), reflect.TypeFor[big.Int](), reflect.TypeFor[big.Rat](), reflect.TypeFor[big.Float](),
}

// ownSchemas adds the schemas of the types in t whose JSON is not what their kind lets
// expect, and of those with a rule. Its panics are about a program's own types.
func ownSchemas(t reflect.Type, schemas map[reflect.Type]*jsonschema.Schema, seen map[reflect.Type]bool) {
	if seen[t] || schemas[t] != nil || slices.Contains(knownTypes, t) {
		return
	}
	seen[t] = true
	if s := encodedSchema(t); s != nil {
		schemas[t] = s
		return
	}
	if rule, ok := ruleOf(t); ok {
		schemas[t] = ruleSchema(t, rule)
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		ownSchemas(t.Elem(), schemas, seen)
	case reflect.Struct:
		for field := range t.Fields() {
			checkField(t, field)
			ownSchemas(field.Type, schemas, seen)
		}
	default:
	}
}

// encodedSchema is the schema of a type that has an encoding of its own, or nil.
func encodedSchema(t reflect.Type) *jsonschema.Schema {
	switch {
	case t == reflect.TypeFor[json.Number]():
		return &jsonschema.Schema{Type: "number"}
	case t.Kind() == reflect.Interface:
		return &jsonschema.Schema{} // anything
	case hasMethods[json.Marshaler](t) || hasMethods[json.Unmarshaler](t):
		return &jsonschema.Schema{} // the program alone knows
	case hasMethods[encoding.TextMarshaler](t) || hasMethods[encoding.TextUnmarshaler](t):
		return &jsonschema.Schema{Type: "string"}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
	}
	return nil
}

// hasMethods reports whether a type, or a pointer to it, has the methods of an
// interface.
func hasMethods[I any](t reflect.Type) bool {
	methods := reflect.TypeFor[I]()
	return t.Kind() != reflect.Pointer && (t.Implements(methods) || reflect.PointerTo(t).Implements(methods))
}

// checkField panics for a field whose JSON no schema is made of.
func checkField(t reflect.Type, field reflect.StructField) {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	if field.Anonymous && name != "" && name != "-" {
		panic(fmt.Sprintf("mcp: %s embeds %s under the name %s: give it a field's name", t, field.Type, name))
	}
	if slices.Contains(strings.Split(options, ","), "string") {
		panic(fmt.Sprintf("mcp: %s has %s as a number in a text: make it a text or a number", t, name))
	}
}

// ruleSchema is the schema of a type with a rule.
func ruleSchema(t reflect.Type, rule chemigram.Rule) *jsonschema.Schema {
	s := &jsonschema.Schema{Minimum: rule.Minimum, Maximum: rule.Maximum, Pattern: rule.Pattern}
	switch t.Kind() {
	case reflect.String:
		s.Type = "string"
	case reflect.Float32, reflect.Float64:
		s.Type = "number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		s.Type = "integer"
	default:
		panic(fmt.Sprintf("mcp: %s has a rule, and is neither a text nor a number", t))
	}
	for _, word := range rule.Enum {
		if s.Type == "string" {
			s.Enum = append(s.Enum, word)
		} else {
			s.Enum = append(s.Enum, json.Number(word))
		}
	}
	return s
}
