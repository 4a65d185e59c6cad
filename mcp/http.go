package mcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram/internal/redact"
)

// HTTPOptions control who may use a server over HTTP.
type HTTPOptions struct {
	// Token is what a client has to send as "Authorization: Bearer TOKEN".
	// Default: no token is needed, and whoever reaches the server may use it.
	Token string
	// Subject is the actor of the calls of a client with the token.
	// Default: the client's own name.
	Subject string
	// TrustedOrigins are web origins, such as https://example.org, whose pages
	// may use the server. Default: no page of another origin.
	TrustedOrigins []string
	// AnyHost accepts requests that reach a local address under another host
	// name, as a reverse proxy sends them. It needs a token: any page could have its
	// own name lead to the server. Default: they are refused.
	AnyHost bool
	// Logger receives the messages of the transport, without what looks like a secret.
	// Default: nothing is logged.
	Logger *slog.Logger
}

const (
	// maxBody is how many bytes a request may have, and bodyTime how long they may take.
	maxBody  = 64 << 20
	bodyTime = time.Minute
	// maxRequests is how many requests are served at once, those included that listen
	// for notifications.
	maxRequests = 256
)

// NewHTTPHandler serves a server over streamable HTTP, without sessions, as the
// protocol's newest revision requires; clients of older ones work, too. Requests of web
// pages of origins that are not trusted are refused; those of trusted ones get the
// answers that browsers want (CORS). When a client disconnects, its calls are
// cancelled, and their darktables end. It fails when an origin is none, and for AnyHost
// without a Token.
func NewHTTPHandler(server *sdk.Server, opts *HTTPOptions) (http.Handler, error) {
	var o HTTPOptions
	if opts != nil {
		o = *opts
	}
	if o.AnyHost && o.Token == "" {
		return nil, errors.New("to accept any host name needs a token: a page of any web site could use the server")
	}
	pages, err := newTrustedPages(o.TrustedOrigins)
	if err != nil {
		return nil, err
	}
	server.AddReceivingMiddleware(cancelWithRequest)
	var handler http.Handler = sdk.NewStreamableHTTPHandler(
		func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{Stateless: true, Logger: redact.Logger(o.Logger), DisableLocalhostProtection: o.AnyHost})
	handler = readBody(withRequestContext(handler))
	if o.Token != "" {
		handler = auth.RequireBearerToken(o.verifier(), nil)(handler)
	}
	return pages.handler(limitRequests(handler, maxRequests)), nil
}

// readBody reads a request whole before it is served, up to a size and for a time. (A
// time limit of the server's would also end calls that take longer.)
func readBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Now().Add(bodyTime)) // a recorder of a test knows none
		body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
		_ = control.SetReadDeadline(time.Time{})
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			http.Error(w, fmt.Sprintf("a request may have %d bytes", maxBody), http.StatusRequestEntityTooLarge)
			return
		}
		if err != nil {
			http.Error(w, "the request could not be read: "+err.Error(), http.StatusBadRequest)
			return
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, req)
	})
}

// limitRequests refuses requests while so many are served.
func limitRequests(next http.Handler, most int) http.Handler {
	serving := make(chan struct{}, most)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		select {
		case serving <- struct{}{}:
			defer func() { <-serving }()
			next.ServeHTTP(w, req)
		default:
			w.Header().Set("Retry-After", "1")
			http.Error(w, "too many requests at once: try again", http.StatusServiceUnavailable)
		}
	})
}

// verifier compares tokens in constant time.
func (o HTTPOptions) verifier() auth.TokenVerifier {
	want := sha256.Sum256([]byte(o.Token))
	return func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		got := sha256.Sum256([]byte(token))
		if subtle.ConstantTimeCompare(got[:], want[:]) == 0 {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: o.Subject, Expiration: time.Now().Add(time.Hour)}, nil
	}
}

// requestContextKey is the key of the context of the HTTP request within a call's.
type requestContextKey struct{}

// withRequestContext makes the context of an HTTP request a value in the contexts of
// its calls. The SDK passes on the values of the request's context, but not its
// cancellation: it keeps a call of an older revision running for a client that may
// reconnect for the answer. Without sessions none can; nor can a client cancel, since
// its notification would be in a request of no session.
func withRequestContext(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ctx := req.Context()
		next.ServeHTTP(w, req.WithContext(context.WithValue(ctx, requestContextKey{}, ctx)))
	})
}

// cancelWithRequest cancels a call when its HTTP request ends.
func cancelWithRequest(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if request, ok := ctx.Value(requestContextKey{}).(context.Context); ok {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(request, cancel)()
		}
		return next(ctx, method, req)
	}
}
