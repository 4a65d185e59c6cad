package studio

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/redact"
	"github.com/chemigram/chemigram/mcp"
)

// Options say who may use the page, and what it may do. The zero value serves the
// loopback names with a token of its own.
type Options struct {
	// Token is what opens the page: whoever has it may use it. At least 16 characters.
	// Default: 128 random bits.
	Token string
	// Hosts are further names and addresses, without a port, by which browsers reach the
	// page. Default: localhost and the loopback addresses alone.
	Hosts []string
	// AnyAddress lets browsers reach the page by any IP address, as other machines do. A
	// name still has to be among Hosts.
	AnyAddress bool
	// ReadOnly makes a page that shows and changes nothing, as that of an engine that is
	// ReadOnly does.
	ReadOnly bool
	// Actor is who edits, as the history records it. Default: "studio".
	Actor string
	// Transcripts records every call of the page in the workspace; see
	// [chemigram.Session].
	Transcripts bool
	// Logger receives one event for each call and each error. Default: nothing is logged.
	Logger *slog.Logger
}

const (
	// minToken is how many characters a token has at least.
	minToken = 16
	// maxListeners is how many pages may wait for changes at once.
	maxListeners = 64
	// maxRequests is how many other requests are served at once.
	maxRequests = 128
)

// Studio serves the page of an engine. [New] makes one; it is safe for concurrent use.
type Studio struct {
	engine *chemigram.Engine
	opts   Options
	log    *slog.Logger

	token  string
	cookie string // its value
	name   string // the cookie's

	tools     toolClient
	listeners chan struct{} // a place for each
	serving   chan struct{}
	handler   http.Handler
	closed    context.Context
	end       context.CancelFunc
}

// New makes the page of an engine. Close it before the engine.
func New(engine *chemigram.Engine, opts *Options) (*Studio, error) {
	s := &Studio{
		engine: engine, cookie: rand.Text(), name: "chemigram_studio_" + rand.Text()[:8],
		listeners: make(chan struct{}, maxListeners), serving: make(chan struct{}, maxRequests),
	}
	if opts != nil {
		s.opts = *opts
	}
	if s.opts.Token != "" && len(s.opts.Token) < minToken {
		return nil, errors.New("the page's token can be guessed: take 16 characters or more")
	}
	s.token = cmp.Or(s.opts.Token, rand.Text())
	s.opts.Actor = cmp.Or(s.opts.Actor, "studio")
	s.opts.ReadOnly = s.opts.ReadOnly || engine.ReadOnly()
	s.log = redact.Logger(s.opts.Logger)
	s.closed, s.end = context.WithCancel(context.Background())
	if err := s.tools.connect(s.closed, engine, s.opts); err != nil {
		s.end()
		return nil, err
	}
	s.handler = s.routes()
	return s, nil
}

// ServeHTTP serves the page and what it asks for. It may lie below a prefix that
// [http.StripPrefix] takes away.
func (s *Studio) ServeHTTP(w http.ResponseWriter, req *http.Request) { s.handler.ServeHTTP(w, req) }

// Address is the link for the person: that of the page, such as
// http://127.0.0.1:8081/, with the token as its fragment, which no browser sends on.
func (s *Studio) Address(page string) string { return page + "#token=" + s.token }

// Close ends what the page asked for and waits for. It leaves the engine open.
func (s *Studio) Close() error {
	s.end()
	return s.tools.close()
}

// pageTools are the tools of package mcp that the page may call. None of them is
// destructive.
var pageTools = []string{
	"apply_primitive", "branch", "checkout", "describe_state", "diff", "export_final", "get_state", "health_check", "list_images", "list_masks",
	"list_vocabulary", "log", "read_context", "redo", "remove_module", "reset", "set_rating", "snapshot", "tag", "undo",
}

// newServer makes the server that the page's calls go to.
func newServer(engine *chemigram.Engine, opts Options) *sdk.Server {
	return mcp.NewServer(engine, &mcp.Options{
		Names: pageTools, ReadOnly: opts.ReadOnly, Actor: opts.Actor, Transcripts: opts.Transcripts, Logger: opts.Logger,
	})
}
