package mcp

import (
	"testing"

	"github.com/chemigram/chemigram"
)

// Every call is recorded, also one that fails or is refused.
func TestCallsAreRecordedInTheSessionsTranscript(t *testing.T) {
	t.Parallel()
	engine := openEngine(t, chemigram.Options{})
	executed := 0
	server := NewServer(engine, &Options{Groups: Groups(), Transcripts: true, Tools: []Tool{destructiveTool(&executed)}})
	first, second := connect(t, server), connect(t, server)
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"list_vocabulary", map[string]any{"limit": 1}, "ok"},
		{"get_state", map[string]any{"image_id": 7}, "invalid_input"},
		{"get_state", map[string]any{"image_id": "a"}, "not_found"},
		{"burn", map[string]any{"image_id": "a"}, "permission_error"},
		{"burn", map[string]any{"image_id": "wet", "confirm": true, "reason": "r"}, "state_error"},
	} {
		callTool(t, first, c.tool, c.arguments)
		list, err := engine.ListTranscripts(t.Context(), chemigram.ListTranscriptsParams{})
		if err != nil || list.Total != 1 {
			t.Fatalf("%d transcripts, %v", list.Total, err)
		}
		got, err := engine.ReadTranscript(t.Context(), chemigram.ReadTranscriptParams{SessionID: list.Transcripts[0].SessionID})
		if err != nil {
			t.Fatal(err)
		}
		last := got.Calls[len(got.Calls)-1]
		if last.Verb != c.tool || last.Outcome != c.want || len(last.Params) != len(c.arguments) {
			t.Errorf("%s: recorded %+v, want %s", c.tool, last, c.want)
		}
	}
	callTool(t, second, "health_check", nil)
	if _, err := engine.ListTranscripts(t.Context(), chemigram.ListTranscriptsParams{}); err != nil {
		t.Fatal(err)
	}
}
