package server

import (
	"bytes"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram/internal/testutil"
)

var studioLine = regexp.MustCompile(`(?m)^studio: (http://127\.0\.0\.1:\d+/)#token=(\S+)$`)

// TestTheStudioIsServedBesideTheServer opens the page by the address that was printed.
func TestTheStudioIsServedBesideTheServer(t *testing.T) {
	t.Parallel()
	cmd := program(t, "-studio", "-read-only=false")
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	cmd.Stderr = log
	session := connect(t, &sdk.CommandTransport{Command: cmd})
	var found [][]byte
	testutil.WaitFor(t, "the address", func() bool {
		text, err := os.ReadFile(log.Name())
		found = studioLine.FindSubmatch(text)
		return err != nil || found != nil
	})
	page, token := string(found[1]), string(found[2])
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	status := func(method, path, body string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, page+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	if got := status("GET", "", ""); got != http.StatusOK {
		t.Errorf("the page: %d", got)
	}
	if got := status("GET", "about", ""); got != http.StatusUnauthorized {
		t.Errorf("without the cookie: %d", got)
	}
	if got := status("POST", "session", `{"token":"`+token+`"}`); got != http.StatusNoContent {
		t.Errorf("the token: %d", got)
	}
	if got := status("GET", "about", ""); got != http.StatusOK {
		t.Errorf("with the cookie: %d", got)
	}
	if result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "health_check"}); err != nil || result.IsError {
		t.Errorf("the server beside it: %v %+v", err, result)
	}
	if text, err := os.ReadFile(log.Name()); err != nil || bytes.Count(text, []byte(token)) != 1 {
		t.Errorf("the token is printed %d times, %v", bytes.Count(text, []byte(token)), err)
	}
	if err := session.Close(); err != nil {
		t.Errorf("it does not end with its client: %v", err)
	}
}

func TestTheStudioIsLocalUnlessToldSo(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	for _, c := range []struct{ flag, message string }{
		{"-studio=0.0.0.0:0", "-listen-wide"},
		{"-studio=:0", "-listen-wide"},
		{"-studio=example.org:0", "-listen-wide"},
		{"-studio=8081", "HOST:PORT"},
	} {
		out, err := program(t, c.flag).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.message) || strings.Contains(string(out), "#token") {
			t.Errorf("%s: %v\n%s", c.flag, err, out)
		}
	}
}
