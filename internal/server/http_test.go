package server

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/rawtest"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const testToken = "0123456789abcdef"

// ask sends a request to a server and gives the answer, without its body.
func ask(t *testing.T, method, url, body string, header map[string]string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		if name == "Host" {
			req.Host = value
		}
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp
}

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`

// TestAPageOfATrustedOriginIsServedInABrowser does what a browser does: it asks first,
// without the token, and shows the page only what the answer allows.
func TestAPageOfATrustedOriginIsServedInABrowser(t *testing.T) {
	t.Parallel()
	const trusted = "https://app.example"
	cmd := program(t, "-http", anyPort, "-origins", trusted+", https://other.example")
	cmd.Env = append(cmd.Env, "CHEMIGRAM_TOKEN="+testToken)
	url, _ := testutil.ServeHTTP(t, cmd)

	preflight := func(origin string) *http.Response {
		return ask(t, http.MethodOptions, url, "", map[string]string{
			"Origin": origin, "Access-Control-Request-Method": "POST", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors",
			"Access-Control-Request-Headers": "authorization, content-type, mcp-protocol-version, mcp-method, x-evil", "Access-Control-Request-Private-Network": "true",
		})
	}
	resp := preflight(trusted)
	h := resp.Header
	if resp.StatusCode != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != trusted || !strings.Contains(h.Get("Access-Control-Allow-Methods"), "POST") ||
		h.Get("Access-Control-Allow-Headers") != "authorization, content-type, mcp-protocol-version, mcp-method" ||
		h.Get("Access-Control-Allow-Private-Network") != "true" || !strings.Contains(strings.Join(h.Values("Vary"), ","), "Origin") || h.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("the preflight of a trusted page: %s %v", resp.Status, h)
	}
	for _, origin := range []string{"https://evil.example", "null", "https://app.example.evil", "http://app.example"} {
		if resp := preflight(origin); resp.StatusCode != http.StatusForbidden || resp.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("the preflight of %s: %s %v, want 403 and no permission", origin, resp.Status, resp.Header)
		}
	}

	post := func(origin, token string) *http.Response {
		header := map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + token}
		if origin != "" {
			header["Origin"], header["Sec-Fetch-Site"] = origin, "cross-site"
		}
		return ask(t, http.MethodPost, url, listTools, header)
	}
	for _, c := range []struct {
		origin, token string
		status        int
		readable      bool
	}{
		{trusted, testToken, http.StatusOK, true},
		{"https://other.example", testToken, http.StatusOK, true},
		{trusted, "wrong", http.StatusUnauthorized, true},
		{"https://evil.example", testToken, http.StatusForbidden, false},
		{"null", testToken, http.StatusForbidden, false},
		{"", testToken, http.StatusOK, false},
	} {
		resp := post(c.origin, c.token)
		if readable := resp.Header.Get("Access-Control-Allow-Origin") == c.origin && c.origin != ""; resp.StatusCode != c.status || readable != c.readable {
			t.Errorf("origin %q, token %s: %s, readable %v; want %d, %v", c.origin, c.token, resp.Status, readable, c.status, c.readable)
		}
	}
	if resp := ask(t, http.MethodGet, url, "", map[string]string{"Origin": "https://evil.example", "Authorization": "Bearer " + testToken, "Accept": "text/event-stream"}); resp.StatusCode != http.StatusForbidden {
		t.Errorf("a GET of an evil page: %s", resp.Status)
	}
}

// TestAnotherHostNameIsRefused is against a page whose own name leads to the server.
func TestAnotherHostNameIsRefused(t *testing.T) {
	t.Parallel()
	url, _ := testutil.ServeHTTP(t, program(t, "-http", anyPort, "-without-token"))
	header := map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	if resp := ask(t, http.MethodPost, url, listTools, header); resp.StatusCode != http.StatusOK {
		t.Errorf("the local address: %s", resp.Status)
	}
	header["Host"], header["Origin"] = "evil.example", "http://evil.example"
	if resp := ask(t, http.MethodPost, url, listTools, header); resp.StatusCode != http.StatusForbidden {
		t.Errorf("another host name: %s, want 403", resp.Status)
	}
}

func TestATokenIsReadFromAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("  "+testToken+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	url, _ := testutil.ServeHTTP(t, program(t, "-http", anyPort, "-token-file", file))
	for token, want := range map[string]int{testToken: http.StatusOK, "wrong": http.StatusUnauthorized} {
		resp := ask(t, http.MethodPost, url, listTools, map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + token,
		})
		if resp.StatusCode != want {
			t.Errorf("%s: %s, want %d", token, resp.Status, want)
		}
	}
}

// TestTheTokenLeavesTheServerNowhere looks at what darktable is started with, at a
// printed configuration, and at the log.
func TestTheTokenLeavesTheServerNowhere(t *testing.T) {
	t.Parallel()
	seen := filepath.Join(t.TempDir(), "environment")
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{})
	wrapper := filepath.Join(t.TempDir(), "darktable-cli")
	if err := os.WriteFile(wrapper, []byte("#!/bin/sh\n{ env; echo \"$0 $*\"; cat /proc/$PPID/environ | tr '\\0' '\\n' >/dev/null; } >>"+seen+"\nexec "+fake.CLI+" \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := program(t, "-darktable", wrapper, "-http", anyPort)
	cmd.Env = append(cmd.Env, "CHEMIGRAM_TOKEN="+testToken)
	url, log := testutil.ServeHTTP(t, cmd)
	session := connect(t, &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer(testToken)}})
	mustCall(t, session, "ingest", map[string]any{"raw_path": rawtest.Chart(t, "a.dng", dng.Options{})})
	for _, args := range [][]string{{"-token", testToken}, {"--token=" + testToken}, {"-token=" + testToken, "-http", "127.0.0.1:1"}} {
		cmd := program(t, append([]string{"-print-config", "cursor", "-groups", "core"}, args...)...)
		cmd.Env = append(cmd.Env, "CHEMIGRAM_TOKEN="+testToken)
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Contains(string(out), testToken) || !strings.Contains(string(out), "core") {
			t.Errorf("a printed configuration: %v\n%s", err, out)
		}
	}
	for _, file := range []string{seen, log.Name()} {
		text, err := os.ReadFile(file)
		if err != nil || len(text) == 0 || strings.Contains(string(text), testToken) || strings.Contains(string(text), "CHEMIGRAM_TOKEN") {
			t.Errorf("%s: %v\n%s", filepath.Base(file), err, text)
		}
	}
}

func TestARequestThatIsTooLongIsRefused(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	url, _ := testutil.ServeHTTP(t, program(t, "-http", anyPort, "-without-token"))
	req, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodPost, url, strings.NewReader(strings.Repeat("x", 65<<20)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return // the server has closed the connection
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("65 MB: %s", resp.Status)
	}
}
