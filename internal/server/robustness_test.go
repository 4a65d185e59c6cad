package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/rawtest"
)

// fixture is a workspace with one edited image, "a", and a fake darktable that has
// worked once, for that image, and then behaves as a test wants.
type fixture struct {
	workspace string
	fake      *testutil.Fake
}

func newFixture(tb testing.TB, then ...testutil.Behaviour) fixture {
	tb.Helper()
	f := fixture{
		workspace: filepath.Join(tb.TempDir(), "workspace"),
		fake:      testutil.FakeDarktable(tb, testutil.FakeOptions{Script: append([]testutil.Behaviour{testutil.Works}, then...)}),
	}
	raw := rawtest.Chart(tb, "a.dng", dng.Options{})
	session := connect(tb, &sdk.CommandTransport{Command: f.program(tb)})
	mustCall(tb, session, "ingest", map[string]any{"raw_path": raw, "image_id": "a"})
	mustCall(tb, session, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "exposure", "value": 0.5})
	if err := session.Close(); err != nil {
		tb.Fatal(err)
	}
	return f
}

func (f fixture) program(tb testing.TB, args ...string) *exec.Cmd {
	tb.Helper()
	return program(tb, append([]string{
		"-workspace", f.workspace, "-darktable", f.fake.CLI, "-workers", "-1", "-groups", "all", "-transcripts=false",
	}, args...)...)
}

// checkUnchanged waits until the files of the workspace are as before, which a call that
// was cut off may still be tidying up, and fails the test when they are not or when a
// new server finds the workspace damaged.
func (f fixture) checkUnchanged(tb testing.TB, before map[string]string) {
	tb.Helper()
	var diff string
	defer func() {
		if diff != "" {
			tb.Errorf("the workspace changed (-before +after):\n%s", diff)
		}
	}()
	testutil.WaitFor(tb, "the workspace to be as it was", func() bool {
		diff = cmp.Diff(before, f.contents(tb))
		return diff == ""
	})
	session := connect(tb, &sdk.CommandTransport{Command: f.program(tb)})
	mustCall(tb, session, "get_state", map[string]any{"image_id": "a"})
	if found := mustCall(tb, session, "verify", nil)["findings"]; len(found.([]any)) > 0 {
		tb.Errorf("faults: %v", found)
	}
}

// contents are the files of the workspace, without the folders: a call may make one.
func (f fixture) contents(tb testing.TB) map[string]string {
	tb.Helper()
	files := testutil.Contents(tb, f.workspace)
	maps.DeleteFunc(files, func(_, content string) bool { return strings.HasPrefix(content, "d") })
	return files
}

// mustCall calls a tool that has to succeed, and returns its data.
func mustCall(tb testing.TB, session *sdk.ClientSession, tool string, arguments map[string]any) map[string]any {
	tb.Helper()
	result, err := session.CallTool(tb.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil || result.IsError {
		tb.Fatalf("%s: %v %+v", tool, err, result)
	}
	envelope, _ := result.StructuredContent.(map[string]any)
	data, _ := envelope["data"].(map[string]any)
	return data
}

// rawServer is a running server whose messages the test writes and reads as lines.
type rawServer struct {
	*exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *bytes.Buffer
}

func (f fixture) start(tb testing.TB) rawServer {
	tb.Helper()
	s := rawServer{Cmd: f.program(tb), stderr: &bytes.Buffer{}}
	s.Stderr = s.stderr
	in, err := s.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := s.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Process.Kill() })
	s.in, s.out = in, bufio.NewReader(out)
	s.send(tb, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
		`"capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	s.receive(tb)
	s.send(tb, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

func (s rawServer) send(tb testing.TB, text string) {
	tb.Helper()
	if _, err := io.WriteString(s.in, text+"\n"); err != nil {
		tb.Fatal(err)
	}
}

func (s rawServer) call(tb testing.TB, id int, tool, arguments string) {
	tb.Helper()
	s.send(tb, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments))
}

func (s rawServer) receive(tb testing.TB) string {
	tb.Helper()
	text, err := s.out.ReadString('\n')
	if err != nil || !json.Valid([]byte(text)) {
		tb.Fatalf("%v: %.300q", err, text)
	}
	return text
}

// end waits until the server has ended, and returns the rest of its output.
func (s rawServer) end(tb testing.TB) (rest string, err error) {
	tb.Helper()
	data, readErr := io.ReadAll(s.out)
	if readErr != nil {
		tb.Fatal(readErr)
	}
	err = s.Wait()
	if strings.Contains(s.stderr.String(), "panic") {
		tb.Errorf("it panicked:\n%s", s.stderr)
	}
	return string(data), err
}

func TestTwentyMegabytesOverStdioAreAnswered(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	f := newFixture(t, testutil.Works)
	before := f.contents(t)
	s := f.start(t)
	s.call(t, 1, "apply_primitive", `{"image_id":"a","primitive_name":"`+strings.Repeat("x", 20<<20)+`"}`)
	if got := s.receive(t); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, `"recoverable":true`) || len(got) > 4000 {
		t.Errorf("answered with %d bytes: %.300s", len(got), got)
	}
	s.call(t, 2, "get_state", `{"image_id":"a"}`)
	if got := s.receive(t); !strings.Contains(got, `"id":2`) || strings.Contains(got, `"isError":true`) {
		t.Errorf("the next call: %.300s", got)
	}
	_ = s.in.Close()
	if _, err := s.end(t); err != nil {
		t.Errorf("it ended with %v", err)
	}
	f.checkUnchanged(t, before)
}

// A line that is no message is answered as JSON-RPC wants it, and the session goes on.
func TestALineThatIsNoMessageIsAnswered(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	before := f.contents(t)
	s := f.start(t)
	for line, want := range map[string]string{
		`hello`: `"id":null,"jsonrpc":"2.0","code":-32700`,
		`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":NaN}}`: `"id":null,"jsonrpc":"2.0","code":-32700`,
		`{"jsonrpc":"2.0","id":7,"method":"ping"} and more`:           `"id":null,"jsonrpc":"2.0","code":-32700`,
		"\ufeff" + `{"jsonrpc":"2.0","id":7,"method":"ping"}`:         `"id":null,"jsonrpc":"2.0","code":-32700`,
		`null`:                       `"id":null,"jsonrpc":"2.0","code":-32600`,
		`{}`:                         `"id":null,"jsonrpc":"2.0","code":-32600`,
		`{"id":7,"method":"ping"}`:   `"id":7,"jsonrpc":"2.0","code":-32600`,
		`{"id":"é","method":"ping"}`: `"id":"é","jsonrpc":"2.0","code":-32600`,
		`{"jsonrpc":"2.0","id":12345678901234567890,"method":5}`: `"id":12345678901234567890,"jsonrpc":"2.0","code":-32600`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`:              `"id":null,"jsonrpc":"2.0","code":-32600`,
		`[]`: `"id":null,"jsonrpc":"2.0","code":-32600`,
		`[{"jsonrpc":"2.0","id":7,"method":"ping"}]`: `"id":null,"jsonrpc":"2.0","code":-32600`, // of a revision without batches
		`{"jsonrpc":"2.0","id":7,"method":"ping","params":` + strings.Repeat("[", 1200) + strings.Repeat("]", 1200) + `}`: `"id":7,"jsonrpc":"2.0","code":-32600`,
	} {
		s.send(t, line)
		var got struct {
			JSONRPC string
			ID      json.RawMessage
			Error   struct{ Code int }
		}
		if err := json.Unmarshal([]byte(s.receive(t)), &got); err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprintf(`"id":%s,"jsonrpc":%q,"code":%d`, got.ID, got.JSONRPC, got.Error.Code); text != want {
			t.Errorf("%.90s: %s, want %s", line, text, want)
		}
	}
	for _, nothing := range []string{"", "  ", "\r"} {
		s.send(t, nothing)
	}
	s.call(t, 99, "get_state", `{"image_id":"a"}`)
	if got := s.receive(t); !strings.Contains(got, `"id":99`) || strings.Contains(got, `"isError":true`) {
		t.Errorf("the next call: %.300s", got)
	}
	_ = s.in.Close()
	if _, err := s.end(t); err != nil {
		t.Errorf("it ended with %v", err)
	}
	f.checkUnchanged(t, before)
}

// Revisions that have batches keep them.
func TestABatchIsAnsweredWhereThereAreBatches(t *testing.T) {
	t.Parallel()
	r := messageReader{answers: io.Discard, logger: slog.New(slog.DiscardHandler), lines: bufio.NewReader(strings.NewReader(
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}` + "\n" +
			`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]` + "\n" +
			`[{"jsonrpc":"2.0","id":3,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"ping"}]` + "\n" +
			`[{"jsonrpc":"2.0","id":4,"method":"ping"},5]` + "\n" + `[]` + "\n" +
			`{"jsonrpc":"2.0","id":5,"method":"ping"}`))}
	got, err := io.ReadAll(&r)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range []bool{true, true, true, false, false, true} {
		if strings.Contains(string(got), fmt.Sprintf(`"id":%d`, id)) != want {
			t.Errorf("id %d is passed on: %t:\n%s", id, !want, got)
		}
	}
}

// A request that is longer than the transport's limit ends the server.
func TestATooLongRequestEndsTheServer(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	f := newFixture(t, testutil.Works)
	before := f.contents(t)
	s := f.start(t)
	chunk := bytes.Repeat([]byte("x"), 1<<20)
	var err error
	for sent := 0; err == nil && sent < 4*maxLineBytes; sent += len(chunk) {
		_, err = s.in.Write(chunk)
	}
	if err == nil {
		t.Errorf("it took %d MB in one line", 4*maxLineBytes>>20)
	}
	if _, err := s.end(t); err == nil {
		t.Error("it ended with status 0")
	}
	f.checkUnchanged(t, before)
}

// However a client disconnects while darktable runs, darktable ends, and the call has
// written nothing.
func TestAClientThatDisconnectsDuringARenderLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"render_preview", "export_final"} {
		for way, disconnect := range map[string]func(*testing.T, rawServer){
			"end of input": func(t *testing.T, s rawServer) {
				if err := s.in.Close(); err != nil {
					t.Fatal(err)
				}
			},
			"a line that is not JSON": func(t *testing.T, s rawServer) {
				s.send(t, "this is not JSON")
				if err := s.in.Close(); err != nil {
					t.Fatal(err)
				}
			},
			"half a line": func(t *testing.T, s rawServer) {
				if _, err := io.WriteString(s.in, `{"jsonrpc":"2.0","id":2,"meth`); err != nil {
					t.Fatal(err)
				}
				if err := s.in.Close(); err != nil {
					t.Fatal(err)
				}
			},
		} {
			t.Run(tool+", "+way, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, testutil.HangsInChild)
				before := f.contents(t)
				s := f.start(t)
				s.call(t, 1, tool, `{"image_id":"a"}`)
				testutil.WaitFor(t, "darktable to run", func() bool { return len(f.fake.Running()) > 0 })
				disconnect(t, s)
				rest, _ := s.end(t)
				if left := f.fake.Running(); len(left) > 0 {
					t.Errorf("darktable still runs: %v", left)
				}
				for text := range strings.Lines(rest) {
					if !json.Valid([]byte(text)) {
						t.Errorf("it writes to stdout what is not JSON: %q", text)
					}
				}
				f.checkUnchanged(t, before)
			})
		}
	}
}

// Calls that read, render and edit one image: every call succeeds, and the history has
// one record for each edit that reported a change.
func TestSixtyFourCallsAtOnceOverStdio(t *testing.T) {
	t.Parallel()
	f := newFixture(t, testutil.Works)
	session := connect(t, &sdk.CommandTransport{Command: f.program(t)})
	before := mustCall(t, session, "log", map[string]any{"image_id": "a"})["total"].(float64)
	var clients sync.WaitGroup
	edits := make(chan bool, 64)
	for n := range 64 {
		clients.Go(func() {
			tool, arguments := "get_state", map[string]any{"image_id": "a"}
			switch n % 4 {
			case 1:
				tool = "render_preview"
			case 2:
				tool, arguments["ref_or_hash"] = "describe_state", "HEAD"
			case 3:
				tool, arguments["primitive_name"], arguments["value"] = "apply_primitive", "exposure", float64(n)/100
			}
			result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
			if err != nil || result.IsError {
				t.Errorf("%s: %v %+v", tool, err, result)
				return
			}
			data := result.StructuredContent.(map[string]any)["data"].(map[string]any)
			if changed, edit := data["changed"].(bool); edit && tool == "apply_primitive" {
				edits <- changed
			}
		})
	}
	clients.Wait()
	close(edits)
	made, changes := 0, 0
	for changed := range edits {
		made++
		if changed {
			changes++
		}
	}
	after := mustCall(t, session, "log", map[string]any{"image_id": "a"})["total"].(float64)
	if made != 16 || changes == 0 || after != before+float64(changes) {
		t.Errorf("%d edits, %d changed something; the history went from %v to %v", made, changes, before, after)
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	f.checkUnchanged(t, f.contents(t))
}

// However a server is told to end while a darktable that ignores signals runs, it ends
// in twelve seconds, and darktable with it.
func TestItEndsInTwelveSecondsWhateverRuns(t *testing.T) {
	t.Parallel()
	for way, end := range map[string]func(s rawServer) error{
		"closed stdin": func(s rawServer) error { return s.in.Close() },
		"SIGTERM":      func(s rawServer) error { return s.Process.Signal(syscall.SIGTERM) },
	} {
		for _, tool := range []string{"render_preview", "export_batch"} {
			t.Run(way+", "+tool, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, testutil.IgnoresTerm)
				s := f.start(t)
				arguments := `{"image_id":"a"}`
				if tool == "export_batch" {
					arguments = `{"items":[{"image_id":"a"}]}`
				}
				s.call(t, 1, tool, arguments)
				testutil.WaitFor(t, "darktable to run", func() bool { return len(f.fake.Running()) > 0 })
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					_, _ = s.end(t)
				}()
				if err := end(s); err != nil {
					t.Fatal(err)
				}
				select {
				case <-ended:
				case <-time.After(time.Minute):
					t.Error("it still runs after a minute")
				}
				testutil.WaitFor(t, "darktable to be gone", func() bool { return len(f.fake.Running()) == 0 })
			})
		}
	}
}
