package mcp

import (
	"cmp"
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
// required, as strict clients validate failures, too. A struct that is in several
// places is in $defs once. whole describes the details of errors, too, which a list of
// tools has no room for.
func outputSchema(result reflect.Type, whole bool) *jsonschema.Schema {
	data := schemaFor(result)
	simplifyResult(data)
	decorator{}.decorate(data, result)
	return &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"success": {Type: "boolean"},
			"data":    nullable(data),
			"error":   nullable(errorSchema(whole)),
		},
		PropertyOrder: []string{"success", "data", "error"},
		Required:      []string{"success"},
		Defs:          shareStructs(data, result),
	}
}

// errorSchema is the schema of a failure; whole describes its details.
func errorSchema(whole bool) *jsonschema.Schema {
	details := &jsonschema.Schema{Type: "object"}
	if whole {
		details = detailsSchema()
	}
	return &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"code": codeSchema(), "message": {Type: "string"}, "details": details, "recoverable": {Type: "boolean"},
		},
		PropertyOrder: []string{"code", "message", "details", "recoverable"},
		Required:      []string{"code", "message", "details", "recoverable"},
	}
}

// codeSchema lists the codes of the engine's errors.
func codeSchema() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, code := range chemigram.Codes() {
		s.Enum = append(s.Enum, string(code))
	}
	return s
}

// shareStructs moves the structs that a schema has in several places into definitions,
// which it returns, and leaves references to them.
func shareStructs(s *jsonschema.Schema, t reflect.Type) map[string]*jsonschema.Schema {
	places := map[reflect.Type][]*jsonschema.Schema{}
	eachStruct(s, t, func(s *jsonschema.Schema, t reflect.Type) { places[t] = append(places[t], s) })
	maps.DeleteFunc(places, func(_ reflect.Type, list []*jsonschema.Schema) bool { return len(list) < 2 })
	if len(places) == 0 {
		return nil
	}
	defs := map[string]*jsonschema.Schema{}
	byName := func(a, b reflect.Type) int { return cmp.Compare(a.String(), b.String()) }
	for _, t := range slices.SortedFunc(maps.Keys(places), byName) {
		name := notInNames.ReplaceAllString(t.Name(), "_")
		for defs[name] != nil {
			name += "_"
		}
		shared := *places[t][0]
		shared.Description = ""
		defs[name] = &shared
		for _, place := range places[t] {
			*place = jsonschema.Schema{Ref: "#/$defs/" + name, Description: place.Description}
		}
	}
	return defs
}

// notInNames matches what a reference to a definition does not have in its name.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// eachStruct calls f with the schemas of the structs in a result, innermost first.
func eachStruct(s *jsonschema.Schema, t reflect.Type, f func(*jsonschema.Schema, reflect.Type)) {
	s, t = structSchema(s), elementType(t)
	if t.Kind() != reflect.Struct || s == nil || s.Properties == nil {
		return
	}
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if property := s.Properties[name]; property != nil {
			eachStruct(property, field.Type, f)
		}
	}
	f(s, t)
}

// schemaFor returns the schema of a struct, without descriptions.
func schemaFor(t reflect.Type) *jsonschema.Schema {
	schemas := maps.Clone(sharedSchemas)
	ownSchemas(t, schemas, map[reflect.Type]bool{})
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: schemas})
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
		schemas[t] = ruleSchema(t, rule)
	}
	return schemas
}()

// simplifyResult removes from the schema of a result what holds for arguments alone,
// and "or null" from its lists, which are never null. Other values that may be null get
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
	// refs are the places where arguments' structs are described already.
	refs references
}

// decorate decorates the schema s of a struct t, or of a list, map or pointer of one.
func (d decorator) decorate(s *jsonschema.Schema, t reflect.Type) {
	s = structSchema(s)
	if t = elementType(t); t.Kind() != reflect.Struct || s == nil {
		return
	}
	told := map[string]bool{} // rules
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := s.Properties[name]
		if property == nil {
			continue
		}
		if owner := ownerOf(t, field); property.Description == "" && hasDocs(owner) {
			property.Description = docs.Fields[owner.Name()+"."+field.Name]
		}
		if d.input {
			decorateArgument(property, field, told)
		}
		switch place := d.refs.lookup(field.Type); {
		case place == "":
			d.decorate(property, field.Type)
		case field.Type != timeLimit:
			refer(property, place)
		case property.Description == timeLimitText:
			property.Description = ""
		}
	}
}

// ownerOf is the struct that declares a field of t: t itself, or one embedded in it.
func ownerOf(t reflect.Type, field reflect.StructField) reflect.Type {
	if len(field.Index) == 1 {
		return t
	}
	return elementType(t.FieldByIndex(field.Index[:len(field.Index)-1]).Type)
}

// decorateArgument adds the default of an argument, and its rule if that is not told yet.
func decorateArgument(property *jsonschema.Schema, field reflect.StructField, told map[string]bool) {
	value := field.Tag.Get("default")
	property.Default = defaultJSON(property, value)
	optional := strings.Contains(field.Tag.Get("json"), ",omit")
	if property.Type == "string" && property.Pattern == "" && property.Enum == nil && !optional {
		property.MinLength = new(1)
	}
	property.Description = withRule(property.Description, field.Type, told)
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

// withRule adds the rule of a text to its description, unless it is told already. Left
// out are the rules of ids and refs, and what the schema says in
// a word: enums, ranges and defaults.
func withRule(description string, t reflect.Type, told map[string]bool) string {
	t = elementType(t)
	rule, ok := ruleOf(t)
	if ok && rule.Pattern != "" && rule.Says != "" && !slices.Contains(idTypes, t) && !told[rule.Says] && !strings.Contains(description, rule.Says) {
		told[rule.Says] = true
		description += " " + strings.ToUpper(rule.Says[:1]) + rule.Says[1:] + "."
	}
	return strings.TrimSpace(description)
}

// idTypes are the types of ids and of refs, which the instructions explain.
var idTypes = []reflect.Type{
	reflect.TypeFor[chemigram.ImageID](), reflect.TypeFor[chemigram.ProposalID](), reflect.TypeFor[chemigram.RefOrHash](),
}
