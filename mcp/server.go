package mcp

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

// Options say what a server offers. The zero value offers the default groups,
// with write access, and logs nothing.
type Options struct {
	// Groups of tools to offer. Default: [DefaultGroups].
	Groups []Group
	// ReadOnly offers only tools whose effect is Read. To be sure that nothing
	// is written, open the engine with ReadOnly, too.
	ReadOnly bool
	// Tools to offer beside the engine's own, under the same rules.
	Tools []Tool
	// Actor is who calls, in logs and audit records. Default: the subject of
	// the bearer token, else the client's name and version.
	Actor string
	// Auditor is told of each executed call of a destructive tool, beside the
	// record in the workspace's audit.jsonl. Default: nobody is.
	Auditor Auditor
	// Transcripts records every call in the workspace, in one transcript for
	// each session of a client, or over HTTP, which keeps no sessions, for each
	// actor; see [chemigram.Session]. Closing the engine ends them.
	Transcripts bool
	// Logger receives one event for each call and each fault; see
	// [NewLogHandler]. Default: nothing is logged.
	Logger *slog.Logger
}

// adapter is what all calls of one server share.
type adapter struct {
	engine   *chemigram.Engine
	server   *sdk.Server
	opts     Options
	log      *slog.Logger
	pictures *pictures
	tools    []Tool // that are offered

	subscribed sync.Map // URIs that anyone has ever subscribed to
	recorders  recorders
}

// NewServer makes a server that offers an engine's verbs as tools, with
// resources, prompts and completions. It panics when two tools have the same
// name.
func NewServer(engine *chemigram.Engine, opts *Options) *sdk.Server {
	a := newAdapter(engine, opts)
	server := sdk.NewServer(
		&sdk.Implementation{Name: "chemigram", Title: "Chemigram", Version: chemigram.Version()},
		&sdk.ServerOptions{
			Instructions:      instructions,
			Logger:            faultsOnly(a.log),
			CompletionHandler: a.complete,
			SubscribeHandler: func(_ context.Context, req *sdk.SubscribeRequest) error {
				a.subscribed.Store(req.Params.URI, true)
				return nil
			},
			UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
			// The lists stay as they are. Logging, which the SDK would advertise
			// by itself, is what the protocol gave up.
			Capabilities: &sdk.ServerCapabilities{
				Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}, Resources: &sdk.ResourceCapabilities{},
			},
		})
	server.AddReceivingMiddleware(a.survive)
	a.serve(server)
	addPrompts(server)
	return server
}

// AddTools adds an engine's tools, and the resources that their answers link
// to, to a server that a program has already. It panics when two tools have the
// same name.
func AddTools(server *sdk.Server, engine *chemigram.Engine, opts *Options) {
	newAdapter(engine, opts).serve(server)
}

func newAdapter(engine *chemigram.Engine, opts *Options) *adapter {
	a := &adapter{engine: engine, log: slog.New(slog.DiscardHandler), pictures: &pictures{}}
	if opts != nil {
		a.opts = *opts
	}
	if a.opts.Groups == nil {
		a.opts.Groups = DefaultGroups()
	}
	for _, group := range a.opts.Groups {
		if !slices.Contains(Groups(), group) {
			panic(fmt.Sprintf("mcp: there is no group %q; the groups are %q", group, Groups()))
		}
	}
	if a.opts.Logger != nil {
		a.log = a.opts.Logger
	}
	return a
}

// serve adds the tools and the resources to a server.
func (a *adapter) serve(server *sdk.Server) {
	a.server = server
	a.addTools(server)
	a.addResources(server)
}

// survive ends a request whose handler panics, not the server: the SDK does
// not recover. A tool's panic is answered before it comes here.
func (a *adapter) survive(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (_ sdk.Result, err error) {
		defer func() {
			if fault := recover(); fault != nil {
				a.log.ErrorContext(ctx, "a request failed from within",
					"event", "incident", "method", method, "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
				err = fmt.Errorf("%s failed from within; the server's log has the stack", method)
			}
		}()
		return next(ctx, method, req)
	}
}

// changed tells those who subscribed to something of an image that it is new: to
// any version of it, of which some never change. The SDK knows who they are.
func (a *adapter) changed(ctx context.Context, images []string) {
	for uri := range a.subscribed.Range {
		if uri := uri.(string); concerns(uri, images) {
			_ = a.server.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: uri})
		}
	}
}

func (a *adapter) addTools(server *sdk.Server) {
	seen := map[string]bool{}
	for _, tool := range append(EngineTools(a.engine), a.opts.Tools...) {
		if seen[tool.Name()] {
			panic(fmt.Sprintf("mcp: two tools are named %s", tool.Name()))
		}
		seen[tool.Name()] = true
		if a.offers(tool) {
			a.tools = append(a.tools, tool)
		}
	}
	for _, tool := range a.tools {
		server.AddTool(tool.define(toldTo(tool.Name(), a.tools)), tool.handler(a))
	}
}

// offers tells whether the server has a tool: by its group, and by what it
// does.
func (a *adapter) offers(tool Tool) bool {
	return slices.Contains(a.opts.Groups, tool.spec.Group) && (!a.opts.ReadOnly || tool.spec.Effect == Read)
}
