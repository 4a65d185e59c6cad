package mcp

import (
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/chemigram/chemigram"
)

// references are the places where structs of arguments are described, by type. An agent
// has the arguments of all tools of a list in its context, so that a struct of several
// tools is described by one of them, and the others refer to that one. A nil map leaves
// out nothing. What a time limit limits is said by one tool; the name says it, too.
type references map[reflect.Type]string

// describers are the tools that describe a struct for all others, and what the others
// call the place.
var describers = []struct {
	describes   reflect.Type
	tool, place string
}{
	{reflect.TypeFor[chemigram.Mask](), "apply_primitive", "apply_primitive's mask"},
	{reflect.TypeFor[chemigram.Region](), "render_preview", "render_preview's region"},
}

// referencesFor returns what a tool can refer to in a list of tools.
func referencesFor(tool string, list []Tool) references {
	refs := references{}
	for _, d := range describers {
		if d.tool != tool && slices.ContainsFunc(list, func(t Tool) bool { return t.Name() == d.tool }) {
			refs[d.describes] = d.place
		}
	}
	if i := slices.IndexFunc(list, limitsTime); i >= 0 && list[i].Name() != tool {
		refs[timeLimit] = list[i].Name()
	}
	return refs
}

// timeLimit is the type of the arguments that limit darktable's time, and timeLimitText
// what most of them say.
var timeLimit = reflect.TypeFor[chemigram.TimeoutSeconds]()

const timeLimitText = "Limits darktable's time."

// limitsTime reports whether a tool has a time limit that says what all do.
func limitsTime(t Tool) bool {
	field, ok := t.params.FieldByName("TimeoutSeconds")
	return ok && field.Type == timeLimit && docs.Fields[t.params.Name()+".TimeoutSeconds"] == timeLimitText
}

// lookup returns where the struct of an argument is described, or "" when nothing else
// describes it.
func (refs references) lookup(t reflect.Type) string { return refs[elementType(t)] }

// refer makes the schema of an argument refer to the place where its struct is
// described. The rules of its fields stay; those of what its lists hold are told there.
// Arguments are checked by all of them.
func refer(property *jsonschema.Schema, place string) {
	for _, field := range structSchema(property).Properties {
		if field.Items != nil && field.Items.Properties != nil {
			field.Items = &jsonschema.Schema{Type: "object"}
		}
	}
	property.Description = strings.TrimSpace(property.Description + " As in " + place + ".")
}
