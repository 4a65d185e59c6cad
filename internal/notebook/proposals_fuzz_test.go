package notebook

import "testing"

func FuzzProposal(f *testing.F) {
	const id = "aaaaaaaaaaaaaaaa"
	f.Add([]byte(`{"proposal_id":"aaaaaaaaaaaaaaaa","kind":"notes","image_id":"a","expires_at":"2026-11-21T10:15:02Z","content":"x"}`))
	f.Add([]byte(`{"proposal_id":"aaaaaaaaaaaaaaaa","expires_at":"soon","settled_at":"2026-11-21T10:15:02Z","answer":"declined"}`))
	f.Add([]byte("{\"proposal_id\":\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := decodeProposal(data, id)
		if err != nil {
			return
		}
		if p.ID != id {
			t.Errorf("the proposal is %q", p.ID)
		}
		if p.pending() && p.forgotten() {
			t.Errorf("%+v waits for an answer, and is forgotten", p)
		}
	})
}
