package mcp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

func TestCompletionsOfferWhatThereIs(t *testing.T) {
	t.Parallel()
	s := fakeStudio(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	s.ask(t, "branch", map[string]any{"image_id": "a", "name": "warm"})
	for _, c := range []struct {
		argument, value, image string
		want                   []string
	}{
		{"image_id", "", "", []string{"a"}},
		{"image_id", "b", "", []string{}},
		{"ref", "wa", "a", []string{"warm"}},
		{"ref", "", "nope", []string{}},
		{"name", "exposu", "", []string{"exposure"}},
		{"module_name", "expos", "a", []string{"exposure"}},
		{"brief", "", "", []string{}},
	} {
		result, err := s.Complete(t.Context(), &sdk.CompleteParams{
			Ref:      &sdk.CompleteReference{Type: "ref/prompt", Name: "collaborate"},
			Argument: sdk.CompleteParamsArgument{Name: c.argument, Value: c.value},
			Context:  &sdk.CompleteContext{Arguments: map[string]string{"image_id": c.image}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, result.Completion.Values); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", c.argument, c.value, diff)
		}
	}
}
