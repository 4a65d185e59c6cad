package mcp

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

func TestACapabilityGapIsLogged(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	s := fakeStudio(t, testutil.FakeOptions{Version: "4.2.1"}, chemigram.Options{Packs: []string{gapPack(t)}},
		&Options{Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	a := s.ask(t, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "from_the_future"})
	got := lastEvent(t, log.String(), eventGap)
	for key, want := range map[string]any{
		"tool": "apply_primitive", "actor": "tester 1.0",
		"capability": a.Error.Details["capability"], "requires": a.Error.Details["requires"],
	} {
		if want == nil || got[key] != want {
			t.Errorf("%s is %v, want %v: %v", key, got[key], want, got)
		}
	}
}

func TestAnExecutedAdminCallIsLogged(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	s := fakeStudio(t, testutil.FakeOptions{}, chemigram.Options{},
		&Options{Groups: Groups(), Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	s.ask(t, "branch", map[string]any{"image_id": "a", "name": "warm"})
	s.ask(t, "delete_ref", map[string]any{"image_id": "a", "name": "warm", "confirm": true, "reason": "done with it"})
	got := lastEvent(t, log.String(), eventExecuted)
	for key, want := range map[string]any{
		"tool": "delete_ref", "actor": "tester 1.0", "reason": "done with it", "outcome": "ok", "level": "WARN",
	} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v: %v", key, got[key], want, got)
		}
	}
}

// lastEvent finds the last event of a name in a JSON log.
func lastEvent(t *testing.T, log, name string) map[string]any {
	t.Helper()
	var last map[string]any
	for line := range bytes.Lines([]byte(log)) {
		var entry map[string]any
		if err := json.Unmarshal(line, &entry); err != nil {
			t.Fatal(err)
		}
		if entry["event"] == name {
			last = entry
		}
	}
	if last == nil {
		t.Fatalf("no %s in:\n%s", name, log)
	}
	return last
}
