package mcp

import (
	"context"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

func TestAToolAsksThePerson(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		action string
		want   chemigram.Code
	}{{"accept", ""}, {"decline", chemigram.ErrPermission}, {"cancel", chemigram.ErrPermission}} {
		executed, asked := 0, 0
		spec := probeSpec
		spec.Ask = "Shall it be written?"
		server := NewServer(nil, &Options{Tools: []Tool{Bind(spec, func(_ context.Context, p probeParams) (probeResult, error) {
			executed++
			return probeResult{Got: p}, nil
		})}})
		session := connectAs(t, server, &sdk.Implementation{Name: "t", Version: "1"}, &sdk.ClientOptions{
			ElicitationHandler: func(_ context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				asked++
				if req.Params.Message != spec.Ask {
					t.Errorf("asked %q", req.Params.Message)
				}
				return &sdk.ElicitResult{Action: c.action}, nil
			},
		})
		a := callTool(t, session, "probe", map[string]any{"id": "a"})
		if a.code() != c.want || asked != 1 || (executed == 1) != (c.want == "") {
			t.Errorf("%s: asked %d times, executed %d times: %+v", c.action, asked, executed, a.Error)
		}
	}
}

func TestAClientWithoutElicitationIsServed(t *testing.T) {
	t.Parallel()
	spec := probeSpec
	spec.Ask = "Shall it be written?"
	if a := callTool(t, serve(t, Bind(spec, echo)), "probe", map[string]any{"id": "a"}); !a.Success {
		t.Errorf("%+v", a.Error)
	}
}

// The person sees the file and the lines that are written.
func TestThePersonSeesWhatIsWritten(t *testing.T) {
	t.Parallel()
	for propose, confirm := range map[string]string{"propose_taste_update": "confirm_taste_update", "propose_notes_update": "confirm_notes_update"} {
		t.Run(confirm, func(t *testing.T) {
			t.Parallel()
			s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, &Options{Groups: Groups()})
			arguments := map[string]any{"content": "I like deep shadows in the north."}
			if propose == "propose_taste_update" {
				arguments["category"] = "appearance"
			} else {
				arguments["image_id"] = "a"
			}
			proposed := s.call(t, propose, arguments)
			if !proposed.Success {
				t.Fatalf("%+v", proposed.Error)
			}
			var asked []string
			session := connectAs(t, NewServer(s.engine, nil), &sdk.Implementation{Name: "t", Version: "1"}, &sdk.ClientOptions{
				ElicitationHandler: func(_ context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					asked = append(asked, req.Params.Message)
					return &sdk.ElicitResult{Action: "accept"}, nil
				},
			})
			if a := callTool(t, session, confirm, map[string]any{"proposal_id": "aaaaaaaaaaaaaaaa"}); a.code() != chemigram.ErrNotFound {
				t.Errorf("an unknown proposal: %+v", a.Error)
			}
			if a := callTool(t, session, confirm, map[string]any{"proposal_id": proposed.Data["proposal_id"]}); !a.Success {
				t.Errorf("%+v", a.Error)
			}
			if len(asked) != 2 || !strings.Contains(asked[1], "+") || !strings.Contains(asked[1], "deep shadows in the north") || !strings.Contains(asked[1], ".md") {
				t.Errorf("asked %q", asked)
			}
		})
	}
}
