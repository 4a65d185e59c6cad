package chemigram

import (
	"context"
	"time"

	"github.com/chemigram/chemigram/internal/proving"
)

// ProveParams are the parameters of Prove.
type ProveParams struct {
	// Entries names the moves to prove. Default: all, unless masks are named.
	Entries []string `json:"move_names,omitempty"`
	// Masks names the masks to prove. Default: all, unless moves are named.
	Masks []string `json:"mask_names,omitempty"`
	// Again proves also what has a proof on this darktable already.
	Again bool `json:"again,omitempty"`
	// Background returns at once; health_check says how far the proof is.
	Background bool `json:"background,omitempty"`
	// TimeoutSeconds limits darktable's time for each picture.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// ProveResult says what of the whole vocabulary holds on the installed darktable.
type ProveResult struct {
	// Darktable is its version.
	Darktable string `json:"darktable"`
	// Identity is a SHA-256 of its program, modules and data.
	Identity string `json:"identity"`
	// Total number of moves and masks.
	Total int `json:"total"`
	// Proven is how many hold here.
	Proven int `json:"holding"`
	// Skipped is how many need another darktable.
	Skipped int `json:"skipped"`
	// Missing is how many have no proof here yet.
	Missing int `json:"missing"`
	// Failures are those that do not do here what they say.
	Failures []ProofFailure `json:"failures"`
	// Page with pictures; empty while the proof goes on.
	Page string `json:"page,omitempty"`
	// Report is the same as JSON.
	Report string `json:"report,omitempty"`
}

// ProofFailure is a move or a mask whose proof failed.
type ProofFailure struct {
	// Name of the move or the mask.
	Name string `json:"name"`
	// Says what was measured.
	Says string `json:"says"`
}

// Prove proves the moves and the named masks on this very darktable: it develops painted
// scenes with and without each, and measures whether what the move says holds. Each proof
// is kept at once; what has one is left out the next time, until the move or darktable
// changes. A move whose proof failed is refused from then on, unless the engine allows it
// by name. All of them take many minutes.
func (e *Engine) Prove(ctx context.Context, p ProveParams) (_ ProveResult, err error) {
	defer seal(&err, "prove", "")
	if err := e.validateWrite(&p); err != nil {
		return ProveResult{}, err
	}
	params := proving.Params{
		Entries: p.Entries, Masks: p.Masks, Again: p.Again,
		Limit: time.Duration(float64(p.TimeoutSeconds) * float64(time.Second)),
	}
	if p.Background {
		out, err := e.proofs.Start(e.closing, params)
		return proveResult(out), err
	}
	params.Report = func(now proving.Progress) { reportProgress(ctx, now.Done, now.Total, now.What) }
	ctx, cancel := e.engineContext(ctx)
	defer cancel()
	out, err := e.proofs.Prove(ctx, params)
	return proveResult(out), err
}

func proveResult(out proving.Outcome) ProveResult {
	res := ProveResult{
		Darktable: out.Darktable, Identity: out.Identity, Total: out.Total, Proven: out.Proven, Skipped: out.Skipped,
		Missing: out.Missing, Failures: []ProofFailure{}, Page: out.Page, Report: out.Report,
	}
	for _, f := range out.Failures {
		res.Failures = append(res.Failures, ProofFailure{Name: f.Name, Says: f.Says})
	}
	return res
}
