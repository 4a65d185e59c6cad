package mcp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/chemigram/chemigram"
)

// inputSchema makes the schema of a verb's parameters.
func inputSchema(params reflect.Type) *jsonschema.Schema {
	s := schemaFor(params)
	noNull(s)
	decorate(s, params, true)
	return s
}

// outputSchema makes the schema of the envelope of a verb's result. Only
// success is required: strict clients hold failures to the schema, too.
func outputSchema(result reflect.Type) *jsonschema.Schema {
	data := schemaFor(result)
	nullsOfResult(data)
	decorate(data, result, false)
	fault := schemaFor(reflect.TypeFor[failure]())
	decorate(fault, reflect.TypeFor[failure](), false)
	return &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"success": {Type: "boolean"},
			"data":    orNull(data),
			"error":   orNull(fault),
		},
		PropertyOrder:        []string{"success", "data", "error"},
		Required:             []string{"success"},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
}

func schemaFor(t reflect.Type) *jsonschema.Schema {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: sharedWords})
	if err != nil {
		panic(fmt.Sprintf("mcp: no schema of %s: %v", t, err))
	}
	if s.Type != "object" {
		panic(fmt.Sprintf("mcp: %s is not a struct", t))
	}
	return s
}

// sharedWords are the schemas of the types that parameters share, made from
// the engine's rules.
var sharedWords = func() map[reflect.Type]*jsonschema.Schema {
	schemas := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[chemigram.Details](): {Type: "object"},
	}
	for t, rule := range chemigram.Rules() {
		s := &jsonschema.Schema{Minimum: rule.Minimum, Maximum: rule.Maximum, Pattern: rule.Pattern}
		switch kind := t.Kind(); kind {
		case reflect.String:
			s.Type = "string"
		case reflect.Float32, reflect.Float64:
			s.Type = "number"
		default:
			s.Type = "integer"
		}
		for _, word := range rule.Enum {
			if s.Type == "string" {
				s.Enum = append(s.Enum, word)
			} else {
				s.Enum = append(s.Enum, json.Number(word))
			}
		}
		schemas[t] = s
	}
	return schemas
}()

// noNull takes "or null" from a schema of arguments: an argument that is null
// counts as absent.
func noNull(s *jsonschema.Schema) { eachSchema(s, dropNull) }

// nullsOfResult takes "or null" from lists, which are never null in a result,
// and gives pointers the form that every client understands.
func nullsOfResult(s *jsonschema.Schema) {
	eachSchema(s, func(s *jsonschema.Schema) {
		for name, property := range s.Properties {
			if len(property.Types) > 1 && !slices.Contains(property.Types, "array") {
				dropNull(property)
				s.Properties[name] = orNull(property)
			}
		}
		dropNull(s)
	})
}

func dropNull(s *jsonschema.Schema) {
	kinds := slices.DeleteFunc(slices.Clone(s.Types), func(kind string) bool { return kind == "null" })
	if len(kinds) == 1 {
		s.Type, s.Types = kinds[0], nil
	}
}

func orNull(s *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
}

// eachSchema calls f with a schema and all that are in it, outermost first.
func eachSchema(s *jsonschema.Schema, f func(*jsonschema.Schema)) {
	if s == nil {
		return
	}
	f(s)
	for _, property := range s.Properties {
		eachSchema(property, f)
	}
	for _, option := range s.AnyOf {
		eachSchema(option, f)
	}
	eachSchema(s.Items, f)
	eachSchema(s.AdditionalProperties, f)
}

// decorate adds to the properties of a struct what its Go type says beside its
// form: the description, and the default.
func decorate(s *jsonschema.Schema, t reflect.Type, input bool) {
	s = object(s)
	if t = elem(t); t.Kind() != reflect.Struct || s == nil {
		return
	}
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := s.Properties[name]
		if property == nil {
			continue
		}
		value := field.Tag.Get("default")
		if input {
			property.Default = defaultJSON(property, value)
			if property.Type == "string" && property.Pattern == "" && !strings.Contains(options, "omit") {
				property.MinLength = jsonschema.Ptr(1)
			}
		}
		if property.Description == "" && isEngineType(t) {
			property.Description = manual.Fields[t.Name()+"."+field.Name]
		}
		if input {
			property.Description = withRule(property.Description, field.Type, value)
		}
		decorate(property, field.Type, input)
	}
}

// object finds the schema of the struct in a schema: in a list, in a map, or
// one that may be null.
func object(s *jsonschema.Schema) *jsonschema.Schema {
	switch {
	case s == nil:
		return nil
	case s.AnyOf != nil:
		return object(s.AnyOf[0])
	case s.Items != nil:
		return object(s.Items)
	case s.Properties == nil && s.AdditionalProperties != nil:
		return object(s.AdditionalProperties)
	}
	return s
}

func elem(t reflect.Type) reflect.Type {
	for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map}, t.Kind()) {
		t = t.Elem()
	}
	return t
}

func defaultJSON(s *jsonschema.Schema, value string) json.RawMessage {
	switch {
	case value == "":
		return nil
	case s.Type == "string":
		return json.RawMessage(fmt.Sprintf("%q", value))
	}
	return json.RawMessage(value)
}

// withRule adds to a field's description its type's rule in words, and the
// default, where the description does not say them.
func withRule(description string, t reflect.Type, value string) string {
	if rule, ok := chemigram.Rules()[elem(t)]; ok && !saysAll(description, rule) {
		description += " " + strings.ToUpper(rule.Says[:1]) + rule.Says[1:] + "."
	}
	if value != "" && !strings.Contains(description, "Default:") {
		description += " Default: " + value + "."
	}
	return strings.TrimSpace(description)
}

// saysAll tells whether a description has the rule's words already.
func saysAll(description string, rule chemigram.Rule) bool {
	if rule.Enum == nil {
		return strings.Contains(description, rule.Says)
	}
	for _, word := range rule.Enum {
		if !strings.Contains(description, word) {
			return false
		}
	}
	return true
}
