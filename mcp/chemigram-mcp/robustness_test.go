package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// bench is a workspace with one edited image, "a", and a darktable that works
// for it and then does, call by call, what a test wants.
type bench struct {
	workspace string
	fake      *testutil.Fake
}

func newBench(tb testing.TB, then ...testutil.Behaviour) bench {
	tb.Helper()
	b := bench{
		workspace: filepath.Join(tb.TempDir(), "workspace"),
		fake:      testutil.FakeDarktable(tb, testutil.FakeOptions{Script: append([]testutil.Behaviour{testutil.Works}, then...)}),
	}
	raw := filepath.Join(tb.TempDir(), "a.dng")
	if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 0.05}); err != nil {
		tb.Fatal(err)
	}
	session := connect(tb, &sdk.CommandTransport{Command: b.program(tb)})
	must(tb, session, "ingest", map[string]any{"raw_path": raw, "image_id": "a"})
	must(tb, session, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "exposure", "value": 0.5})
	if err := session.Close(); err != nil {
		tb.Fatal(err)
	}
	return b
}

func (b bench) program(tb testing.TB, args ...string) *exec.Cmd {
	tb.Helper()
	return program(tb, append([]string{
		"-workspace", b.workspace, "-darktable", b.fake.CLI, "-workers", "-1", "-groups", "all", "-transcripts=false",
	}, args...)...)
}

// isIntact fails when the workspace is not byte for byte as it was, or when a
// new server finds a fault in it.
func (b bench) isIntact(tb testing.TB, before map[string]string) {
	tb.Helper()
	if diff := cmp.Diff(before, b.contents(tb)); diff != "" {
		tb.Errorf("the workspace changed (-before +after):\n%s", diff)
	}
	session := connect(tb, &sdk.CommandTransport{Command: b.program(tb)})
	must(tb, session, "get_state", map[string]any{"image_id": "a"})
	if found := must(tb, session, "verify", nil)["findings"]; len(found.([]any)) > 0 {
		tb.Errorf("faults: %v", found)
	}
}

// contents gives the hash of every file of the workspace.
func (b bench) contents(tb testing.TB) map[string]string {
	tb.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(b.workspace), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(b.workspace, path))
		out[path] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// must calls a tool that has to succeed, and gives its data.
func must(tb testing.TB, session *sdk.ClientSession, tool string, arguments map[string]any) map[string]any {
	tb.Helper()
	result, err := session.CallTool(tb.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil || result.IsError {
		tb.Fatalf("%s: %v %+v", tool, err, result)
	}
	envelope, _ := result.StructuredContent.(map[string]any)
	data, _ := envelope["data"].(map[string]any)
	return data
}

// line is a running server that is spoken to in raw lines.
type line struct {
	*exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *bytes.Buffer
}

func (b bench) line(tb testing.TB) line {
	tb.Helper()
	l := line{Cmd: b.program(tb), stderr: &bytes.Buffer{}}
	l.Stderr = l.stderr
	in, err := l.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := l.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := l.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = l.Process.Kill() })
	l.in, l.out = in, bufio.NewReader(out)
	l.send(tb, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
		`"capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	l.receive(tb)
	l.send(tb, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return l
}

func (l line) send(tb testing.TB, text string) {
	tb.Helper()
	if _, err := io.WriteString(l.in, text+"\n"); err != nil {
		tb.Fatal(err)
	}
}

func (l line) call(tb testing.TB, id int, tool, arguments string) {
	tb.Helper()
	l.send(tb, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments))
}

func (l line) receive(tb testing.TB) string {
	tb.Helper()
	text, err := l.out.ReadString('\n')
	if err != nil || !json.Valid([]byte(text)) {
		tb.Fatalf("%v: %.300q", err, text)
	}
	return text
}

// end waits until the server has ended, and gives what it still wrote.
func (l line) end(tb testing.TB) (rest string, err error) {
	tb.Helper()
	data, readErr := io.ReadAll(l.out)
	if readErr != nil {
		tb.Fatal(readErr)
	}
	err = l.Wait()
	if strings.Contains(l.stderr.String(), "panic") {
		tb.Errorf("it panics:\n%s", l.stderr)
	}
	return string(data), err
}

func TestTwentyMegabytesOverStdioAreAnswered(t *testing.T) {
	t.Parallel()
	b := newBench(t, testutil.Works)
	before := b.contents(t)
	l := b.line(t)
	l.call(t, 1, "apply_primitive", `{"image_id":"a","primitive_name":"`+strings.Repeat("x", 20<<20)+`"}`)
	if got := l.receive(t); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, `"recoverable":true`) || len(got) > 4000 {
		t.Errorf("answered with %d bytes: %.300s", len(got), got)
	}
	l.call(t, 2, "get_state", `{"image_id":"a"}`)
	if got := l.receive(t); !strings.Contains(got, `"id":2`) || strings.Contains(got, `"isError":true`) {
		t.Errorf("the next call: %.300s", got)
	}
	_ = l.in.Close()
	if _, err := l.end(t); err != nil {
		t.Errorf("it ended with %v", err)
	}
	b.isIntact(t, before)
}

// A request that is longer than the transport takes ends the server.
func TestARequestWithoutEndEndsTheServer(t *testing.T) {
	t.Parallel()
	b := newBench(t, testutil.Works)
	before := b.contents(t)
	l := b.line(t)
	chunk := bytes.Repeat([]byte("x"), 1<<20)
	var err error
	for sent := 0; err == nil && sent < 4*mostBytes; sent += len(chunk) {
		_, err = l.in.Write(chunk)
	}
	if err == nil {
		t.Errorf("it took %d MB in one line", 4*mostBytes>>20)
	}
	if _, err := l.end(t); err == nil {
		t.Error("it ended with status 0")
	}
	b.isIntact(t, before)
}

// Whatever way a client goes while darktable works, darktable goes too, and
// what the call would have written is not there.
func TestAClientThatGoesMidRenderLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"render_preview", "export_final"} {
		for way, leave := range map[string]func(*testing.T, line){
			"end of input": func(t *testing.T, l line) {
				if err := l.in.Close(); err != nil {
					t.Fatal(err)
				}
			},
			"a line that is no JSON": func(t *testing.T, l line) { l.send(t, "this is no JSON") },
			"half a line": func(t *testing.T, l line) {
				if _, err := io.WriteString(l.in, `{"jsonrpc":"2.0","id":2,"meth`); err != nil {
					t.Fatal(err)
				}
				if err := l.in.Close(); err != nil {
					t.Fatal(err)
				}
			},
		} {
			t.Run(tool+", "+way, func(t *testing.T) {
				t.Parallel()
				b := newBench(t, testutil.HangsInChild)
				before := b.contents(t)
				l := b.line(t)
				l.call(t, 1, tool, `{"image_id":"a"}`)
				testutil.WaitFor(t, "darktable to run", func() bool { return len(b.fake.Running()) > 0 })
				leave(t, l)
				rest, _ := l.end(t)
				if left := b.fake.Running(); len(left) > 0 {
					t.Errorf("darktable still runs: %v", left)
				}
				for text := range strings.Lines(rest) {
					if !json.Valid([]byte(text)) {
						t.Errorf("it writes to stdout what is no JSON: %q", text)
					}
				}
				b.isIntact(t, before)
			})
		}
	}
}

// Readers, renderers and writers of one image: every call is answered, and the
// history has one record for each edit that said it changed something.
func TestSixtyFourCallsAtOnceOverStdio(t *testing.T) {
	t.Parallel()
	b := newBench(t, testutil.Works)
	session := connect(t, &sdk.CommandTransport{Command: b.program(t)})
	before := must(t, session, "log", map[string]any{"image_id": "a"})["total"].(float64)
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
	after := must(t, session, "log", map[string]any{"image_id": "a"})["total"].(float64)
	if made != 16 || changes == 0 || after != before+float64(changes) {
		t.Errorf("%d edits, %d changed something; the history went from %v to %v", made, changes, before, after)
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	b.isIntact(t, b.contents(t))
}
