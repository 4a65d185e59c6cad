package mcp

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const (
	readme    = "../README.md"
	readmeTop = "<!-- tools:begin -->\n"
	readmeEnd = "<!-- tools:end -->"
)

// The README's table of tools, between its two marks.
func TestTheReadmeListsTheTools(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begun := strings.Cut(string(data), readmeTop)
	have, after, ended := strings.Cut(rest, readmeEnd)
	if !begun || !ended {
		t.Skip("README.md has no marks for the table of tools")
	}
	want := readmeTable() + contextSize(t)
	switch {
	case have == want:
	case *update:
		if err := os.WriteFile(readme, []byte(before+readmeTop+want+readmeEnd+after), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("README.md's table of tools is stale; run go test ./mcp -update")
	}
}

func readmeTable() string {
	var b strings.Builder
	b.WriteString("\n| group | tool | what it does | effect |\n|---|---|---|---|\n")
	for _, group := range Groups() {
		for _, tool := range EngineTools(nil) {
			if tool.spec.Group == group {
				fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", group, tool.Name(), firstSentence(tool.spec.Description), tool.spec.Effect)
			}
		}
	}
	b.WriteString("\n")
	return b.String()
}

// contextSize is a sentence about the size of the default tools.
func contextSize(t *testing.T) string {
	t.Helper()
	tools, shown, results := measureList(t)
	return fmt.Sprintf("The %d tools of the default groups show an agent %d KB: names, descriptions and arguments. "+
		"The schemas of their results, which are for programs, have %d KB more.\n\n",
		tools, (shown+500)/1000, (results+500)/1000)
}

func firstSentence(text string) string {
	text = strings.ReplaceAll(text, "\n", " ")
	if first, _, ok := strings.Cut(text, ". "); ok {
		return first + "."
	}
	return text
}
