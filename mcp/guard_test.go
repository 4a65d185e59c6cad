package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

type burnParams struct {
	ImageID chemigram.ImageID `json:"image_id" jsonschema:"Names the image."`
}

type burnResult struct {
	Burnt bool `json:"burnt" jsonschema:"Whether the image was burnt."`
}

// destructiveTool is a tool that counts its executions. It fails for the image "wet".
func destructiveTool(executed *int) Tool {
	return Bind(Spec{
		Name: "burn", Title: "Burn", Description: "Burns an image.", Group: Admin, Effect: Destructive,
	}, func(_ context.Context, p burnParams) (burnResult, error) {
		*executed++
		if p.ImageID == "wet" {
			return burnResult{}, &chemigram.Error{Code: chemigram.ErrState, Message: "it is wet"}
		}
		return burnResult{Burnt: true}, nil
	})
}

type auditLog []AuditRecord

func (l *auditLog) Audit(_ context.Context, r AuditRecord) error {
	*l = append(*l, r)
	return errors.New("an error of the log changes no response")
}

func TestADestructiveToolIsGuarded(t *testing.T) {
	t.Parallel()
	anonymous := &sdk.Implementation{}
	named := &sdk.Implementation{Name: "tester", Version: "1.0"}
	for _, c := range []struct {
		name      string
		client    *sdk.Implementation
		arguments map[string]any
		want      []any
	}{
		{"nothing", named, map[string]any{}, []any{"missing_confirm", "missing_reason"}},
		{"confirm is false", named, map[string]any{"confirm": false, "reason": "r"}, []any{"missing_confirm"}},
		{"a blank reason", named, map[string]any{"confirm": true, "reason": " \t"}, []any{"missing_reason"}},
		{"no actor", anonymous, map[string]any{"confirm": true, "reason": "r"}, []any{"missing_actor"}},
		{"nothing and no actor", anonymous, map[string]any{"confirm": nil}, []any{"missing_confirm", "missing_reason", "missing_actor"}},
	} {
		var executed int
		var audit auditLog
		server := NewServer(nil, &Options{Groups: Groups(), Tools: []Tool{destructiveTool(&executed)}, Auditor: &audit})
		session := connectAs(t, server, c.client, nil)
		c.arguments["image_id"] = "a"
		a := callTool(t, session, "burn", c.arguments)
		if a.code() != chemigram.ErrPermission || a.Error.Details["violation"] != c.want[0] {
			t.Errorf("%s: %+v", c.name, a.Error)
			continue
		}
		if diff := cmp.Diff(c.want, a.Error.Details["violations"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if executed != 0 || len(audit) != 0 {
			t.Errorf("%s: executed %d times, %d records", c.name, executed, len(audit))
		}
	}
}

func TestConfirmHasToBeLiterallyTrue(t *testing.T) {
	t.Parallel()
	for _, almost := range []any{"true", 1, []any{true}} {
		var executed int
		session := connect(t, NewServer(nil, &Options{Groups: Groups(), Tools: []Tool{destructiveTool(&executed)}}))
		a := callTool(t, session, "burn", map[string]any{"image_id": "a", "confirm": almost, "reason": "r"})
		if a.code() != chemigram.ErrInvalidInput || executed != 0 {
			t.Errorf("confirm %v: %+v, executed %d times", almost, a.Error, executed)
		}
	}
}

func TestEachExecutedCallLeavesOneRecord(t *testing.T) {
	t.Parallel()
	var executed int
	var audit auditLog
	var log bytes.Buffer
	server := NewServer(nil, &Options{
		Groups: Groups(), Tools: []Tool{destructiveTool(&executed)}, Auditor: &audit,
		Logger: slog.New(slog.NewJSONHandler(&log, nil)),
	})
	session := connect(t, server)
	for _, id := range []string{"dry", "wet"} {
		callTool(t, session, "burn", map[string]any{"image_id": id, "confirm": true, "reason": "test of " + id})
	}
	if executed != 2 || len(audit) != 2 {
		t.Fatalf("executed %d times, %d records", executed, len(audit))
	}
	for i, want := range []AuditRecord{
		{Verb: "burn", Actor: "tester 1.0", Reason: "test of dry", Params: json.RawMessage(`{"image_id":"dry"}`), Outcome: "ok"},
		{Verb: "burn", Actor: "tester 1.0", Reason: "test of wet", Params: json.RawMessage(`{"image_id":"wet"}`), Outcome: "state_error"},
	} {
		want.Time, want.Call = audit[i].Time, audit[i].Call
		if diff := cmp.Diff(want, audit[i]); diff != "" || want.Time.IsZero() {
			t.Errorf("record %d (-want +got):\n%s", i, diff)
		}
	}
	if got := eventCounts(t, log.Bytes()); got[eventExecuted] != 1 || got[eventFailed] != 1 || got[eventAuditError] != 2 || got[eventInvoked] != 2 {
		t.Errorf("events: %v", got)
	}
}

func TestTheConfiguredActorIsRecorded(t *testing.T) {
	t.Parallel()
	var executed int
	var audit auditLog
	server := NewServer(nil, &Options{
		Groups: Groups(), Tools: []Tool{destructiveTool(&executed)}, Auditor: &audit, Actor: "nightly job",
	})
	session := connectAs(t, server, &sdk.Implementation{}, nil)
	callTool(t, session, "burn", map[string]any{"image_id": "a", "confirm": true, "reason": "r"})
	if len(audit) != 1 || audit[0].Actor != "nightly job" {
		t.Errorf("records: %+v", audit)
	}
}

func TestAReadOnlyServerHasNoDestructiveTool(t *testing.T) {
	t.Parallel()
	for _, tool := range listTools(t, NewServer(nil, &Options{Groups: Groups(), ReadOnly: true, Tools: []Tool{destructiveTool(nil)}})) {
		if tool.Name == "burn" {
			t.Error("it offers burn")
		}
	}
}

// eventCounts counts a JSON log's events by name.
func eventCounts(t *testing.T, log []byte) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for line := range bytes.Lines(log) {
		var entry struct {
			Event string `json:"event"`
		}
		if err := json.Unmarshal(line, &entry); err != nil {
			t.Fatal(err)
		}
		counts[entry.Event]++
	}
	return counts
}

// Without -groups no tool is offered that can lose anything, nor can one be called.
func TestTheDefaultToolsCanLoseNothing(t *testing.T) {
	t.Parallel()
	offered := map[string]bool{}
	session := connect(t, NewServer(openEngine(t, chemigram.Options{}), nil))
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		offered[tool.Name] = true
	}
	destructive := 0
	for _, tool := range EngineTools(nil) {
		if tool.spec.Effect != Destructive {
			continue
		}
		destructive++
		arguments := map[string]any{"image_id": "a", "confirm": true, "reason": "r"}
		_, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool.Name(), Arguments: arguments})
		if offered[tool.Name()] || err == nil || !strings.Contains(err.Error(), "unknown tool") {
			t.Errorf("%s is offered: %t; called, it says %v", tool.Name(), offered[tool.Name()], err)
		}
	}
	if destructive < 3 {
		t.Errorf("%d tools are destructive", destructive)
	}
}
