package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/chemigram/chemigram"
)

// The events of the log. Each has the keys event, tool and actor.
const (
	eventInvoked    = "tool_invoked"      // and duration_ms, outcome
	eventInvalid    = "invalid_arguments" // and error
	eventFailure    = "failure"           // and code, error
	eventGuard      = "guard_violation"   // and violations
	eventGap        = "capability_gap"    // and capability, requires
	eventExecuted   = "admin_executed"    // and reason, outcome
	eventAuditFault = "audit_fault"       // and error

	eventTranscriptFault = "transcript_fault" // and error
)

// log tells of a call when it has ended.
func (c call) log(ctx context.Context, err error) {
	c.event(ctx, slog.LevelInfo, eventInvoked,
		slog.Float64("duration_ms", float64(time.Since(c.begun).Microseconds())/1000),
		slog.String("outcome", outcome(err)))
	if err == nil {
		return
	}
	f := failureOf(err)
	switch {
	case f.Code == chemigram.ErrInvalidInput:
		c.event(ctx, slog.LevelWarn, eventInvalid, slog.String("error", f.Message))
	case f.Code == chemigram.ErrNotImplemented:
		c.event(ctx, slog.LevelWarn, eventGap, slog.String("error", f.Message),
			slog.Any("capability", f.Details["capability"]), slog.Any("requires", f.Details["requires"]))
	case f.Code == chemigram.ErrPermission && c.tool.spec.Effect == Destructive:
		c.event(ctx, slog.LevelWarn, eventGuard, slog.Any("violations", f.Details["violations"]))
	default:
		c.event(ctx, slog.LevelWarn, eventFailure,
			slog.String("code", string(f.Code)), slog.String("error", err.Error()))
	}
}

func (c call) event(ctx context.Context, level slog.Level, event string, attrs ...slog.Attr) {
	if !c.adapter.log.Enabled(ctx, level) {
		return
	}
	c.adapter.log.LogAttrs(ctx, level, event, append([]slog.Attr{
		slog.String("event", event), slog.String("tool", c.tool.spec.Name), slog.String("actor", c.actor),
	}, attrs...)...)
}

// audit records an executed call of a destructive tool.
func (c call) audit(ctx context.Context, agreed consent, arguments map[string]any, err error) {
	params, fault := json.Marshal(arguments)
	record := AuditRecord{
		Time: time.Now().UTC(), Verb: c.tool.verb(), Actor: c.actor, Reason: agreed.reason, Params: params, Outcome: outcome(err),
	}
	c.event(ctx, slog.LevelWarn, eventExecuted, slog.String("reason", record.Reason), slog.String("outcome", record.Outcome))
	// The verb has been executed: the record is kept even when the call is cancelled now.
	ctx = context.WithoutCancel(ctx)
	faults := [3]error{fault}
	if c.adapter.engine != nil && !c.tool.audits {
		faults[1] = c.adapter.engine.Audit(ctx, record)
	}
	if c.adapter.opts.Auditor != nil {
		faults[2] = c.adapter.opts.Auditor.Audit(ctx, record)
	}
	if err := errors.Join(faults[:]...); err != nil {
		c.event(ctx, slog.LevelError, eventAuditFault, slog.String("error", err.Error()))
	}
}

// outcome is "ok" or the code of an error.
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	return string(chemigram.AsError(err).Code)
}

// faultsOnly is a logger for the SDK, which tells of every message otherwise.
func faultsOnly(log *slog.Logger) *slog.Logger { return slog.New(faultHandler{log.Handler()}) }

type faultHandler struct{ slog.Handler }

func (h faultHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

func (h faultHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return faultHandler{h.Handler.WithAttrs(attrs)}
}

func (h faultHandler) WithGroup(name string) slog.Handler {
	return faultHandler{h.Handler.WithGroup(name)}
}
