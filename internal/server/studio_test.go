package server

import (
	"bytes"
	"encoding/json"
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
	workspace := filepath.Join(t.TempDir(), "workspace")
	cmd := program(t, "-studio", "-read-only=false", "-workspace", workspace)
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
	opened, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "open_studio"})
	if err != nil || opened.IsError {
		t.Fatalf("open_studio: %v %+v", err, opened)
	}
	if answer, err := json.Marshal(opened.StructuredContent); err != nil || !bytes.Contains(answer, []byte(page+"#token="+token)) {
		t.Errorf("open_studio gives %s, %v", answer, err)
	}
	if text, err := os.ReadFile(log.Name()); err != nil || bytes.Count(text, []byte(token)) != 1 {
		t.Errorf("the token is printed %d times, %v", bytes.Count(text, []byte(token)), err)
	}
	if err := session.Close(); err != nil {
		t.Errorf("it does not end with its client: %v", err)
	}
	files := 0
	err = filepath.WalkDir(workspace, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(token)) {
			t.Errorf("the token is in %s", path)
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files, %v", files, err)
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
