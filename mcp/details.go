package mcp

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/chemigram/chemigram"
)

// errorDetail is what the details of a failure can have under a key.
type errorDetail struct {
	key    string
	codes  []chemigram.Code // that have it; nil is all
	schema *jsonschema.Schema
}

// errorDetails are all details of failures; docs/mcp.md has the same by code.
var errorDetails = []errorDetail{
	{"violations", []chemigram.Code{chemigram.ErrInvalidInput, chemigram.ErrPermission}, &jsonschema.Schema{
		Type:        "array",
		Description: "All that is wrong: {pointer, expected, got}, at most 100; of permission_error, the words for what is missing.",
	}},
	{"violations_total", []chemigram.Code{chemigram.ErrInvalidInput}, number("How many there are, when there are more than 100.")},
	{"kind", []chemigram.Code{chemigram.ErrNotFound}, text("What there is not: image, primitive, mask, module, ref, proposal, file and the like.")},
	{"name", []chemigram.Code{chemigram.ErrNotFound}, text("The name that was given.")},
	{"suggestions", []chemigram.Code{chemigram.ErrNotFound}, texts("The nearest names that there are, best first; left out when none is near.")},
	{"reason", []chemigram.Code{chemigram.ErrDarktable, chemigram.ErrState}, text("Why, in a word for programs: missing, unsupported, failed, no_output, bad_output, timed_out, canceled, unknown_camera, unsupported_file, not_a_picture, damaged; disk_full; of a remote unreachable, unsuitable, denied, full or invalid.")},
	{"stderr", []chemigram.Code{chemigram.ErrDarktable}, text("The end of what darktable printed, at most 2,000 characters.")},
	{"exit_code", []chemigram.Code{chemigram.ErrDarktable}, number("darktable's exit status; -1 when it was not run or was ended by a signal.")},
	{"command", []chemigram.Code{chemigram.ErrDarktable}, text("The command line that was run; empty when there was none.")},
	{"path", []chemigram.Code{chemigram.ErrDarktable}, text("The darktable that is too old.")},
	{"version", []chemigram.Code{chemigram.ErrDarktable}, text("The version of a darktable that is too old.")},
	{"camera", []chemigram.Code{chemigram.ErrDarktable}, text("The camera that darktable does not know.")},
	{"known_to", []chemigram.Code{chemigram.ErrDarktable}, text("A release of darktable that knows the camera; empty when none is known.")},
	{"remote", []chemigram.Code{chemigram.ErrVersioning, chemigram.ErrState}, text("The remote concerned.")},
	{"winner", []chemigram.Code{chemigram.ErrVersioning}, text("The snapshot to which somebody else has moved the remote's branch.")},
	{"winner_actor", []chemigram.Code{chemigram.ErrVersioning}, text("Who has moved it.")},
	{"object", []chemigram.Code{chemigram.ErrVersioning}, text("What is damaged on the remote.")},
	{"next", []chemigram.Code{chemigram.ErrVersioning}, texts("The tools to call, in order.")},
	{"part", []chemigram.Code{chemigram.ErrMasking}, text("The part of the mask that is wrong, such as shapes[0].radius.")},
	{"file", []chemigram.Code{chemigram.ErrMasking}, text("The file of the mask that cannot be used.")},
	{"nothing_found", []chemigram.Code{chemigram.ErrMasking}, boolean("True when the region was looked for and is not in the picture.")},
	{"masker", []chemigram.Code{chemigram.ErrMasking}, text("The program that was asked for the mask.")},
	{"primitive", []chemigram.Code{chemigram.ErrMasking}, text("The move that no mask can limit.")},
	{"module", []chemigram.Code{chemigram.ErrMasking, chemigram.ErrState}, text("The module concerned.")},
	{"violation", []chemigram.Code{chemigram.ErrPermission}, text("What refuses: missing_confirm, missing_reason, missing_actor, declined, read_only, outside_roots or not_a_file.")},
	{"holder", []chemigram.Code{chemigram.ErrState}, text("Who holds the image's lock.")},
	{"suggested_image_id", []chemigram.Code{chemigram.ErrState}, text("An id that is free.")},
	{"foreign_code", []chemigram.Code{chemigram.ErrState}, text("The code that a program's own verb gave, which is none of the nine.")},
	{"incident", []chemigram.Code{chemigram.ErrState}, text("What the server's log has an internal error under.")},
	{"capability", []chemigram.Code{chemigram.ErrNotImplemented}, text("What is lacking.")},
	{"requires", []chemigram.Code{chemigram.ErrNotImplemented}, text("What has it, such as a release of darktable.")},
	{"outcomes", nil, &jsonschema.Schema{
		Type: "array", Description: "With all_or_nothing, what became of each target.", Items: &jsonschema.Schema{Type: "object"},
	}},
}

func text(says string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: says}
}

func texts(says string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Description: says, Items: &jsonschema.Schema{Type: "string"}}
}

func number(says string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Description: says}
}

func boolean(says string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "boolean", Description: says}
}

// detailsSchema is the schema of the details of any failure.
func detailsSchema() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, d := range errorDetails {
		property := *d.schema
		property.Description = codesOf(d) + ": " + property.Description
		s.Properties[d.key] = &property
		s.PropertyOrder = append(s.PropertyOrder, d.key)
	}
	return s
}

// codesOf are the codes that have a detail, in words.
func codesOf(d errorDetail) string {
	if d.codes == nil {
		return "Any code"
	}
	var words []string
	for _, code := range d.codes {
		words = append(words, string(code))
	}
	return strings.Join(words, ", ")
}
