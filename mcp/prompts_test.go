package mcp

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestPromptsAreFilledIn(t *testing.T) {
	t.Parallel()
	session := connect(t, NewServer(nil, nil))
	list, err := session.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Prompts) != 2 {
		t.Errorf("%d prompts", len(list.Prompts))
	}
	for _, prompt := range list.Prompts {
		result, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{
			Name: prompt.Name, Arguments: map[string]string{"image_id": "img-7", "brief": "moody {image_id}"},
		})
		if err != nil {
			t.Fatal(err)
		}
		text := result.Messages[0].Content.(*sdk.TextContent).Text
		if !strings.Contains(text, `"img-7"`) || !strings.Contains(text, "moody {image_id}") {
			t.Errorf("%s is not filled in:\n%s", prompt.Name, text)
		}
		for _, word := range regexp.MustCompile(`\b[a-z]+_[a-z_]+\b`).FindAllString(text, -1) {
			if word != "image_id" && !slices.ContainsFunc(EngineTools(nil), func(t Tool) bool { return t.Name() == word }) {
				t.Errorf("%s mentions %s, which is no tool", prompt.Name, word)
			}
		}
	}
}
