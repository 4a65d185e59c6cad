package mcp

import (
	"context"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
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
