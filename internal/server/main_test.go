package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/rawtest"
)

// With CHEMIGRAM_TEST_MAIN=1 the test binary is the server.
func TestMain(m *testing.M) {
	if os.Getenv("CHEMIGRAM_TEST_MAIN") == "1" {
		os.Exit(Main(nil))
	}
	os.Exit(m.Run())
}

// anyPort lets the system choose a port.
const anyPort = "127.0.0.1:0"

// program is a command that starts the server, in a clean environment.
func program(tb testing.TB, args ...string) *exec.Cmd {
	tb.Helper()
	self := testutil.ThisProgram(tb, nil, append([]string{
		"-workspace", filepath.Join(tb.TempDir(), "workspace"), "-darktable", filepath.Join(tb.TempDir(), "none"),
	}, args...)...)
	// It outlives the test's context, which ends before its client is closed.
	cmd := exec.Command(self.Path, self.Args[1:]...)
	home := tb.TempDir()
	cmd.Env = []string{"CHEMIGRAM_TEST_MAIN=1", "HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir()}
	return cmd
}

func connect(tb testing.TB, transport sdk.Transport) *sdk.ClientSession {
	tb.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil).Connect(tb.Context(), transport, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = session.Close() })
	return session
}

func TestItServesOverStdio(t *testing.T) {
	t.Parallel()
	session := connect(t, &sdk.CommandTransport{Command: program(t)})
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "health_check"})
	if err != nil || result.IsError {
		t.Fatalf("health_check: %v %+v", err, result)
	}
}

func TestItServesOverHTTP(t *testing.T) {
	t.Parallel()
	cmd := program(t, "-http", anyPort)
	cmd.Env = append(cmd.Env, "CHEMIGRAM_TOKEN=0123456789abcdef")
	url, _ := testutil.ServeHTTP(t, cmd)

	post := func(token, origin string) int {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		if origin != "" {
			req.Header.Set("Origin", origin)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		return resp.StatusCode
	}
	for _, c := range []struct {
		token, origin string
		want          int
	}{
		{"0123456789abcdef", "", http.StatusOK},
		{"", "", http.StatusUnauthorized},
		{"wrong", "", http.StatusUnauthorized},
		{"0123456789abcdef", "https://evil.example", http.StatusForbidden},
	} {
		if got := post(c.token, c.origin); got != c.want {
			t.Errorf("token %q, origin %q: status %d, want %d", c.token, c.origin, got, c.want)
		}
	}
	session := connect(t, &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer("0123456789abcdef")}})
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "list_images"})
	if err != nil || result.IsError {
		t.Errorf("list_images: %v %+v", err, result)
	}
}

// bearer adds a token to requests.
type bearer string

func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(req)
}

func TestUnsafeFlagsAreRefused(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	for _, c := range []struct{ args, message string }{
		{"-http :8080", "127.0.0.1"},
		{"-http 0.0.0.0:8080", "127.0.0.1"},
		{"-http 0.0.0.0:8080 -listen-wide", "CHEMIGRAM_TOKEN"},
		{"-http 8080", "HOST:PORT"},
		{"-http 127.0.0.1:0", "-without-token"},
		{"-http localhost:0", "CHEMIGRAM_TOKEN"},
		{"-http 127.0.0.1:0 -any-host", "CHEMIGRAM_TOKEN"},
		{"-http 127.0.0.1:0 -any-host -without-token", "CHEMIGRAM_TOKEN"},
		{"-http 127.0.0.1:0 -listen-wide -without-token", "CHEMIGRAM_TOKEN"},
		{"-http 0.0.0.0:0 -listen-wide -without-token", "CHEMIGRAM_TOKEN"},
		{"-http 127.0.0.1:0 -without-token -origins example.org", "https://example.org"},
		{"-token 0123456789abcdefÿ", "letters"},
		{"-token 0123456789abcdef -token-file /dev/null", "one"},
		{"-token-file /dev/zero", "device"},
		{"-token-file /nowhere", "/nowhere"},
		{"-token short", "16"},
		{"-groups core,nothing", "core,masks"},
		{"-tools log,exprot_final", "export_final"},
		{"-print-config notepad", "claude-desktop"},
		{"-log xml", "json"},
		{"serve", "is no folder"},
		{"/dev/null", "is no folder"},
	} {
		out, err := program(t, strings.Fields(c.args)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.message) {
			t.Errorf("%s: %v, whose message lacks %q:\n%s", c.args, err, c.message, out)
		}
	}
}

func TestCheckPrintsHealth(t *testing.T) {
	t.Parallel()
	cmd := program(t, "-check", "-log", "off")
	out, err := cmd.Output()
	var health struct {
		Status string `json:"status"`
		Checks []struct {
			Name, Message string
			OK            bool
		}
	}
	if jsonErr := json.Unmarshal(out, &health); jsonErr != nil {
		t.Fatalf("%v: %s", jsonErr, out)
	}
	if err == nil || health.Status != "degraded" {
		t.Errorf("without darktable: %v, status %q; want status 1 and degraded", err, health.Status)
	}
}

func TestConfigurationsAreReadyToUse(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	for _, name := range clients() {
		out, err := program(t, "-print-config", name, "-groups", "core").Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var config map[string]map[string]struct {
			Command string
			Args    []string
		}
		if err := json.Unmarshal(out, &config); err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		server := config[knownClients[name].path[0]]["chemigram"]
		if !filepath.IsAbs(server.Command) || !strings.Contains(strings.Join(server.Args, " "), "-groups core") {
			t.Errorf("%s: %s", name, out)
		}
		if strings.Contains(string(out), "print-config") {
			t.Errorf("%s: the server would print its configuration: %s", name, out)
		}
		cmd := program(t)
		cmd.Args = append([]string{cmd.Args[0]}, server.Args...)
		session := connect(t, &sdk.CommandTransport{Command: cmd})
		if _, err := session.ListTools(t.Context(), nil); err != nil {
			t.Errorf("%s: the server does not answer: %v", name, err)
		}
	}
}

func TestConfigurationsHaveAbsolutePaths(t *testing.T) {
	t.Parallel()
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	list := func(paths ...string) string { return strings.Join(paths, string(filepath.ListSeparator)) }
	got := serverArgs([]string{
		"-groups", "all", "--packs", list("mine", "/theirs"), "-print-config", "zed", "-raw-roots=raws", "-read-only", "-workspace", "w",
	})
	want := []string{
		"-groups", "all", "-packs=" + list(filepath.Join(here, "mine"), "/theirs"),
		"-raw-roots=" + filepath.Join(here, "raws"), "-read-only", "-workspace=" + filepath.Join(here, "w"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFlagsAreEnvironmentVariables(t *testing.T) {
	t.Parallel()
	environ := map[string]string{
		"CHEMIGRAM_READ_ONLY": "true", "CHEMIGRAM_GROUPS": "core", "CHEMIGRAM_RAW_ROOTS": "/a" + string(filepath.ListSeparator) + "/b",
	}
	c, err := parse([]string{"-groups", "admin"}, func(name string) string { return environ[name] }, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if !c.engine.ReadOnly || len(c.engine.RawRoots) != 2 || len(c.groups) != 1 || c.groups[0] != "admin" {
		t.Errorf("got %+v", c)
	}
	c, err = parse([]string{"-tools", "log, merge"}, func(string) string { return "" }, io.Discard)
	if err != nil || c.groups != nil || !slices.Equal(c.tools, []string{"log", "merge"}) {
		t.Errorf("tools by name: %+v, %v", c, err)
	}
	if _, err := parse(nil, func(string) string { return "perhaps" }, io.Discard); err == nil {
		t.Error("an invalid value in the environment is accepted")
	}
}

func TestALineThatIsNotJSONCausesNoPanic(t *testing.T) {
	t.Parallel()
	cmd := program(t)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("this is not JSON\n"), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	if strings.Contains(stderr.String(), "panic") {
		t.Errorf("it panicked:\n%s", stderr.String())
	}
	for line := range strings.Lines(stdout.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("it writes to stdout what is not JSON: %q", line)
		}
	}
}

func TestSIGTERMEndsDarktable(t *testing.T) {
	t.Parallel()
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{Behaviour: testutil.HangsInChild})
	raw := rawtest.Chart(t, "a.dng", dng.Options{})
	cmd := program(t, "-darktable", fake.CLI)
	session := connect(t, &sdk.CommandTransport{Command: cmd})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = session.CallTool(ctx, &sdk.CallToolParams{Name: "ingest", Arguments: map[string]any{"raw_path": raw, "image_id": "a"}})
	}()
	testutil.WaitFor(t, "darktable to run", func() bool { return len(fake.Running()) > 0 })
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	testutil.WaitFor(t, "darktable to be gone", func() bool { return len(fake.Running()) == 0 })
	<-ended
	if ctx.Err() != nil {
		t.Error("the call did not end in a minute")
	}
}
