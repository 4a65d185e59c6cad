package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

// sharedWords are the words of arguments that are said of several things, and why they
// may be.
var sharedWords = map[string]string{
	"match":     "what a mask's parts have to do; what match_series brings together",
	"moves":     "what a variant or a region gets, with values; by name, what match_reference may use",
	"reference": "an image; of match_reference also the path of a picture, or the camera's",
	"label":     "the caller's own words for something; a mask's is part of what darktable shows, and short",
	"points":    "places in the picture; those on a region to find may be off it, too, and are objects for that",
	"radius":    "a fraction of the shorter side; a drawn shape may be larger than the picture",
	"softness":  "how far beyond its edge something fades; of a range in the channel's numbers",
	"x":         "0 left, 1 right; a drawn shape may lie beyond the picture",
	"y":         "0 top, 1 bottom; a drawn shape may lie beyond the picture",
}

// sharedResults are the words that are of several types in results, or of another one
// there than in arguments, and why they may be.
var sharedResults = map[string]string{
	"applied":     "the moves that a call applied; with their values where it computed them",
	"calls":       "the calls of a session: a page of them, and in a summary their number",
	"changed":     "whether something changed; of a series, how many did",
	"darktable":   "the darktable concerned: its health, elsewhere its version",
	"default":     "the value when none is given: a number of a move, a text of a field",
	"detail":      "more of the same: asked for, and of a check what it says",
	"height":      "how high something is: a picture in pixels, a region as a share of it",
	"histogram":   "asked for, and given",
	"images":      "the images concerned: a page of them, their ids, and in a summary their number",
	"left_alone":  "what a match would harm: why, and of a series how many",
	"masks":       "the masks concerned: a page of them, and whether a verb or module has any",
	"mask":        "a mask; the list of moves has it as text",
	"neutral":     "the value that changes nothing: a number of a move, a text of a field",
	"packs":       "the packs that are loaded: their facts, and in a transcript their names",
	"ref":         "the full name of a ref; a snapshot of the log may have several",
	"says":        "words: of an answer, and of each taste in a conflict",
	"skipped":     "what was left out: how many, whether, and why",
	"state_after": "the look after a call; a transcript has its hash alone",
	"value":       "a value: a number of a move, a text of a field or a taste",
	"values":      "values: of a move by name or in a list, and an enum's constants",
	"width":       "how wide something is: a picture in pixels, a region as a share of it",
}

// word is one use of a word in the schemas of a tool.
type word struct{ name, means, at string }

// wordsOf lists the words of a schema, whose place is at.
func wordsOf(s *jsonschema.Schema, at string, means func(*jsonschema.Schema) string) []word {
	var out []word
	if s == nil {
		return nil
	}
	for name, property := range s.Properties {
		if len(property.AnyOf) > 0 {
			property = property.AnyOf[0]
		}
		out = append(out, word{name, means(property), at + "/" + name})
		out = append(out, wordsOf(property, at+"/"+name, means)...)
	}
	out = append(out, wordsOf(s.Items, at+"/[]", means)...)
	return append(out, wordsOf(s.AdditionalProperties, at+"/{}", means)...)
}

// typeOf is the type of a value.
func typeOf(s *jsonschema.Schema) string {
	kinds := slices.DeleteFunc(append(slices.Clone(s.Types), s.Type), func(kind string) bool { return kind == "" || kind == "null" })
	kind := strings.Join(kinds, ", ")
	switch {
	case s.Items != nil:
		return "list of " + typeOf(s.Items)
	case s.Properties == nil && s.AdditionalProperties != nil:
		return "map of " + typeOf(s.AdditionalProperties)
	}
	return kind
}

// rangeOf is the type of an argument with all that it may be.
func rangeOf(s *jsonschema.Schema) string {
	out := typeOf(s)
	if s.Minimum != nil {
		out += fmt.Sprintf(" from %g", *s.Minimum)
	}
	if s.Maximum != nil {
		out += fmt.Sprintf(" to %g", *s.Maximum)
	}
	if s.Enum != nil {
		out += fmt.Sprintf(" of %v", s.Enum)
	}
	return strings.TrimSpace(out + " " + s.Pattern)
}

// checkWords reports the words that mean several things without being on the list of
// those that may, and those on it that mean one.
func checkWords(t *testing.T, words []word, shared map[string]string) {
	t.Helper()
	meanings := map[string]map[string]string{} // and a place of each
	for _, w := range words {
		if meanings[w.name] == nil {
			meanings[w.name] = map[string]string{}
		}
		meanings[w.name][w.means] = w.at
	}
	for _, name := range slices.Sorted(maps.Keys(meanings)) {
		several := len(meanings[name]) > 1
		if several && shared[name] == "" {
			t.Errorf("%s means several things: %v", name, meanings[name])
		} else if !several && shared[name] != "" {
			t.Errorf("%s means one thing: it need not be on the list", name)
		}
	}
	for name := range shared {
		if meanings[name] == nil {
			t.Errorf("%s is no word of any tool", name)
		}
	}
}

// An argument's name means one thing, with one range, in all tools.
func TestAWordOfArgumentsMeansOneThing(t *testing.T) {
	t.Parallel()
	var words []word
	for _, tool := range EngineTools(nil) {
		words = append(words, wordsOf(tool.Definition().InputSchema.(*jsonschema.Schema), tool.Name(), rangeOf)...)
	}
	checkWords(t, words, sharedWords)
}

// A name has one type in all results, which is the one that it has in arguments.
func TestAWordHasOneType(t *testing.T) {
	t.Parallel()
	var words []word
	for _, tool := range EngineTools(nil) {
		words = append(words, wordsOf(schemaFor(tool.result), tool.Name()+" results", typeOf)...)
		for _, w := range wordsOf(tool.Definition().InputSchema.(*jsonschema.Schema), tool.Name(), typeOf) {
			if sharedWords[w.name] == "" {
				words = append(words, w)
			}
		}
	}
	checkWords(t, words, sharedResults)
}

// Arguments that were renamed are taken under their former names, and what is wrong with
// them is told under the name that was given.
func TestFormerNamesOfArguments(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{Width: 90, Height: 60}, chemigram.Options{}, &Options{Groups: Groups()})
	for _, c := range []struct{ tool, good, bad, pointer string }{
		{"export_final", `{"image_id": "a", "quality": 90}`, `{"image_id": "a", "quality": 101}`, "/quality"},
		{"export_batch", `{"items": [{"image_id": "a"}], "quality": 80}`, `{"items": [{"image_id": "a"}], "quality": 0}`, "/quality"},
		{"branch", `{"image_id": "a", "name": "b", "from": "baseline"}`, `{"image_id": "a", "name": "b2", "from": " "}`, "/from"},
		{
			"set_parameters", `{"image_id": "a", "module_name": "exposure", "fields": [{"name": "exposure", "value": "1"}]}`,
			`{"image_id": "a", "module_name": "exposure", "fields": [{"name": "exposure", "value": 1}]}`, "/fields/0/value",
		},
		{
			"render_variants", `{"image_id": "a", "primitive_name": "exposure", "values": [0, 0.5]}`,
			`{"image_id": "a", "primitive_name": "exposure", "values": [0, 50]}`, "/values/1",
		},
		{"apply_spot", `{"image_id": "a", "kind": "clone", "feather": 0.02, "x": 0.5, "y": 0.5, "radius": 0.05, "source_x": 0.2, "source_y": 0.2, "no_picture": true}`, `{"image_id": "a", "kind": "erase"}`, "/kind"},
		{"apply_spot", "", `{"image_id": "a", "feather": 2}`, "/feather"},
		{"merge", "", `{"image_id": "a", "ref_or_hash": "baseline", "resolve": [{"module": "exposure", "value": 1}]}`, "/resolve/0/value"},
	} {
		if c.good != "" {
			// The fake darktable develops no linear light, which a spot wants.
			if r := s.call(t, c.tool, arguments(c.good)); r.code() != "" && r.code() != chemigram.ErrDarktable {
				t.Errorf("%s %s: %+v", c.tool, c.good, r.Error)
			}
		}
		r := s.call(t, c.tool, arguments(c.bad))
		if violations, _ := detail(r, "violations").([]any); len(violations) == 0 || violations[0].(map[string]any)["pointer"] != c.pointer {
			t.Errorf("%s %s: %+v, want a violation at %s", c.tool, c.bad, r.Error, c.pointer)
		}
	}
}

// arguments are arguments that are written as JSON.
func arguments(text string) map[string]any {
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		panic(err)
	}
	return out
}

// detail is one of the details of a failure.
func detail(r response, name string) any {
	if r.Error == nil {
		return nil
	}
	return r.Error.Details[name]
}
