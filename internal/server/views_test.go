package server

import (
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram/mcp"
)

// TestTheProgramOffersViews asks the program as a client that shows views, over stdio.
func TestTheProgramOffersViews(t *testing.T) {
	t.Parallel()
	cmd := program(t, "-workspace", filepath.Join(t.TempDir(), "workspace"), "-groups", "all")
	client := sdk.NewClient(&sdk.Implementation{Name: "viewer", Version: "1"}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{
		Extensions: map[string]any{mcp.ViewExtension: map[string]any{"mimeTypes": []string{mcp.ViewType}}},
	}})
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	views := 0
	for _, tool := range listed.Tools {
		uri, ok := tool.Meta["ui/resourceUri"].(string)
		if !ok {
			continue
		}
		views++
		read, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil || !strings.Contains(read.Contents[0].Text, `data-view="`+tool.Name+`"`) {
			t.Errorf("%s: %+v, %v", uri, read, err)
		}
	}
	if views != 5 {
		t.Errorf("%d tools have views", views)
	}
}
