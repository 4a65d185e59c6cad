package chemigram

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/workspace"
)

func TestADestructiveVerbLeavesItsIntentAndItsOutcome(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	ctx := WithActor(t.Context(), "a person")
	if _, err := e.DeleteImage(t.Context(), DeleteImageParams{ImageID: "a"}); err == nil {
		t.Fatal("deleted without a reason")
	}
	if _, err := os.Stat(e.workspace.Path(workspace.AuditLog)); err == nil {
		t.Error("a call that was refused is in the audit log")
	}
	if _, err := e.DeleteRef(ctx, DeleteRefParams{ImageID: "a", Name: "nothing", Reason: "it is blurred"}); err == nil {
		t.Fatal("deleted a ref that is not there")
	}
	if _, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "it is blurred"}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(e.workspace.Path(workspace.AuditLog))
	if err != nil {
		t.Fatal(err)
	}
	var got []AuditRecord
	for dec := json.NewDecoder(bytes.NewReader(data)); dec.More(); {
		var r AuditRecord
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if r.Time.IsZero() {
			t.Errorf("%s has no time", r.Verb)
		}
		got = append(got, r)
	}
	var want []AuditRecord
	for _, one := range []AuditRecord{
		{Verb: "delete_ref", Outcome: "not_found", Params: json.RawMessage(`{"image_id":"a","name":"nothing"}`)},
		{Verb: "delete_image", Outcome: "ok", Params: json.RawMessage(`{"image_id":"a"}`)},
	} {
		one.Actor, one.Reason = "a person", "it is blurred"
		intent := one
		intent.Outcome = ""
		want = append(want, intent, one)
	}
	var calls []string
	for i := range got {
		calls = append(calls, got[i].Call)
		got[i].Time, got[i].Call = time.Time{}, ""
	}
	if len(calls) != 4 || calls[0] == "" || calls[0] != calls[1] || calls[2] != calls[3] || calls[0] == calls[2] {
		t.Errorf("the records are of the calls %q", calls)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Of a deed that cannot be recorded first, nothing is done.
func TestWhatCannotBeAuditedIsNotDone(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	if err := os.Mkdir(e.workspace.Path(workspace.AuditLog), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := e.DeleteImage(t.Context(), DeleteImageParams{ImageID: "a", Reason: "a test"}); err == nil {
		t.Error("deleted without a record")
	}
	if _, err := e.GetState(t.Context(), GetStateParams{ImageID: "a"}); err != nil {
		t.Errorf("the image: %v", err)
	}
}

func TestTheAuditLogHasNoSecrets(t *testing.T) {
	e := openWithout(t, Options{})
	record := AuditRecord{
		Verb: "x", Actor: "me https://me:hunter22@example.org", Reason: "the password: hunter22",
		Params: json.RawMessage(`{"api-key": 12345678, "note": "use ghp_abcdefghijklmnopqrstuvwxyz0123456789", "image_id": "a"}`),
	}
	if err := e.Audit(t.Context(), record); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(e.WorkspaceDir(), "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"hunter22", "12345678", "ghp_"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%s is in the audit log: %s", secret, text)
		}
	}
	if !strings.Contains(string(text), `"image_id":"a"`) || strings.Count(string(text), "[hidden]") != 4 {
		t.Errorf("the audit log has %s", text)
	}
}
