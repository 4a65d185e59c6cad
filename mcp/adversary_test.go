package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

// newTaughtServer is a server with all tools, an image "wedding-2026", the branch
// "warm-look" and the tag "print-2026".
func newTaughtServer(t *testing.T) testServer {
	t.Helper()
	s := newTestServer(t, testutil.FakeOptions{Width: 90, Height: 60, XMP: baseline.Packet("5.4.1")}, chemigram.Options{}, &Options{Groups: Groups()})
	for _, c := range []plainCall{
		{"ingest", map[string]any{"raw_path": s.raw, "image_id": "wedding-2026"}},
		{"branch", map[string]any{"image_id": "a", "name": "warm-look"}},
		{"tag", map[string]any{"image_id": "a", "name": "print-2026"}},
	} {
		if r := s.call(t, c.tool, c.args); !r.Success {
			t.Fatalf("%s: %+v", c.tool, r.Error)
		}
	}
	return s
}

// transposed are the names that a name becomes when two neighbours are swapped.
func transposed(name string) []string {
	var out []string
	for i := 1; i < len(name); i++ {
		if name[i] != name[i-1] {
			out = append(out, name[:i-1]+name[i:i+1]+name[i-1:i]+name[i+1:])
		}
	}
	return out
}

// Wherever a name is given, two letters that are swapped are told the right one first.
func TestTransposedLettersAreToldTheName(t *testing.T) {
	t.Parallel()
	s := newTaughtServer(t)
	for _, c := range []struct{ kind, name, tool, arguments string }{
		{"image", "wedding-2026", "get_state", `{"image_id": "%s"}`},
		{"ref", "main", "checkout", `{"image_id": "a", "ref_or_hash": "%s"}`},
		{"ref", "HEAD", "render_preview", `{"image_id": "a", "ref_or_hash": "%s"}`},
		{"ref", "warm-look", "log", `{"image_id": "a", "ref": "%s"}`},
		{"ref", "print-2026", "branch", `{"image_id": "a", "name": "x", "ref_or_hash": "%s"}`},
		{"ref", "baseline", "compare", `{"image_id": "a", "hash_a": "%s", "hash_b": "HEAD"}`},
		{"ref", "warm-look", "cherry_pick", `{"image_id": "a", "event": "%s"}`},
		{"ref", "print-2026", "delete_ref", `{"image_id": "a", "name": "%s", "confirm": true, "reason": "a test"}`},
		{"primitive", "exposure", "apply_primitive", `{"image_id": "a", "primitive_name": "%s"}`},
		{"primitive", "look_natural_punch", "bind_layers", `{"image_id": "a", "l2_template": "%s"}`},
		{"primitive", "contrast", "render_variants", `{"image_id": "a", "primitive_name": "%s", "parameter_values": [0]}`},
		{"mask", "shadows", "preview_mask", `{"image_id": "a", "mask": {"name": "%s"}}`},
		{"mask", "sky", "apply_primitive", `{"image_id": "a", "primitive_name": "exposure", "mask": {"name": "%s"}}`},
		{"mask", "background", "apply_primitive", `{"image_id": "a", "primitive_name": "exposure", "mask": {"name": "%s"}}`},
		{"mask", "skin", "apply_per_region", `{"image_id": "a", "primitive_name": "exposure", "regions": [{"mask": {"name": "%s"}}]}`},
		{"module", "exposure", "describe_module", `{"module_name": "%s"}`},
		{"module", "sharpen", "set_parameters", `{"image_id": "a", "module_name": "%s", "fields": [{"name": "amount", "field_value": "1"}]}`},
		{"module", "exposure", "remove_module", `{"image_id": "a", "module_name": "%s"}`},
		{"tag", "portrait", "list_vocabulary", `{"tags": ["%s"]}`},
	} {
		for _, wrong := range transposed(c.name) {
			r := s.call(t, c.tool, json.RawMessage(fmt.Sprintf(c.arguments, wrong)))
			near, _ := detail(r, "suggestions").([]any)
			if r.code() == chemigram.ErrInvalidInput && strings.HasPrefix(wrong, "-") {
				continue // no id begins so
			}
			if r.code() != chemigram.ErrNotFound || detail(r, "kind") != c.kind || detail(r, "name") != wrong || len(near) == 0 || near[0] != c.name {
				t.Errorf("%s of the %s %s: %+v", c.tool, c.kind, wrong, r.Error)
			}
		}
	}
}

// So it is for the names within a move and a module, which are arguments.
func TestTransposedLettersOfArgumentsAreToldTheName(t *testing.T) {
	t.Parallel()
	s := newTaughtServer(t)
	for _, c := range []struct{ name, tool, arguments, pointer string }{
		{"exposure", "set_parameters", `{"image_id": "a", "module_name": "exposure", "fields": [{"name": "%s", "field_value": "1"}]}`, "/fields/0/name"},
		{"EXPOSURE_MODE_MANUAL", "set_parameters", `{"image_id": "a", "module_name": "exposure", "fields": [{"name": "mode", "field_value": "%s"}]}`, "/fields/0/field_value"},
		{"amount", "apply_primitive", `{"image_id": "a", "primitive_name": "contrast", "values": {"%s": 0.1}}`, ""},
		{"gradient", "preview_mask", `{"image_id": "a", "mask": {"shapes": [{"kind": "%s"}]}}`, "/mask/shapes/0/kind"},
		{"srgb", "export_final", `{"image_id": "a", "color_space": "%s"}`, "/color_space"},
	} {
		for _, wrong := range transposed(c.name) {
			r := s.call(t, c.tool, json.RawMessage(fmt.Sprintf(c.arguments, wrong)))
			found, _ := detail(r, "violations").([]any)
			if r.code() != chemigram.ErrInvalidInput || len(found) != 1 {
				t.Errorf("%s with %s: %+v", c.tool, wrong, r.Error)
				continue
			}
			violation := found[0].(map[string]any)
			pointer := c.pointer
			if pointer == "" {
				pointer = "/values/" + wrong
			}
			told := violation["expected"].(string) + r.Error.Message
			if violation["pointer"] != pointer || !strings.Contains(told, parameterOf(c.tool, c.name)) {
				t.Errorf("%s with %s: %+v, want %s at %s", c.tool, wrong, r.Error, c.name, pointer)
			}
		}
	}
	for _, tool := range []string{"export_final", "list_images", "undo"} {
		for _, wrong := range transposed(tool) {
			_, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: wrong})
			if err == nil || !strings.Contains(err.Error(), tool) {
				t.Errorf("the tool %s: %v", wrong, err)
			}
		}
	}
}

// parameterOf is what an error has to name: contrast's parameter is told with its range.
func parameterOf(tool, name string) string {
	if tool == "apply_primitive" {
		return "it takes"
	}
	return name
}

// A value of another kind, and a word of another program, is answered with what would be
// right: the pointer is what was given, and the words are in the message.
func TestWrongArgumentsTeach(t *testing.T) {
	t.Parallel()
	s := newTaughtServer(t)
	for _, c := range []struct {
		tool, arguments string
		pointers        []string
		says            string
	}{
		// Kinds.
		{"get_state", `{"image_id": 7}`, []string{"/image_id"}, "image_id is 7, expected a letter or digit"},
		{"get_state", `[]`, []string{""}, "expected an object with image_id"},
		{"apply_primitive", `{"image_id": "a", "primitive_name": "exposure", "value": "0.3"}`, []string{"/value"}, "expected a number"},
		{"apply_primitive", `{"image_id": "a", "primitive_name": "exposure", "values": 0.3}`, []string{"/values"}, "an object of numbers by name"},
		{"apply_primitive", `{"image_id": "a", "primitive_name": "exposure", "values": {"ev": "0.3"}}`, []string{"/values/ev"}, "expected a number"},
		{"apply_primitive", `{"image_id": "a", "primitive_name": "exposure", "values": {"ve": 0.3}}`, []string{"/values/ve"}, "it takes ev -3..3 EV"},
		{"apply_primitive", `{"image_id": "a", "primitive_name": "exposure", "value": 30}`, []string{"/value"}, "want -3..3 EV"},
		{"apply_primitive", `{"image_id": "a", "primitive_name": "exposure", "mask": "sky"}`, []string{"/mask"}, `such as {"name": "sky"}`},
		{"preview_mask", `{"image_id": "a", "name": "sky"}`, []string{"/name", "/name"}, "name is called mask here"},
		{"preview_mask", `{"image_id": "a", "mask_name": "sky"}`, []string{"/mask_name", "/mask_name"}, `such as {"name": "sky"}`},
		{"apply_per_region", `{"image_id": "a", "primitive_name": "exposure", "regions": {"mask": {"name": "shadows"}}}`, []string{"/regions"}, "a list of objects with mask: put it in [ ]"},
		{"set_parameters", `{"image_id": "a", "module_name": "exposure", "fields": {"exposure": 1}}`, []string{"/fields"}, "a list of objects with name, field_value"},
		{"list_vocabulary", `{"tags": "portrait"}`, []string{"/tags"}, `such as ["portrait"]`},
		{"propagate_state", `{"image_id": "a", "targets": "b"}`, []string{"/targets"}, `such as ["b"]`},
		{"export_batch", `{"items": ["a"]}`, []string{"/items/0"}, `such as {"image_id": "a"}`},
		{"render_preview", `{"image_id": "a", "region": [0, 0, 1, 1]}`, []string{"/region"}, "an object with x, y, width, height"},
		{"render_preview", `{"image_id": "a", "size": "1024"}`, []string{"/size"}, "a whole number from 16 to 16384"},
		{"render_preview", `{"image_id": "a", "size": 1024.5}`, []string{"/size"}, "a whole number from 16 to 16384"},
		{"image_stats", `{"image_id": "a", "histogram": "yes"}`, []string{"/histogram"}, "true or false"},
		// Words of a closed set.
		{"render_preview", `{"image_id": "a", "quality": "high"}`, []string{"/quality"}, "one of draft, fine, exact"},
		{"render_preview", `{"image_id": "a", "quality": 90}`, []string{"/quality"}, "one of draft, fine, exact"},
		{"export_final", `{"image_id": "a", "format": "jpg"}`, []string{"/format"}, "one of jpeg"},
		{"preview_mask", `{"image_id": "a", "mask": {"ranges": [{"channel": "luminance", "min": 0.5}]}}`, []string{"/mask/ranges/0/channel", "/mask/ranges/0/min"}, "min is called from here"},
		// Names that agents guess.
		{"compare", `{"image_id": "a", "ref_a": "HEAD", "ref_b": "baseline"}`, []string{"/ref_a", "/ref_b"}, "ref_a is called hash_a here; ref_b is called hash_b here"},
		{"bind_layers", `{"image_id": "a", "l2": "look_natural_punch"}`, []string{"/l2"}, "l2 is called l2_template here"},
		{"render_preview", `{"image_id": "a", "region": {"left": 0, "top": 0, "w": 1, "h": 1}}`, []string{"/region/h", "/region/left", "/region/top", "/region/w"}, "h is called height here; left is called x here; top is called y here; w is called width here"},
		{"propagate_state", `{"image_id": "a", "to": ["b"]}`, []string{"/to"}, "to is called targets here"},
		{"propagate_state", `{"image_id": "a", "images": ["b"]}`, []string{"/images"}, "images is called targets here"},
		{"match_exposure", `{"reference": "a", "images": ["b"]}`, []string{"/images", "/reference"}, "reference is called image_id here"},
		{"apply_spot", `{"image_id": "a", "cx": 0.5, "cy": 0.5, "size": 0.02}`, []string{"/cx", "/cy", "/size"}, "size is called radius here"},
		{"preview_mask", `{"image_id": "a", "mask": {"shapes": [{"type": "ellipse", "cx": 0.5, "r": 0.1}]}}`, []string{"/mask/shapes/0/cx", "/mask/shapes/0/r", "/mask/shapes/0/type"}, "type is called kind here"},
		{"set_rating", `{"image_id": "a", "stars": 4}`, []string{"/stars"}, "stars is called rating here"},
		{"snapshot", `{"image_id": "a", "name": "v1"}`, []string{"/name"}, "name is called label here"},
		{"confirm_taste_update", `{"id": "x"}`, []string{"/id"}, "id is called proposal_id here"},
		{"ingest", `{"file": "/x.nef"}`, []string{"/file"}, "file is called raw_path here"},
		{"undo", `{"image_id": "a", "steps": 3}`, []string{"/steps"}, "no such argument; there are image_id"},
	} {
		r := s.call(t, c.tool, json.RawMessage(c.arguments))
		var pointers []string
		found, _ := detail(r, "violations").([]any)
		for _, v := range found {
			pointers = append(pointers, v.(map[string]any)["pointer"].(string))
		}
		if r.code() != chemigram.ErrInvalidInput || !slices.Equal(pointers, c.pointers) || !strings.Contains(r.Error.Message, c.says) {
			t.Errorf("%s %s: %+v, want %q at %q", c.tool, c.arguments, r.Error, c.says, c.pointers)
			continue
		}
		if camelCase.MatchString(r.Error.Message) || !r.Error.Recoverable {
			t.Errorf("%s %s: %+v", c.tool, c.arguments, r.Error)
		}
	}
}

// Versions have other names in other programs.
func TestVersionsOfOtherProgramsAreSuggested(t *testing.T) {
	t.Parallel()
	s := newTaughtServer(t)
	for name, want := range map[string]string{"latest": "HEAD", "head": "HEAD", "master": "main", "original": "baseline", "refs/heads/mian": "main", "mian~1": "main"} {
		r := s.call(t, "render_preview", map[string]any{"image_id": "a", "ref_or_hash": name})
		near, _ := detail(r, "suggestions").([]any)
		if r.code() != chemigram.ErrNotFound || len(near) == 0 || near[0] != want {
			t.Errorf("%s: %+v, want %s suggested", name, r.Error, want)
		}
	}
}

// Words that are misspelt find the mask that was meant.
func TestMisspeltWordsFindMasks(t *testing.T) {
	t.Parallel()
	s := newTaughtServer(t)
	for query, want := range map[string]string{"shadwos": "shadows", "sykk": "sky", "backgruond": "background"} {
		r := s.call(t, "list_masks", map[string]any{"query": query})
		masks, _ := r.Data["masks"].([]any)
		if !slices.ContainsFunc(masks, func(m any) bool { return m.(map[string]any)["name"] == want }) {
			t.Errorf("%s: %v", query, r.Data)
		}
	}
	if r := s.call(t, "list_masks", map[string]any{"query": "qqqqqqqq"}); len(r.Data["masks"].([]any)) != 0 {
		t.Errorf("nonsense: %v", r.Data)
	}
}
