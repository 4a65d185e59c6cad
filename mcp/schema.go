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

// inputSchema makes the schema that a verb's arguments are held to. What is told
// elsewhere is left out of its words, and of none of its rules.
func inputSchema(params reflect.Type, told toldBy) *jsonschema.Schema {
	s := schemaFor(params)
	noNull(s)
	decorator{input: true, told: told}.decorate(s, params)
	return s
}

// outputSchema makes the schema of the envelope of a verb's result. Only
// success is required: strict clients hold failures to the schema, too. The
// error, which is the same for all, is described in the instructions.
func outputSchema(result reflect.Type, told toldBy) *jsonschema.Schema {
	data := schemaFor(result)
	nullsOfResult(data)
	decorator{told: told, whole: told == nil}.decorate(data, result)
	return &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"success": {Type: "boolean"},
			"data":    orNull(data),
			"error":   orNull(&jsonschema.Schema{Type: "object"}),
		},
		PropertyOrder: []string{"success", "data", "error"},
		Required:      []string{"success"},
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

// rules say what may be said with the types that parameters share.
var rules = chemigram.Rules()

// sharedWords are the schemas of the types that parameters share, made from
// the engine's rules.
var sharedWords = func() map[reflect.Type]*jsonschema.Schema {
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

// noNull takes "or null" from a schema of arguments: an argument that is null
// counts as absent.
func noNull(s *jsonschema.Schema) { eachSchema(s, dropNull) }

// nullsOfResult takes "or null" from lists, which are never null in a result,
// and gives pointers the form that every client understands.
func nullsOfResult(data *jsonschema.Schema) {
	eachSchema(data, func(s *jsonschema.Schema) {
		for name, property := range s.Properties {
			if len(property.Types) > 1 && !slices.Contains(property.Types, "array") {
				dropNull(property)
				s.Properties[name] = orNull(property)
			}
		}
		dropNull(s)
		if s.Properties != nil {
			s.AdditionalProperties = nil
		}
		s.Required = nil // for brevity: results leave out no field
		// The rules are for arguments: a text of a result may be empty.
		s.Pattern, s.Minimum, s.Maximum = "", nil, nil
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

// A decorator adds to the properties of a struct what its Go type says beside
// its form: descriptions, rules in words, defaults.
type decorator struct {
	input bool
	// told says where structs are described already.
	told toldBy
	// whole keeps descriptions that say little.
	whole bool
	// nested is set within the structs of a result.
	nested bool
}

func (d decorator) decorate(s *jsonschema.Schema, t reflect.Type) {
	s = object(s)
	if t = elem(t); t.Kind() != reflect.Struct || s == nil {
		return
	}
	d.told = maps.Clone(d.told)
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := s.Properties[name]
		if property == nil {
			continue
		}
		if property.Description == "" && isEngineType(t) {
			property.Description = manual.Fields[t.Name()+"."+field.Name]
		}
		if !d.input && !d.whole && d.saysLittle(property.Description) {
			property.Description = ""
		}
		if d.input {
			decorateArgument(property, field)
		}
		inner := field.Type
		if where := d.told.of(inner, d.input); where != "" {
			refer(property, inner, where, d.input)
			continue
		}
		if d.told != nil && !d.input && inner.Kind() == reflect.Struct {
			d.told[inner] = name // for its siblings of the same form
		}
		deeper := d
		deeper.nested = !d.input
		deeper.decorate(property, inner)
	}
}

// saysLittle tells whether a description of a result's field says hardly more than
// the field's name does: "Name of the pack.", "The 95th percentile." It is short,
// and has no unit, no range and no word of when the value is empty. The deeper a
// field is, the more it has to say.
func (d decorator) saysLittle(description string) bool {
	words := len(strings.Fields(description))
	return (words < 8 || d.nested && words < 14) && !fact.MatchString(description)
}

// fact finds what cannot be guessed from a field's name, as pixels and seconds can.
var fact = regexp.MustCompile(`ΔE|\b(empty|negative|shares?|fraction|hash|ISO 8601|f-number|[01] to|-1)\b`)

// visible is what clients see of a schema of arguments: not the patterns, which
// tell nothing to an agent that takes ids and refs from answers, and come with
// each tool.
func visible(input *jsonschema.Schema) *jsonschema.Schema {
	out := input.CloneSchemas()
	eachSchema(out, func(s *jsonschema.Schema) { s.Pattern, s.MinLength = "", nil })
	return out
}

// decorateArgument adds the default, and the rule of the type.
func decorateArgument(property *jsonschema.Schema, field reflect.StructField) {
	value := field.Tag.Get("default")
	property.Default = defaultJSON(property, value)
	optional := strings.Contains(field.Tag.Get("json"), ",omit")
	if property.Type == "string" && property.Pattern == "" && !optional {
		property.MinLength = new(1)
	}
	property.Description = withRule(property.Description, field.Type)
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

// withRule adds to a field's description its type's rule in words, where the
// description does not say it. What an id looks like goes without words, as agents
// take ids from answers, and so do the words of an enum and a default, which are
// in the schema.
func withRule(description string, t reflect.Type) string {
	rule, ok := rules[elem(t)]
	if ok && rule.Enum == nil && !slices.Contains(ids, elem(t)) && !strings.Contains(description, rule.Says) {
		description += " " + strings.ToUpper(rule.Says[:1]) + rule.Says[1:] + "."
	}
	return strings.TrimSpace(description)
}

var ids = []reflect.Type{reflect.TypeFor[chemigram.ImageID](), reflect.TypeFor[chemigram.ProposalID]()}
