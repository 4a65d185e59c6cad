package chemigram

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/notebook"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/transcript"
	"github.com/chemigram/chemigram/internal/workspace"
)

// appendForever appends lines to the logs and a transcript of a workspace, until
// it is killed. It acknowledges each that is written with a line of its own.
func appendForever(args []string) error {
	root, ctx := args[0], context.Background()
	e, err := Open(ctx, &Options{Workspace: root, Darktable: filepath.Join(root, "no-darktable-here")})
	if err != nil {
		return err
	}
	session, err := e.BeginSession(ctx, nil)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		said := fmt.Sprintf("%d-%d", os.Getpid(), n)
		_, gapErr := e.notebook.LogGap(ctx, notebook.Gap{ImageID: "a", Description: said, Workaround: "none"})
		if err := errors.Join(gapErr, e.Audit(ctx, burnt(said))); err != nil {
			return err
		}
		session.Call(ctx, "burn", fmt.Appendf(nil, "{%q: %q}", "said", said))(nil, nil)
		fmt.Println(said)
	}
}

// burnt is the record of a call of a program's own verb.
func burnt(said string) AuditRecord {
	return AuditRecord{Verb: "burn", Reason: "a test", Params: fmt.Appendf(nil, "{%q: %q}", "said", said), Outcome: "ok"}
}

// Two processes append to the same logs, and to transcripts of their own, until
// each is killed: nothing that was acknowledged is lost, and at most the last line
// of each is torn.
func TestTheLogsOutliveTheirWriters(t *testing.T) {
	e := openWithout(t, Options{})
	var acknowledged []string
	for round := range 3 {
		writers := []*testutil.Worker{
			testutil.StartWorker(t, "append", e.workspace.Root()), testutil.StartWorker(t, "append", e.workspace.Root()),
		}
		for _, w := range writers {
			n := 0
			for line := range w.Lines() {
				acknowledged = append(acknowledged, string(line))
				if n++; n == 5+3*round {
					break
				}
			}
		}
		for _, w := range writers {
			w.Kill()
		}
		for _, w := range writers {
			for line := range w.Lines() {
				acknowledged = append(acknowledged, string(line))
			}
			if err := w.Wait(); err != nil {
				t.Errorf("a writer gave up: %v", err)
			}
		}
	}
	const whole = "after all"
	if _, err := e.notebook.LogGap(t.Context(), notebook.Gap{ImageID: "a", Description: whole, Workaround: "none"}); err != nil {
		t.Fatal(err)
	}
	if err := e.Audit(t.Context(), burnt(whole)); err != nil {
		t.Fatal(err)
	}
	for _, log := range []string{workspace.GapLog, workspace.AuditLog} {
		data, err := os.ReadFile(e.workspace.Path(log))
		if err != nil {
			t.Fatal(err)
		}
		torn := 0
		for line := range bytes.Lines(data) {
			if !json.Valid(line) {
				torn++
			}
		}
		if torn > 6 {
			t.Errorf("%s has %d torn lines after 6 writers were killed", log, torn)
		}
		for _, said := range append(acknowledged, whole) {
			if n := bytes.Count(data, []byte(`"`+said+`"`)); n != 1 {
				t.Errorf("%s has %s %d times", log, said, n)
			}
		}
	}
	wantTranscripts(t, e, 6, acknowledged)
}

// wantTranscripts looks at the transcripts of processes that were killed: each
// has the calls of one process, whole and in their order.
func wantTranscripts(t *testing.T, e *Engine, sessions int, acknowledged []string) {
	t.Helper()
	list, err := e.ListTranscripts(t.Context(), ListTranscriptsParams{})
	if err != nil {
		t.Fatal(err)
	}
	if list.Total != sessions {
		t.Errorf("%d processes left %d transcripts", sessions, list.Total)
	}
	kept := map[string]bool{}
	for _, about := range list.Transcripts {
		if about.Ended || about.BegunAt == "" || about.Skipped > 1 {
			t.Errorf("a killed session: %+v, want its beginning, no end, and 1 torn line at most", about)
		}
		var calls []transcript.Call
		_, err := transcript.Read(t.Context(), e.workspace, string(about.SessionID), func(c transcript.Call) error {
			calls = append(calls, c)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var writer string
		for i, call := range calls {
			said, _ := call.Params["said"].(string)
			pid, n, _ := strings.Cut(said, "-")
			if writer = cmp.Or(writer, pid); pid != writer || n != strconv.Itoa(i) || call.N != i+1 || call.Outcome != "ok" {
				t.Errorf("call %d of process %s is %+v", i+1, writer, call)
			}
			kept[said] = true
		}
	}
	for _, said := range acknowledged {
		if !kept[said] {
			t.Errorf("no transcript has %s", said)
		}
	}
}
