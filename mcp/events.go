package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/redact"
)

// The events of the log, and which keys each has beside event, tool and actor.
const (
	eventInvoked    = "tool_invoked"      // duration_ms, outcome
	eventInvalid    = "invalid_arguments" // error
	eventFailure    = "failure"           // code, error
	eventGuard      = "guard_violation"   // violations
	eventGap        = "capability_gap"    // error, capability, requires
	eventRefused    = "permission_denied" // error, violation
	eventExecuted   = "admin_executed"    // reason, outcome: of a destructive tool that succeeded
	eventFailed     = "admin_failed"      // reason, outcome: of one that did not
	eventAuditError = "audit_fault"       // error

	eventTranscriptError = "transcript_fault" // error
)

// log logs the end of a call, and its error.
func (c call) log(ctx context.Context, err error) {
	c.event(ctx, slog.LevelInfo, eventInvoked,
		slog.Float64("duration_ms", float64(time.Since(c.started).Microseconds())/1000),
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
	case isGuardViolation(f):
		c.event(ctx, slog.LevelWarn, eventGuard, slog.Any("violations", f.Details["violations"]))
	case f.Code == chemigram.ErrPermission:
		c.event(ctx, slog.LevelWarn, eventRefused,
			slog.String("error", err.Error()), slog.Any("violation", f.Details["violation"]))
	default:
		c.event(ctx, slog.LevelWarn, eventFailure,
			slog.String("code", string(f.Code)), slog.String("error", err.Error()))
	}
}

// isGuardViolation reports whether the guard of destructive tools refused a call, and not
// the file system, the allowed roots or a person.
func isGuardViolation(f *failure) bool {
	violations, ok := f.Details["violations"].(guardViolations)
	return ok && len(violations) > 0
}

func (c call) event(ctx context.Context, level slog.Level, event string, attrs ...slog.Attr) {
	if !c.adapter.log.Enabled(ctx, level) {
		return
	}
	c.adapter.log.LogAttrs(ctx, level, event, append([]slog.Attr{
		slog.String("event", event), slog.String("tool", c.tool.spec.Name), slog.String("actor", c.actor),
	}, attrs...)...)
}

// writesAudit reports whether the adapter writes to the workspace's audit log for the
// tool, whose verb does not.
func (c call) writesAudit() bool { return c.adapter.engine != nil && !c.tool.audited }

// intend records that a destructive tool is about to be executed. When that cannot be
// written, it is not to be.
func (c call) intend(ctx context.Context, reason string, arguments map[string]any) (AuditRecord, error) {
	params, err := json.Marshal(arguments)
	if err != nil {
		return AuditRecord{}, err
	}
	record := AuditRecord{Call: rand.Text(), Verb: c.tool.presentName(), Actor: c.actor, Reason: redact.Text(reason), Params: redact.JSON(params)}
	if c.writesAudit() {
		err = c.adapter.engine.Audit(ctx, record)
	}
	return record, err
}

// audit records the outcome of a destructive tool that was executed and returned err.
func (c call) audit(ctx context.Context, record AuditRecord, err error) {
	record.Time, record.Outcome = time.Now().UTC(), outcome(err)
	event := eventExecuted
	if err != nil {
		event = eventFailed
	}
	c.event(ctx, slog.LevelWarn, event, slog.String("reason", record.Reason), slog.String("outcome", record.Outcome))
	// The verb has been executed: the record is kept even when the call is cancelled now.
	ctx = context.WithoutCancel(ctx)
	var errs [2]error
	if c.writesAudit() {
		errs[0] = c.adapter.engine.Audit(ctx, record)
	}
	if c.adapter.opts.Auditor != nil {
		errs[1] = c.adapter.opts.Auditor.Audit(ctx, record)
	}
	if err := errors.Join(errs[:]...); err != nil {
		c.event(ctx, slog.LevelError, eventAuditError, slog.String("error", err.Error()))
	}
}

// outcome is "ok" or the code of an error.
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	return string(chemigram.AsError(err).Code)
}

// warningsOnly returns a logger for the SDK, which would log every message otherwise.
func warningsOnly(log *slog.Logger) *slog.Logger { return slog.New(warningHandler{log.Handler()}) }

type warningHandler struct{ slog.Handler }

func (h warningHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

func (h warningHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warningHandler{h.Handler.WithAttrs(attrs)}
}

func (h warningHandler) WithGroup(name string) slog.Handler {
	return warningHandler{h.Handler.WithGroup(name)}
}
