package mcp

import (
	"net/http"
	"net/http/httptest"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestAnyHostNeedsAToken(t *testing.T) {
	t.Parallel()
	server := sdk.NewServer(&sdk.Implementation{Name: "a"}, nil)
	for name, c := range map[string]struct {
		opts HTTPOptions
		ok   bool
	}{
		"any host without a token": {HTTPOptions{AnyHost: true}, false},
		"any host with a token":    {HTTPOptions{AnyHost: true, Token: "0123456789abcdef"}, true},
		"an origin that is none":   {HTTPOptions{TrustedOrigins: []string{"example.org"}}, false},
	} {
		if _, err := NewHTTPHandler(server, &c.opts); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRequestsAtOnceAreBounded(t *testing.T) {
	t.Parallel()
	begun, end := make(chan bool), make(chan bool)
	handler := limitRequests(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { begun <- true; <-end }), 2)
	ask := func() int {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", nil))
		return w.Code
	}
	codes := make(chan int)
	for range 2 {
		go func() { codes <- ask() }()
		<-begun
	}
	if code := ask(); code != http.StatusServiceUnavailable {
		t.Errorf("the third: %d, want 503", code)
	}
	close(end)
	for range 2 {
		if code := <-codes; code != http.StatusOK {
			t.Errorf("one of the first: %d", code)
		}
	}
	go func() { <-begun }()
	if code := ask(); code != http.StatusOK {
		t.Errorf("afterwards: %d", code)
	}
}
