package studio

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	// maxBody is how many bytes a request may have, and bodyTime how long they may take.
	maxBody  = 1 << 20
	bodyTime = 30 * time.Second
	// policy of the page: nothing of another origin, no script and no style in the HTML.
	policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
		"form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)

// routes are the page's addresses. Whoever asks passes the checks of host and origin, and
// for all but the page's own files that of the cookie.
func (s *Studio) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", assets())
	mux.HandleFunc("POST /session", s.openSession)
	for pattern, handler := range map[string]http.HandlerFunc{
		"POST /call": s.call, "GET /picture": s.picture, "GET /export": s.export, "GET /about": s.about,
	} {
		mux.Handle(pattern, s.withCookie(s.atOnce(handler)))
	}
	mux.Handle("GET /events", s.withCookie(http.HandlerFunc(s.events)))
	return s.door(mux)
}

// door refuses requests by other host names and of other pages, and tells browsers to
// show the page in no frame and to run nothing in it but its own files.
func (s *Studio) door(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case !s.isOurHost(req.Host):
			refuse(w, http.StatusForbidden, "this host name is not the page's")
		case !isOurPage(req):
			refuse(w, http.StatusForbidden, "pages of other origins may not use this one")
		case s.closed.Err() != nil:
			refuse(w, http.StatusServiceUnavailable, "the program ends")
		default:
			next.ServeHTTP(w, req)
		}
	})
}

// isOurHost reports whether a request came by a name that no foreign page can have lead
// here (DNS rebinding).
func (s *Studio) isOurHost(host string) bool {
	name := host
	if without, _, err := net.SplitHostPort(host); err == nil {
		name = without
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	address, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && (address.IsLoopback() || s.opts.AnyAddress) ||
		slices.ContainsFunc(s.opts.Hosts, func(allowed string) bool { return strings.EqualFold(strings.Trim(allowed, "[]"), name) })
}

// isOurPage reports whether a request comes from the page itself, or from the person who
// opens it; also by a link.
func isOurPage(req *http.Request) bool {
	if origin := req.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || !strings.EqualFold(u.Host, req.Host) {
			return false
		}
	}
	switch req.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return req.Method == http.MethodGet && req.URL.Path == "/" && req.Header.Get("Sec-Fetch-Mode") == "navigate" && req.Header.Get("Sec-Fetch-Dest") == "document"
}

// openSession gives whoever has the token the cookie.
func (s *Studio) openSession(w http.ResponseWriter, req *http.Request) {
	var asked struct {
		Token string `json:"token"`
	}
	if !readJSON(w, req, &asked) {
		return
	}
	if !same(asked.Token, s.token) {
		refuse(w, http.StatusUnauthorized, "the token is not the page's: open the address that the program printed last")
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: s.name, Value: s.cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: req.TLS != nil,
	})
	w.WriteHeader(http.StatusNoContent)
}

// withCookie refuses requests without the cookie.
func (s *Studio) withCookie(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		cookie, err := req.Cookie(s.name)
		if err != nil || !same(cookie.Value, s.cookie) {
			refuse(w, http.StatusUnauthorized, "open the page by the address that the program printed")
			return
		}
		next.ServeHTTP(w, req)
	})
}

// atOnce refuses requests while too many are served.
func (s *Studio) atOnce(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		select {
		case s.serving <- struct{}{}:
			defer func() { <-s.serving }()
			next.ServeHTTP(w, req)
		default:
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusServiceUnavailable, "too many requests at once: try again")
		}
	})
}

// readJSON decodes a request's body, which other pages cannot send without being asked
// first what they may. It answers the request, and returns false, when it cannot.
func readJSON(w http.ResponseWriter, req *http.Request, into any) bool {
	if kind, _, err := mime.ParseMediaType(req.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "the body has to be application/json")
		return false
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime)) // a recorder of a test knows none
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	_ = control.SetReadDeadline(time.Time{})
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "the request could not be read: it may have 1 MB")
		return false
	}
	if err := json.Unmarshal(body, into); err != nil {
		refuse(w, http.StatusBadRequest, "the body is no such JSON: "+err.Error())
		return false
	}
	return true
}

// same compares secrets in constant time.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
