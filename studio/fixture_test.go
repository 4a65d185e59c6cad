package studio

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/rawtest"
)

// fixture is a page that is served, of an engine with a fake darktable and one image, "a".
type fixture struct {
	engine *chemigram.Engine
	studio *Studio
	url    string // without a slash
	http   *http.Client
}

func newFixture(tb testing.TB, opts *Options) *fixture {
	tb.Helper()
	fake := testutil.FakeDarktable(tb, testutil.FakeOptions{})
	f := serve(tb, chemigram.Options{Darktable: fake.CLI, Workers: -1}, opts)
	f.ingest(tb, "a")
	return f
}

// serve opens an engine and serves its page.
func serve(tb testing.TB, engine chemigram.Options, opts *Options) *fixture {
	tb.Helper()
	f := &fixture{}
	if engine.Workspace == "" {
		engine.Workspace = filepath.Join(tb.TempDir(), "workspace")
	}
	engine.Tastes = filepath.Join(tb.TempDir(), "tastes")
	var err error
	if f.engine, err = chemigram.Open(tb.Context(), &engine); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = f.engine.Close() })
	if f.studio, err = New(f.engine, opts); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = f.studio.Close() })
	server := httptest.NewServer(f.studio)
	tb.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	f.url = server.URL
	jar, err := cookiejar.New(nil)
	if err != nil {
		tb.Fatal(err)
	}
	f.http = &http.Client{Jar: jar}
	return f
}

func (f *fixture) ingest(tb testing.TB, id string) {
	tb.Helper()
	_, err := f.engine.Ingest(tb.Context(), chemigram.IngestParams{RawPath: rawtest.Chart(tb, id+".dng", dng.Options{}), ImageID: chemigram.ImageID(id)})
	if err != nil {
		tb.Fatal(err)
	}
}

// enter exchanges the token for the cookie, as the page does.
func (f *fixture) enter(tb testing.TB) *fixture {
	tb.Helper()
	_, token, _ := strings.Cut(f.studio.Address(f.url+"/"), "#token=")
	if resp := f.ask(tb, "POST", "/session", `{"token":"`+token+`"}`, nil); resp.status != http.StatusNoContent {
		tb.Fatalf("the token is refused: %d %s", resp.status, resp.body)
	}
	return f
}

type answer struct {
	status int
	header http.Header
	body   []byte
}

// ask sends a request with headers, of which Host is the host's name.
func (f *fixture) ask(tb testing.TB, method, path, body string, header map[string]string) answer {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), method, f.url+path, strings.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range header {
		if name == "Host" {
			req.Host = value
			continue
		}
		req.Header.Set(name, value)
	}
	resp, err := f.http.Do(req)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		tb.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, text}
}

// envelope is what a tool answers with.
type envelope struct {
	Success bool
	Data    map[string]any
	Error   struct {
		Code    chemigram.Code
		Message string
	}
}

func (a answer) envelope(tb testing.TB) (e envelope) {
	tb.Helper()
	lines := bytes.Split(bytes.TrimSpace(a.body), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &e); err != nil {
		tb.Fatalf("%d %s: %v", a.status, a.body, err)
	}
	return e
}

// call calls a tool.
func (f *fixture) call(tb testing.TB, tool string, arguments map[string]any) envelope {
	tb.Helper()
	body, err := json.Marshal(map[string]any{"tool": tool, "arguments": arguments})
	if err != nil {
		tb.Fatal(err)
	}
	return f.ask(tb, "POST", "/call", string(body), nil).envelope(tb)
}

// picture asks for a picture.
func (f *fixture) picture(tb testing.TB, query map[string]string, header map[string]string) answer {
	tb.Helper()
	q := url.Values{}
	for name, value := range query {
		q.Set(name, value)
	}
	return f.ask(tb, "GET", "/picture?"+q.Encode(), "", header)
}
