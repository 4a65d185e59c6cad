package chemigram

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
)

// AuditRecord is one line of the workspace's audit.jsonl: one executed call of a
// verb that can lose something.
type AuditRecord struct {
	// Time when the verb had ended, in UTC.
	Time time.Time `json:"time"`
	// Verb that was called, such as delete_image.
	Verb string `json:"verb"`
	// Actor who called it.
	Actor string `json:"actor"`
	// Reason that the actor gave.
	Reason string `json:"reason"`
	// Params of the call.
	Params json.RawMessage `json:"params"`
	// Outcome is "ok" or the code of the error.
	Outcome string `json:"outcome"`
}

// Audit adds a record of an executed call to the workspace's audit.jsonl,
// durably: the file is only ever appended to, by one process at a time, and a
// line that a crash tore is closed by the next. A record without a time or an
// actor gets the present one and the context's. The engine's own verbs do so by
// themselves; this is for a program's, and returns what kept the record from being
// written.
func (e *Engine) Audit(ctx context.Context, record AuditRecord) (err error) {
	defer seal(&err, "audit", "")
	if err := e.workspace.CheckWritable(); err != nil {
		return err
	}
	if record.Time.IsZero() {
		record.Time = time.Now().UTC()
	}
	record.Actor = cmp.Or(record.Actor, e.workspace.Actor(ctx))
	line, err := json.Marshal(record)
	if err != nil {
		return err
	}
	// The call was executed: that is recorded even when it is cancelled now.
	unlock, err := e.workspace.Lock(context.WithoutCancel(ctx), e.workspace.Path(workspace.AuditLog+".lock"))
	if err != nil {
		return err
	}
	defer unlock()
	return e.workspace.AppendLine(workspace.AuditLog, line)
}

// record audits a verb as it returns. That the record cannot be written does not
// undo what was done, so that it is not the verb's error.
func (e *Engine) record(ctx context.Context, verb, reason string, params any, err *error) {
	said, fault := json.Marshal(params)
	if fault == nil {
		fault = e.Audit(ctx, AuditRecord{Verb: verb, Reason: reason, Params: said, Outcome: outcomeOf(*err)})
	}
	if fault != nil {
		e.log.ErrorContext(ctx, "no audit record was written", "verb", verb, "error", fault)
	}
}

// takeReason takes the reason out of a destructive call's parameters, and gives who
// makes the call and why. It refuses one that does not say why.
func (e *Engine) takeReason(ctx context.Context, reason *string) (versioning.Audit, error) {
	who := versioning.Audit{Actor: e.workspace.Actor(ctx), Reason: strings.TrimSpace(*reason)}
	if *reason = ""; who.Reason == "" {
		return who, fault.New(fault.Permission, "this can lose something, and no reason was given: give a reason that is not blank").
			With("violation", "missing_reason")
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
