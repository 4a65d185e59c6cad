package chemigram

import (
	"context"
	"encoding/json"
	"time"
)

// auditLog is the workspace's record of every call that could lose something.
const auditLog = "audit.jsonl"

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
// line that a crash tore is closed by the next. The actor and the reason are the
// context's. The engine's own verbs do so by themselves; this is for a
// program's, and returns what kept the record from being written.
func (e *Engine) Audit(ctx context.Context, verb string, params any, outcome error) (err error) {
	defer seal(&err, "audit", "")
	if err := e.writable(); err != nil {
		return err
	}
	said, err := json.Marshal(params)
	if err != nil {
		return err
	}
	reason, _ := ctx.Value(reasonKey{}).(string)
	line, err := json.Marshal(AuditRecord{
		Time: time.Now().UTC(), Verb: verb, Actor: e.actor(ctx), Reason: reason, Params: said, Outcome: outcomeOf(outcome),
	})
	if err != nil {
		return err
	}
	// The call was executed: that is recorded even when it is cancelled now.
	unlock, err := e.workspace.Lock(context.WithoutCancel(ctx), e.workspace.Path(auditLog+".lock"))
	if err != nil {
		return err
	}
	defer unlock()
	return e.workspace.AppendLine(auditLog, line)
}

// record audits a verb as it returns. That the record cannot be written does not
// undo what was done, so that it is not the verb's error.
func (e *Engine) record(ctx context.Context, verb string, params any, err *error) {
	if fault := e.Audit(ctx, verb, params, *err); fault != nil {
		e.log.ErrorContext(ctx, "no audit record was written", "verb", verb, "error", fault)
	}
}

// outcomeOK is the outcome of a call that succeeded.
const outcomeOK = "ok"

// outcomeOf is "ok" or the code of an error.
func outcomeOf(err error) string {
	if err == nil {
		return outcomeOK
	}
	return string(asError(err).Code)
}
