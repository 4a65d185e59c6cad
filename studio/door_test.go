package studio

import (
	"net/http"
	"strings"
	"testing"
)

// asked are requests for everything that is behind the cookie.
var asked = []struct{ method, path, body string }{
	{"POST", "/call", `{"tool":"log","arguments":{"image_id":"a"}}`},
	{"GET", "/picture?kind=preview&image=a&size=64", ""},
	{"GET", "/export?image=a&file=a.jpg", ""},
	{"GET", "/events?image=a", ""},
	{"GET", "/about", ""},
}

func TestWithoutTheTokenNothingIsAnswered(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, token := range []string{"", "wrong", f.studio.token[1:], f.studio.token + "x", f.studio.cookie} {
		if r := f.ask(t, "POST", "/session", `{"token":"`+token+`"}`, nil); r.status != http.StatusUnauthorized || r.header.Get("Set-Cookie") != "" {
			t.Errorf("the token %q: %d %v", token, r.status, r.header)
		}
	}
	for _, cookie := range []string{"", f.studio.name + "=", f.studio.name + "=" + f.studio.token, "other=" + f.studio.cookie} {
		for _, c := range asked {
			if r := f.ask(t, c.method, c.path, c.body, map[string]string{"Cookie": cookie}); r.status != http.StatusUnauthorized {
				t.Errorf("%s with the cookie %q: %d %s", c.path, cookie, r.status, r.body)
			}
		}
	}
	if _, err := New(f.engine, &Options{Token: "short"}); err == nil {
		t.Error("a token that can be guessed is taken")
	}
	_, token, _ := strings.Cut(f.studio.Address(f.url+"/"), "#token=")
	r := f.ask(t, "POST", "/session", `{"token":"`+token+`"}`, nil)
	cookie := r.header.Get("Set-Cookie")
	if !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") || strings.Contains(cookie, token) {
		t.Errorf("the cookie: %s", cookie)
	}
	if r := f.ask(t, "GET", "/about", "", nil); r.status != http.StatusOK {
		t.Errorf("with the cookie: %d", r.status)
	}
}

func TestForeignHostsAndPagesAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, &Options{Hosts: []string{"darkroom.example"}}).enter(t)
	own := strings.TrimPrefix(f.url, "http://")
	for name, header := range map[string]map[string]string{
		"another host":              {"Host": "evil.example"},
		"another host with a port":  {"Host": "evil.example:80"},
		"a host that looks local":   {"Host": "localhost.evil.example"},
		"an address of the network": {"Host": "192.168.1.2"},
		"no host that is one":       {"Host": "127.0.0.1.evil"},
		"a foreign origin":          {"Origin": "https://evil.example"},
		"no origin":                 {"Origin": "null"},
		"another port":              {"Origin": "http://127.0.0.1:1"},
		"another site":              {"Sec-Fetch-Site": "cross-site"},
		"another port, by fetch":    {"Sec-Fetch-Site": "same-site"},
		"rebound":                   {"Host": "evil.example", "Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"},
	} {
		for _, c := range append(asked, struct{ method, path, body string }{"POST", "/session", `{"token":"` + f.studio.token + `"}`}, struct{ method, path, body string }{"GET", "/", ""}) {
			if r := f.ask(t, c.method, c.path, c.body, header); r.status != http.StatusForbidden || r.header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s asks for %s: %d %s", name, c.path, r.status, r.body)
			}
		}
	}
	for name, header := range map[string]map[string]string{
		"its own page":   {"Origin": f.url, "Sec-Fetch-Site": "same-origin"},
		"the person":     {"Sec-Fetch-Site": "none"},
		"localhost":      {"Host": "localhost:" + own[strings.LastIndex(own, ":")+1:]},
		"IPv6":           {"Host": "[::1]:99"},
		"a name allowed": {"Host": "darkroom.example:8443"},
	} {
		if r := f.ask(t, "GET", "/", "", header); r.status != http.StatusOK {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	link := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
	if r := f.ask(t, "GET", "/", "", link); r.status != http.StatusOK {
		t.Errorf("a link to the page: %d", r.status)
	}
	link["Sec-Fetch-Dest"] = "iframe"
	if r := f.ask(t, "GET", "/", "", link); r.status != http.StatusForbidden {
		t.Errorf("a frame: %d", r.status)
	}
	if r := f.ask(t, "POST", "/call", asked[0].body, map[string]string{"Content-Type": "text/plain"}); r.status != http.StatusUnsupportedMediaType {
		t.Errorf("a form: %d", r.status)
	}
}

func TestEveryAnswerForbidsFramesAndForeignScripts(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil).enter(t)
	for _, c := range append(asked[:3:3], struct{ method, path, body string }{"GET", "/", ""}, struct{ method, path, body string }{"GET", "/nothing", ""}) {
		h := f.ask(t, c.method, c.path, c.body, nil).header
		csp := h.Get("Content-Security-Policy")
		if !strings.Contains(csp, "frame-ancestors 'none'") || !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: %v", c.path, h)
		}
	}
}

func TestNothingIsChangedByGET(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil).enter(t)
	for _, path := range []string{"/call?tool=undo&image_id=a", "/session?token=" + f.studio.token} {
		for _, method := range []string{"GET", "HEAD"} {
			if r := f.ask(t, method, path, "", nil); r.status < 400 {
				t.Errorf("%s %s: %d", method, path, r.status)
			}
		}
	}
}

func TestThePageNamesNoFiles(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil).enter(t)
	for _, body := range []string{
		`{"tool":"export_final","arguments":{"image_id":"a","output_dir":"/tmp"}}`,
		`{"tool":"export_final","arguments":{"image_id":"a","OUTPUT_DIR":"/tmp"}}`,
		`{"tool":"apply_primitive","arguments":{"image_id":"a","primitive_name":"exposure","mask":{"file":"/etc/passwd"}}}`,
		`{"tool":"apply_primitive","arguments":[{"mask":[{"file":"/etc/passwd"}]}]}`,
	} {
		if r := f.ask(t, "POST", "/call", body, nil); r.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}
	for _, query := range []map[string]string{
		{"kind": "mask", "image": "a", "mask": `{"file":"/etc/passwd"}`},
		{"kind": "mask", "image": "a", "mask": `{"File":"/etc/passwd"}`},
		{"kind": "draft", "image": "a", "moves": `[{"primitive_name":"exposure","mask":{"file":"/etc/passwd"}}]`},
		{"kind": "preview", "image": "../a"},
		{"kind": "preview", "image": "a/../../b"},
	} {
		if r := f.picture(t, query, nil); r.status < 400 || strings.Contains(string(r.body), "root:") {
			t.Errorf("%v: %d %s", query, r.status, r.body)
		}
	}
	for _, path := range []string{
		"/export?image=a&file=../../images/a/image.json", "/export?image=..&file=images.log", "/export?image=a&file=/etc/passwd",
		"/export?image=a&file=", "/export?image=a&file=.", "/..%2fstudio.go", "/../studio.go", "/%2e%2e/go.mod", "/page/index.html",
	} {
		if r := f.ask(t, "GET", path, "", nil); r.status < 400 {
			t.Errorf("%s: %d %.80s", path, r.status, r.body)
		}
	}
}

func TestListenersAreBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil).enter(t)
	// The first ones take their time: the others are asked for while they wait.
	for i := range maxListeners {
		if f.listen(t, "image=a") == nil {
			t.Fatalf("listener %d is refused", i)
		}
	}
	for range 1000 - maxListeners {
		if r := f.ask(t, "GET", "/events?image=a", "", nil); r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" {
			t.Fatalf("one more than %d: %d", maxListeners, r.status)
		}
	}
	if r := f.ask(t, "POST", "/call", asked[0].body, nil); !r.envelope(t).Success {
		t.Errorf("a call beside them: %s", r.body)
	}
}

func TestRequestsOfThePageAreBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil).enter(t)
	for range maxRequests {
		f.studio.serving <- struct{}{}
	}
	if r := f.ask(t, "GET", "/about", "", nil); r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" {
		t.Errorf("one more than %d: %d", maxRequests, r.status)
	}
	<-f.studio.serving
	if r := f.ask(t, "GET", "/about", "", nil); r.status != http.StatusOK {
		t.Errorf("when one has ended: %d", r.status)
	}
}
