package mcp

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// HTTPOptions control who may use a server over HTTP.
type HTTPOptions struct {
	// Token is what a client has to send as "Authorization: Bearer TOKEN".
	// Default: no token is needed.
	Token string
	// Subject is the actor of the calls of a client with the token.
	// Default: the client's own name.
	Subject string
	// TrustedOrigins are web origins, such as https://example.org, whose pages
	// may use the server. Default: no page of another origin.
	TrustedOrigins []string
	// AnyHost accepts requests that reach a local address under another host
	// name, as a reverse proxy sends them. Default: they are refused, against
	// DNS rebinding.
	AnyHost bool
	// Logger receives the messages of the transport. Default: nothing is logged.
	Logger *slog.Logger
}

// NewHTTPHandler serves a server over streamable HTTP, without sessions, as the
// protocol's newest revision requires; clients of older ones work, too. Requests of web
// pages of other origins are refused. When a client disconnects, its calls are
// cancelled, and their darktables end.
func NewHTTPHandler(server *sdk.Server, opts *HTTPOptions) (http.Handler, error) {
	var o HTTPOptions
	if opts != nil {
		o = *opts
	}
	server.AddReceivingMiddleware(cancelWithRequest)
	var handler http.Handler = sdk.NewStreamableHTTPHandler(
		func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{Stateless: true, Logger: o.Logger, DisableLocalhostProtection: o.AnyHost})
	handler = withRequestContext(handler)
	if o.Token != "" {
		handler = auth.RequireBearerToken(o.verifier(), nil)(handler)
	}
	protection := http.NewCrossOriginProtection()
	for _, origin := range o.TrustedOrigins {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	return protection.Handler(handler), nil
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
