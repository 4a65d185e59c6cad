package mcp

import (
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/chemigram/chemigram"
)

// toldBy says where structs are described. An agent carries all schemas in its
// context, so that what several tools take or give is described by one of them.
// A nil toldBy leaves nothing out.
type toldBy map[reflect.Type]string

// tellers are the tools that describe a struct for all others.
var tellers = []struct {
	of          reflect.Type
	tool, where string
}{
	{reflect.TypeFor[chemigram.Mask](), "apply_primitive", "apply_primitive's mask"},
	{reflect.TypeFor[chemigram.State](), "get_state", "get_state"},
	{reflect.TypeFor[chemigram.LogEntry](), "log", "log"},
	{reflect.TypeFor[chemigram.LabStats](), "image_stats", "image_stats"},
}

// toldTo gives what a tool need not describe beside the tools that are offered.
func toldTo(tool string, offered []Tool) toldBy {
	told := toldBy{}
	for _, teller := range tellers {
		if teller.tool != tool && slices.ContainsFunc(offered, func(t Tool) bool { return t.Name() == teller.tool }) {
			told[teller.of] = teller.where
		}
	}
	return told
}

// of finds where a property of a type is described: a struct, a list of such, or
// an argument that may be absent.
func (told toldBy) of(t reflect.Type, input bool) string {
	if t.Kind() == reflect.Slice || input && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return told[t]
}

// refer describes a property by where its struct is described. Of arguments the
// uppermost form stays.
func refer(property *jsonschema.Schema, t reflect.Type, where string, input bool) {
	if property.Description != "" {
		property.Description += " "
	}
	if t.Kind() == reflect.Slice {
		property.Description += "Each as in " + where + "."
		property.Items = &jsonschema.Schema{Type: "object"}
		return
	}
	property.Description += "As in " + where + "."
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
