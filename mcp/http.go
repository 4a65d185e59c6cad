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

// HTTPOptions say who may use a server over HTTP.
type HTTPOptions struct {
	// Token is what a client has to send as "Authorization: Bearer TOKEN".
	// Default: no token is asked for.
	Token string
	// Subject is who a client with the token is, as the actor of its calls.
	// Default: the client's own name.
	Subject string
	// TrustedOrigins are web origins, such as https://example.org, whose pages
	// may use the server. Default: no page of another origin.
	TrustedOrigins []string
	// AnyHost accepts requests that reach a local address under another host
	// name, as a reverse proxy sends them. Default: they are refused, against
	// DNS rebinding.
	AnyHost bool
	// Logger receives what the transport has to say. Default: nothing.
	Logger *slog.Logger
}

// NewHTTPHandler serves a server over streamable HTTP. It keeps no sessions,
// as the protocol's newest revision wants it; clients of older ones work, too.
// A browser's page of another origin is refused. A client that hangs up ends its
// calls, and with them their darktables.
func NewHTTPHandler(server *sdk.Server, opts *HTTPOptions) (http.Handler, error) {
	var o HTTPOptions
	if opts != nil {
		o = *opts
	}
	server.AddReceivingMiddleware(endWithCarrier)
	var handler http.Handler = sdk.NewStreamableHTTPHandler(
		func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{Stateless: true, Logger: o.Logger, DisableLocalhostProtection: o.AnyHost})
	handler = carried(handler)
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

// verifier compares tokens in a time that does not depend on how much of them
// is right.
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

// carrierKey is the context's key for the context of the HTTP request that
// carries a call.
type carrierKey struct{}

// carried lets a call's handler find the HTTP request that carries it. The SDK
// hands down the values of the request's context, and not its end: it keeps a
// call of an older revision running for a client that may come back for the
// answer. Here none can, as no sessions are kept; nor could a client cancel, as
// its notice would come in a request that belongs to no session.
func carried(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ctx := req.Context()
		next.ServeHTTP(w, req.WithContext(context.WithValue(ctx, carrierKey{}, ctx)))
	})
}

// endWithCarrier cancels a call when its client has hung up.
func endWithCarrier(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if carrier, ok := ctx.Value(carrierKey{}).(context.Context); ok {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(carrier, cancel)()
		}
		return next(ctx, method, req)
	}
}
