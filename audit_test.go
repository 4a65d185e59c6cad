package chemigram

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/workspace"
)

func TestADestructiveVerbLeavesOneAuditRecord(t *testing.T) {
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
	want := []AuditRecord{
		{Verb: "delete_ref", Outcome: "not_found", Params: json.RawMessage(`{"image_id":"a","name":"nothing"}`)},
		{Verb: "delete_image", Outcome: "ok", Params: json.RawMessage(`{"image_id":"a"}`)},
	}
	for i := range want {
		want[i].Actor, want[i].Reason = "a person", "it is blurred"
	}
	for i := range got {
		got[i].Time = want[0].Time
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
