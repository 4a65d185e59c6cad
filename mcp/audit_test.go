package mcp

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
)

// Each destructive tool of the engine is called, and one of the embedding program: the
// intent is written before, and the outcome after it.
func TestEachDestructiveToolWritesItsIntentAndItsOutcome(t *testing.T) {
	t.Parallel()
	workspace := filepath.Join(t.TempDir(), "workspace")
	engine := openEngine(t, chemigram.Options{Workspace: workspace})
	executed := 0
	own := destructiveTool(&executed)
	session := connect(t, NewServer(engine, &Options{Groups: Groups(), Tools: []Tool{own}}))
	records := 0
	for _, tool := range append(EngineTools(nil), own) {
		if tool.spec.Effect != Destructive {
			continue
		}
		arguments := map[string]any{"confirm": true, "reason": "a test of " + tool.Name()}
		for _, required := range tool.checker.required {
			arguments[required] = "none"
		}
		got := callTool(t, session, tool.Name(), arguments)
		data, err := os.ReadFile(filepath.Join(workspace, "audit.jsonl"))
		if err != nil {
			t.Fatalf("%s: %v (%+v)", tool.Name(), err, got)
		}
		lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
		records += 2
		if len(lines) != records {
			t.Fatalf("%s left %d records, want 2", tool.Name(), len(lines)-records+2)
		}
		var intent, last chemigram.AuditRecord
		err = errors.Join(json.Unmarshal([]byte(lines[records-2]), &intent), json.Unmarshal([]byte(lines[records-1]), &last))
		if err != nil {
			t.Fatal(err)
		}
		if intent.Call == "" || intent.Call != last.Call || intent.Verb != last.Verb || intent.Outcome != "" || intent.Time.After(last.Time) {
			t.Errorf("%s left the intent %+v before %+v", tool.Name(), intent, last)
		}
		outcome := "ok"
		if !got.Success {
			outcome = string(got.code())
		}
		if last.Verb != tool.Name() || last.Actor != "tester 1.0" || last.Reason != "a test of "+tool.Name() || last.Outcome != outcome {
			t.Errorf("%s, whose outcome was %s, left %+v", tool.Name(), outcome, last)
		}
	}
	if records < 8 {
		t.Errorf("%d records were found, want two of each of delete_ref, delete_image, prune and the program's own", records)
	}
}
