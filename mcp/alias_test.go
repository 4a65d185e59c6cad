package mcp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram"
)

// A program that calls a tool by its former name still works.
func TestAnAliasIsServedAsDeprecated(t *testing.T) {
	t.Parallel()
	engine := openEngine(t, chemigram.Options{})
	executed := 0
	burn, audit := destructiveTool(&executed), auditLog{}
	server := NewServer(engine, &Options{
		Tools: []Tool{burn, burn.Alias("incinerate")}, Groups: Groups(), Transcripts: true, Auditor: &audit,
	})
	session := connect(t, server)
	arguments := map[string]any{"image_id": "a", "confirm": true, "reason": "r"}
	want, got := callTool(t, session, "burn", arguments), callTool(t, session, "incinerate", arguments)
	if diff := cmp.Diff(want, got); diff != "" || executed != 2 {
		t.Errorf("executed %d times (-burn +incinerate):\n%s", executed, diff)
	}
	for _, record := range audit {
		if record.Verb != "burn" {
			t.Errorf("audited as %s", record.Verb)
		}
	}
	for _, tool := range listTools(t, server) {
		if tool.Name == "incinerate" && (!strings.HasPrefix(tool.Description, "Deprecated: ") || !strings.Contains(tool.Description, "burn")) {
			t.Errorf("it does not say that it is deprecated: %s", tool.Description)
		}
	}
	list, err := engine.ListTranscripts(t.Context(), chemigram.ListTranscriptsParams{})
	if err != nil {
		t.Fatal(err)
	}
	read, err := engine.ReadTranscript(t.Context(), chemigram.ReadTranscriptParams{SessionID: list.Transcripts[0].SessionID})
	if err != nil || len(read.Calls) != 2 || read.Calls[1].Verb != "burn" {
		t.Errorf("recorded as %+v, %v", read.Calls, err)
	}
}
