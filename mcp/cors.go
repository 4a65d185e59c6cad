package mcp

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// trustedPages are the web origins whose pages may use a server.
type trustedPages struct {
	origins []string
	cross   *http.CrossOriginProtection
}

func newTrustedPages(origins []string) (trustedPages, error) {
	pages := trustedPages{cross: http.NewCrossOriginProtection()}
	for _, origin := range origins {
		origin = strings.TrimSpace(origin)
		if err := pages.cross.AddTrustedOrigin(origin); err != nil {
			return pages, fmt.Errorf("%q is no web origin, such as https://example.org: %w", origin, err)
		}
		pages.origins = append(pages.origins, origin)
	}
	return pages, nil
}

// handler refuses the requests of pages of other origins, and tells browsers what those
// of trusted origins may send and read.
func (p trustedPages) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Add("Vary", "Origin")
		origin := req.Header.Get("Origin")
		trusted := slices.Contains(p.origins, origin)
		if origin != "" && !trusted && !isOwn(origin, req.Host) || p.cross.Check(req) != nil {
			http.Error(w, "pages of this origin may not use the server", http.StatusForbidden)
			return
		}
		if trusted {
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate, Retry-After")
		}
		if trusted && req.Method == http.MethodOptions && req.Header.Get("Access-Control-Request-Method") != "" {
			answerPreflight(w, req)
			return
		}
		next.ServeHTTP(w, req)
	})
}

// isOwn reports whether an origin is that of the server itself.
func isOwn(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, host)
}

// pageHeader matches the headers that a page may send: the protocol's, and those of
// traces.
var pageHeader = regexp.MustCompile(`(?i)^(accept|authorization|content-type|last-event-id|mcp-[a-z0-9-]+|traceparent|tracestate|baggage)$`)

// answerPreflight answers a browser that asks what a page may send. It has no token to
// show yet.
func answerPreflight(w http.ResponseWriter, req *http.Request) {
	var allowed []string
	for name := range strings.SplitSeq(req.Header.Get("Access-Control-Request-Headers"), ",") {
		if name = strings.TrimSpace(name); pageHeader.MatchString(name) {
			allowed = append(allowed, name)
		}
	}
	h := w.Header()
	h.Add("Vary", "Access-Control-Request-Headers")
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE, OPTIONS")
	if allowed != nil {
		h.Set("Access-Control-Allow-Headers", strings.Join(allowed, ", "))
	}
	if req.Header.Get("Access-Control-Request-Private-Network") == "true" {
		h.Set("Access-Control-Allow-Private-Network", "true") // from a public site to a server on this machine
	}
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}
