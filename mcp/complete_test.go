package mcp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

func TestCompletionsAreWhatExists(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	s.call(t, "branch", map[string]any{"image_id": "a", "name": "warm"})
	s.call(t, "checkout", map[string]any{"image_id": "a", "ref_or_hash": "warm"})
	s.call(t, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "exposure", "value": 0.5})
	s.call(t, "tag", map[string]any{"image_id": "a", "name": "wanted"})
	s.call(t, "checkout", map[string]any{"image_id": "a", "ref_or_hash": "main"}) // warm is ahead of it
	for _, c := range []struct {
		argument, value, image string
		want                   []string
	}{
		{"image_id", "", "", []string{"a"}},
		{"image_id", "b", "", []string{}},
		{"ref", "wa", "a", []string{"warm", "wanted"}},
		{"ref_or_hash", "he", "a", []string{"HEAD"}},
		{"ref", "", "nope", []string{}},
		{"name", "exposu", "", []string{"exposure"}},
		{"module_name", "expos", "a", []string{"exposure"}},
		{"primitive_name", "exposure", "", []string{"exposure"}},
		{"mask", "sky_b", "", []string{"sky_blue"}},
		{"tool", "get_", "", []string{"get_state"}},
		{"brief", "", "", []string{}},
	} {
		for _, ref := range []*sdk.CompleteReference{
			{Type: "ref/prompt", Name: "collaborate"},
			{Type: "ref/resource", URI: "chemigram://images/{image_id}/preview/{ref}"},
		} {
			result, err := s.Complete(t.Context(), &sdk.CompleteParams{
				Ref:      ref,
				Argument: sdk.CompleteParamsArgument{Name: c.argument, Value: c.value},
				Context:  &sdk.CompleteContext{Arguments: map[string]string{"image_id": c.image}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, result.Completion.Values); diff != "" {
				t.Errorf("%s, %s %q (-want +got):\n%s", ref.Type, c.argument, c.value, diff)
			}
		}
	}
}
