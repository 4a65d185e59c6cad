package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

// Each call is logged as one event, and an error as another.
func TestEachCallIsLogged(t *testing.T) {
	t.Parallel()
	executed := 0
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		code      chemigram.Code
		event     string
		want      map[string]any
	}{
		{"probe", map[string]any{"id": "a"}, "", "", nil},
		{"probe", map[string]any{"id": "a", "count": "many"}, chemigram.ErrInvalidInput, eventInvalid, map[string]any{
			"error": `count is "many", expected a whole number`,
		}},
		{"probe", map[string]any{"id": "fails"}, chemigram.ErrNotFound, eventFailure, map[string]any{"code": "not_found", "error": "probe: not_found: it is gone"}},
		{"burn", map[string]any{"image_id": "a"}, chemigram.ErrPermission, eventGuard, map[string]any{
			"violations": "[missing_confirm missing_reason]",
		}},
	} {
		var log lockedBuffer
		session := connect(t, NewServer(nil, &Options{
			Groups: Groups(), Logger: slog.New(NewLogHandler(slog.NewJSONHandler(&log, nil), nil)),
			Tools: []Tool{destructiveTool(&executed), probe(func(_ context.Context, p probeParams) (probeResult, error) {
				if p.ID == "fails" {
					return probeResult{}, &chemigram.Error{Op: "probe", Code: chemigram.ErrNotFound, Message: "it is gone"}
				}
				return probeResult{Got: p}, nil
			})},
		}))
		if a := callTool(t, session, c.tool, c.arguments); a.code() != c.code {
			t.Fatalf("%s: %+v", c.tool, a.Error)
		}
		invoked := lastEvent(t, log.String(), eventInvoked)
		want := map[string]any{"tool": c.tool, "actor": "tester 1.0", "outcome": cmp.Or(string(c.code), "ok")}
		checkEvent(t, invoked, want)
		if duration, ok := invoked["duration_ms"].(float64); !ok || duration < 0 {
			t.Errorf("its duration is %v", invoked["duration_ms"])
		}
		lines := 1
		if c.event != "" {
			lines = 2
			want := maps.Clone(c.want)
			want["tool"], want["actor"], want["level"] = c.tool, "tester 1.0", "WARN"
			checkEvent(t, lastEvent(t, log.String(), c.event), want)
		}
		if got := strings.Count(log.String(), "\n"); got != lines {
			t.Errorf("%d events, want %d:\n%s", got, lines, log.String())
		}
	}
}

// checkEvent compares the wanted keys of an event.
func checkEvent(t *testing.T, event, want map[string]any) {
	t.Helper()
	for key, want := range want {
		if event[key] != want {
			t.Errorf("%s is %v, want %v: %v", key, event[key], want, event)
		}
	}
}

func TestACapabilityGapIsLogged(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	s := newTestServer(t, testutil.FakeOptions{Version: "4.2.1"}, chemigram.Options{Packs: []string{packNeedingNewDarktable(t)}},
		&Options{Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	a := s.call(t, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "from_the_future"})
	got := lastEvent(t, log.String(), eventGap)
	if a.Error.Details["capability"] == nil || a.Error.Details["requires"] == nil {
		t.Fatalf("%+v", a.Error)
	}
	checkEvent(t, got, map[string]any{
		"tool": "apply_primitive", "actor": "tester 1.0",
		"capability": a.Error.Details["capability"], "requires": a.Error.Details["requires"],
	})
}

// A guarded call that is refused for another reason than its guard is no violation of it.
func TestARefusalIsNoGuardViolation(t *testing.T) {
	t.Parallel()
	refused := &chemigram.Error{Op: "burn", Code: chemigram.ErrPermission, Message: "the disk says no", Details: chemigram.Details{"violation": "outside_roots"}}
	for _, effect := range []Effect{Destructive, Write} {
		var log lockedBuffer
		spec := probeSpec
		spec.Name, spec.Effect, spec.Group = "burn", effect, Admin
		session := connect(t, NewServer(nil, &Options{
			Groups: Groups(), Logger: slog.New(slog.NewJSONHandler(&log, nil)),
			Tools: []Tool{Bind(spec, func(context.Context, probeParams) (probeResult, error) { return probeResult{}, refused })},
		}))
		arguments := map[string]any{"id": "a"}
		if effect == Destructive {
			arguments["confirm"], arguments["reason"] = true, "space"
		}
		if a := callTool(t, session, "burn", arguments); a.code() != chemigram.ErrPermission {
			t.Fatalf("%+v", a)
		}
		checkEvent(t, lastEvent(t, log.String(), eventRefused), map[string]any{"tool": "burn", "violation": "outside_roots", "level": "WARN"})
		if effect == Destructive {
			checkEvent(t, lastEvent(t, log.String(), eventFailed), map[string]any{"reason": "space", "outcome": "permission_error"})
		}
		for _, event := range []string{eventGuard, eventExecuted} {
			if strings.Contains(log.String(), event) {
				t.Errorf("%s: a call that was refused is logged as %s:\n%s", effect, event, log.String())
			}
		}
	}
}

func TestAnExecutedAdminCallIsLogged(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{},
		&Options{Groups: Groups(), Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	s.call(t, "branch", map[string]any{"image_id": "a", "name": "warm"})
	s.call(t, "delete_ref", map[string]any{"image_id": "a", "name": "warm", "confirm": true, "reason": "done with it"})
	got := lastEvent(t, log.String(), eventExecuted)
	checkEvent(t, got, map[string]any{
		"tool": "delete_ref", "actor": "tester 1.0", "reason": "done with it", "outcome": "ok", "level": "WARN",
	})
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
