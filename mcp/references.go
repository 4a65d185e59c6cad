package mcp

import (
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/chemigram/chemigram"
)

// references are the places where structs are described, by type. An agent has all
// schemas of a list in its context, so that a struct of several tools is described
// by one of them, and the others refer to that one. A nil map leaves out nothing.
type references map[reflect.Type]string

// describers are the tools that describe a struct for all others, and what the others
// call the place.
var describers = []struct {
	describes   reflect.Type
	tool, place string
}{
	{reflect.TypeFor[chemigram.Mask](), "apply_primitive", "apply_primitive's mask"},
	{reflect.TypeFor[chemigram.State](), "get_state", "get_state"},
	{reflect.TypeFor[chemigram.LogEntry](), "log", "log"},
	{reflect.TypeFor[chemigram.LabStats](), "image_stats", "image_stats"},
}

// referencesFor returns what a tool can refer to in a list of tools.
func referencesFor(tool string, list []Tool) references {
	refs := references{}
	for _, d := range describers {
		if d.tool != tool && slices.ContainsFunc(list, func(t Tool) bool { return t.Name() == d.tool }) {
			refs[d.describes] = d.place
		}
	}
	return refs
}

// lookup returns where the type of a property is described: a struct, a list of
// structs, or an optional argument. It returns "" when nothing else describes it.
func (refs references) lookup(t reflect.Type, input bool) string {
	if t.Kind() == reflect.Slice || input && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return refs[t]
}

// refer makes the schema of a property refer to the place where its struct is
// described. Of an argument the outermost properties stay.
func refer(property *jsonschema.Schema, t reflect.Type, place string, input bool) {
	if property.Description != "" {
		property.Description += " "
	}
	if t.Kind() == reflect.Slice {
		property.Description += "Each as in " + place + "."
		property.Items = &jsonschema.Schema{Type: "object"}
		return
	}
	property.Description += "As in " + place + "."
	if !input {
		*property = jsonschema.Schema{Type: "object", Description: property.Description}
		return
	}
	for _, part := range property.Properties {
		if part.Items != nil {
			part.Items = &jsonschema.Schema{Type: part.Items.Type}
		}
	}
}
