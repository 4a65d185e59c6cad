package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/chemigram/chemigram"
)

// inputSchema returns the schema of a verb's arguments. References replace
// descriptions, and none of the rules.
func inputSchema(params reflect.Type, refs references) *jsonschema.Schema {
	s := schemaFor(params)
	eachSchema(s, dropNull) // an argument that is null counts as absent
	decorator{input: true, refs: refs}.decorate(s, params)
	return s
}

// outputSchema returns the schema of the envelope of a verb's result. Only success is
// required, as strict clients validate failures, too. The error, which is the same for
// all tools, is described in the instructions.
func outputSchema(result reflect.Type, refs references) *jsonschema.Schema {
	data := schemaFor(result)
	simplifyResult(data)
	decorator{refs: refs, complete: refs == nil}.decorate(data, result)
	return &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"success": {Type: "boolean"},
			"data":    nullable(data),
			"error":   nullable(&jsonschema.Schema{Type: "object"}),
		},
		PropertyOrder: []string{"success", "data", "error"},
		Required:      []string{"success"},
	}
}

// schemaFor returns the schema of a struct, without descriptions.
func schemaFor(t reflect.Type) *jsonschema.Schema {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: sharedSchemas})
	if err != nil {
		panic(fmt.Sprintf("mcp: no schema of %s: %v", t, err))
	}
	if s.Type != "object" {
		panic(fmt.Sprintf("mcp: %s is not a struct", t))
	}
	return s
}

// rules are the engine's rules for the types that parameters share.
var rules = chemigram.Rules()

// sharedSchemas are the schemas of the types that parameters share, made from rules.
var sharedSchemas = func() map[reflect.Type]*jsonschema.Schema {
	schemas := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[chemigram.Details](): {Type: "object"},
	}
	for t, rule := range rules {
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

// simplifyResult removes from the schema of a result what only arguments need, and
// "or null" from its lists, which are never null. Other values that may be null get
// the form that every client understands.
func simplifyResult(data *jsonschema.Schema) {
	eachSchema(data, func(s *jsonschema.Schema) {
		for name, property := range s.Properties {
			if len(property.Types) > 1 && !slices.Contains(property.Types, "array") {
				dropNull(property)
				s.Properties[name] = nullable(property)
			}
		}
		dropNull(s)
		if s.Properties != nil {
			s.AdditionalProperties = nil
		}
		s.Required = nil // for brevity: results have all fields
		// The rules are for arguments: a string in a result may be empty.
		s.Pattern, s.Minimum, s.Maximum = "", nil, nil
	})
}

// dropNull removes "or null" from the types of a schema.
func dropNull(s *jsonschema.Schema) {
	kinds := slices.DeleteFunc(slices.Clone(s.Types), func(kind string) bool { return kind == "null" })
	if len(kinds) == 1 {
		s.Type, s.Types = kinds[0], nil
	}
}

// nullable returns the schema "s or null".
func nullable(s *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
}

// eachSchema calls f with a schema and all that it contains, outermost first.
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

// A decorator adds descriptions and defaults to the properties of a struct's schema.
type decorator struct {
	input bool
	// refs are the places where structs are described already.
	refs references
	// complete keeps descriptions that add little to a field's name.
	complete bool
	// nested is set within the structs of a result.
	nested bool
}

// decorate decorates the schema s of a struct t, or of a list, map or pointer of one.
func (d decorator) decorate(s *jsonschema.Schema, t reflect.Type) {
	s = structSchema(s)
	if t = elementType(t); t.Kind() != reflect.Struct || s == nil {
		return
	}
	d.refs = maps.Clone(d.refs)
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := s.Properties[name]
		if property == nil {
			continue
		}
		if property.Description == "" && hasDocs(t) {
			property.Description = docs.Fields[t.Name()+"."+field.Name]
		}
		if !d.input && !d.complete && d.addsLittle(property.Description) {
			property.Description = ""
		}
		if d.input {
			decorateArgument(property, field)
		}
		inner := field.Type
		if place := d.refs.lookup(inner, d.input); place != "" {
			refer(property, inner, place, d.input)
			continue
		}
		if d.refs != nil && !d.input && inner.Kind() == reflect.Struct {
			d.refs[inner] = name // for other fields of this type beside it
		}
		deeper := d
		deeper.nested = !d.input
		deeper.decorate(property, inner)
	}
}

// addsLittle reports whether the description of a result's field adds little to the
// field's name: "Name of the pack.", "The 95th percentile." Such a description is
// short, and names no unit, no range and no condition under which the value is empty.
// Of nested fields, only longer ones are kept.
func (d decorator) addsLittle(description string) bool {
	words := len(strings.Fields(description))
	return (words < 8 || d.nested && words < 14) && !informative.MatchString(description)
}

// informative matches what cannot be guessed from a field's name.
var informative = regexp.MustCompile(`ΔE|\b(empty|negative|shares?|fraction|hash|ISO 8601|f-number|[01] to|-1)\b`)

// clientSchema is the input schema in the list of tools. It lacks the patterns: they
// would be repeated in each tool, and agents take ids and refs from answers.
func clientSchema(input *jsonschema.Schema) *jsonschema.Schema {
	out := input.CloneSchemas()
	eachSchema(out, func(s *jsonschema.Schema) { s.Pattern, s.MinLength = "", nil })
	return out
}

// decorateArgument adds the default and the rule of an argument.
func decorateArgument(property *jsonschema.Schema, field reflect.StructField) {
	value := field.Tag.Get("default")
	property.Default = defaultJSON(property, value)
	optional := strings.Contains(field.Tag.Get("json"), ",omit")
	if property.Type == "string" && property.Pattern == "" && !optional {
		property.MinLength = new(1)
	}
	property.Description = withRule(property.Description, field.Type)
}

// structSchema finds the schema of the struct in a schema: of a list, of a map, or of
// a value that may be null.
func structSchema(s *jsonschema.Schema) *jsonschema.Schema {
	switch {
	case s == nil:
		return nil
	case s.AnyOf != nil:
		return structSchema(s.AnyOf[0])
	case s.Items != nil:
		return structSchema(s.Items)
	case s.Properties == nil && s.AdditionalProperties != nil:
		return structSchema(s.AdditionalProperties)
	}
	return s
}

// elementType is the type in pointers, lists and maps.
func elementType(t reflect.Type) reflect.Type {
	for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map}, t.Kind()) {
		t = t.Elem()
	}
	return t
}

// defaultJSON encodes a default tag for a schema.
func defaultJSON(s *jsonschema.Schema, value string) json.RawMessage {
	switch {
	case value == "":
		return nil
	case s.Type == "string":
		return json.RawMessage(fmt.Sprintf("%q", value))
	}
	return json.RawMessage(value)
}

// withRule adds the rule of a field's type to its description, unless it is there
// already. Left out are the rules of ids, which agents take from answers, and enums and
// defaults, which are in the schema.
func withRule(description string, t reflect.Type) string {
	rule, ok := rules[elementType(t)]
	if ok && rule.Enum == nil && !slices.Contains(idTypes, elementType(t)) && !strings.Contains(description, rule.Says) {
		description += " " + strings.ToUpper(rule.Says[:1]) + rule.Says[1:] + "."
	}
	return strings.TrimSpace(description)
}

// idTypes are the types of ids.
var idTypes = []reflect.Type{reflect.TypeFor[chemigram.ImageID](), reflect.TypeFor[chemigram.ProposalID]()}
