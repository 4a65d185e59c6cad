package chemigram

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/params"
	"github.com/chemigram/chemigram/internal/redact"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
)

// AuditRecord is one line of the workspace's audit.jsonl, which has two of each
// executed call of a verb that can lose something: the intent, without an outcome, before
// the deed, and the same with the outcome after it. An intent without an outcome behind
// it is of a call that still runs, or whose program died: look whether it was done.
type AuditRecord struct {
	// Time when the line was written, in UTC: before the verb, or when it had ended.
	Time time.Time `json:"time"`
	// Call is the same in both records of a call, and in no other; empty in those of
	// older programs, which wrote the second alone.
	Call string `json:"call,omitempty"`
	// Verb that was called, such as delete_image.
	Verb string `json:"verb"`
	// Actor who called it.
	Actor string `json:"actor"`
	// Reason that the actor gave.
	Reason string `json:"reason"`
	// Params of the call.
	Params json.RawMessage `json:"params"`
	// Outcome is "ok" or the code of the error; empty in an intent.
	Outcome string `json:"outcome,omitempty"`
}

// Audit adds a record of a call to the workspace's audit.jsonl, durably: the file is
// only ever appended to, by one process at a time, and a line that a crash tore is
// closed by the next. A record without a time or an actor gets the present one and the
// context's. The engine's own verbs do so by themselves; this is for a program's, which
// writes one without an outcome before the deed and one with it afterwards, both with
// the same Call. What looks like a secret is written as "[hidden]". It returns what kept
// the record from being written.
func (e *Engine) Audit(ctx context.Context, record AuditRecord) (err error) {
	defer seal(&err, "audit", "")
	if err := e.workspace.CheckWritable(); err != nil {
		return err
	}
	if record.Time.IsZero() {
		record.Time = time.Now().UTC()
	}
	record.Actor = redact.Text(cmp.Or(record.Actor, e.workspace.Actor(ctx)))
	record.Reason, record.Params = redact.Text(record.Reason), redact.JSON(record.Params)
	line, err := json.Marshal(record)
	if err != nil {
		return err
	}
	if record.Outcome != "" {
		ctx = context.WithoutCancel(ctx) // it was executed, even when it is cancelled now
	}
	unlock, err := e.workspace.Lock(ctx, e.workspace.Path(workspace.AuditLog+".lock"))
	if err != nil {
		return err
	}
	defer unlock()
	return e.workspace.AppendLine(workspace.AuditLog, line)
}

// intend audits that a verb is about to be done. When that cannot be written, nothing is
// to be done. The function that it gives audits the outcome as the verb returns; that
// this cannot be written does not undo what was done, so that it is not the verb's error.
func (e *Engine) intend(ctx context.Context, verb, reason string, params any) (done func(*error), err error) {
	said, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	record := AuditRecord{Call: rand.Text(), Verb: verb, Reason: reason, Params: said}
	if err := e.Audit(ctx, record); err != nil {
		return nil, err
	}
	return func(err *error) {
		record.Outcome = outcomeOf(*err)
		if err := e.Audit(ctx, record); err != nil {
			e.log.ErrorContext(ctx, "the outcome is not in the audit log", "verb", verb, "call", record.Call, "error", err)
		}
	}, nil
}

// takeReason takes the reason out of a destructive call's parameters, and gives who
// makes the call and why. It refuses one that does not say why.
func (e *Engine) takeReason(ctx context.Context, reason *string) (versioning.Audit, error) {
	who := versioning.Audit{Actor: e.workspace.Actor(ctx), Reason: strings.TrimSpace(*reason)}
	if *reason = ""; fault.Blank(who.Reason) {
		return who, fault.New(fault.Permission, "this can lose something, and no reason was given: give a reason that is not blank").
			With("violation", "missing_reason")
	}
	if len(who.Reason) > params.MostName {
		return who, fault.Violated([]fault.Violation{params.TooLong("/reason", len(who.Reason), params.MostName)})
	}
	return who, nil
}

// outcomeOK is the outcome of a call that succeeded.
const outcomeOK = "ok"

// outcomeOf is "ok" or the code of an error.
func outcomeOf(err error) string {
	if err == nil {
		return outcomeOK
	}
	return string(AsError(err).Code)
}
