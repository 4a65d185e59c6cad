package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/redact"
	"github.com/chemigram/chemigram/internal/suggest"
)

// Options select what a server offers. The zero value offers the default groups,
// with write access, and logs nothing.
type Options struct {
	// Groups of the engine's tools to offer. Default: [DefaultGroups], or none when
	// Names has some.
	Groups []Group
	// Names of further tools of the engine to offer, of whatever group.
	Names []string
	// ReadOnly offers only tools whose effect is Read. To be sure that nothing
	// is written, open the engine with ReadOnly, too.
	ReadOnly bool
	// Tools to offer beside the engine's own, of whatever group. ReadOnly and the
	// guard hold for them, too.
	Tools []Tool
	// Views that clients show beside the answers of tools, where they can. Default: none.
	Views []View
	// Actor is who calls, in logs and audit records. Default: the subject of
	// the bearer token, else the client's name and version.
	Actor string
	// Auditor receives a record of each executed call of a destructive tool, in
	// addition to the one in the workspace's audit.jsonl. Default: none.
	Auditor Auditor
	// PictureBytes is how large a picture in an answer may be, in bytes before base64:
	// it is encoded for that, and made smaller where it must be. At least 5,000;
	// default: [DefaultPictureBytes].
	PictureBytes int
	// Transcripts records every call in the workspace, in one transcript for
	// each session of a client, or over HTTP, which keeps no sessions, for each
	// actor; see [chemigram.Session]. Closing the engine ends them.
	Transcripts bool
	// Logger receives one event for each call and each error, without what looks like a
	// secret; see [NewLogHandler]. Default: nothing is logged.
	Logger *slog.Logger
}

// adapter connects an engine to a server; all calls of the server share it.
type adapter struct {
	engine *chemigram.Engine
	server *sdk.Server
	opts   Options
	log    *slog.Logger
	tools  []Tool // that the server offers
	views  views

	links       pictureLinks
	transcripts transcripts
	subscribed  subscriptions
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
			Logger:            warningsOnly(a.log),
			CompletionHandler: a.complete,
			SubscribeHandler: func(_ context.Context, req *sdk.SubscribeRequest) error {
				return a.subscribed.add(req.Params.URI)
			},
			UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
			// The lists never change. Logging, which the SDK would advertise by
			// default, is deprecated in the protocol.
			Capabilities: &sdk.ServerCapabilities{
				Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}, Resources: &sdk.ResourceCapabilities{},
			},
		})
	server.AddReceivingMiddleware(a.recoverPanics, a.serveViews, a.suggestTools)
	a.serve(server)
	addPrompts(server, nil)
	return server
}

func newAdapter(engine *chemigram.Engine, opts *Options) *adapter {
	a := &adapter{engine: engine}
	if opts != nil {
		a.opts = *opts
	}
	if a.opts.Groups == nil && len(a.opts.Names) == 0 {
		a.opts.Groups = DefaultGroups()
	}
	for _, group := range a.opts.Groups {
		if !slices.Contains(Groups(), group) {
			panic(fmt.Sprintf("mcp: there is no group %q; the groups are %q", group, Groups()))
		}
	}
	a.opts.PictureBytes = max(minPictureBytes, cmp.Or(a.opts.PictureBytes, DefaultPictureBytes))
	a.log = redact.Logger(a.opts.Logger)
	return a
}

// serve adds the tools and the resources to a server.
func (a *adapter) serve(server *sdk.Server) {
	a.server, a.tools = server, a.chooseTools()
	a.views = a.chooseViews()
	a.addTools(server)
	a.addResources(server)
}

// recoverPanics answers a request whose handler panics with an error; the SDK would
// let the server crash. Panics of tools are recovered earlier, in [call.run].
func (a *adapter) recoverPanics(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (_ sdk.Result, err error) {
		defer func() {
			if cause := recover(); cause != nil {
				a.log.ErrorContext(ctx, "internal error",
					"event", "incident", "method", method, "fault", fmt.Sprint(cause), "stack", string(debug.Stack()))
				err = fmt.Errorf("internal error in %s; the server's log has the stack", method)
			}
		}()
		return next(ctx, method, req)
	}
}

// suggestTools names the tools that an unknown one is like.
func (a *adapter) suggestTools(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		call, ok := req.(*sdk.CallToolRequest)
		failed, coded := errors.AsType[*jsonrpc.Error](err)
		if !ok || !coded || failed.Code != jsonrpc.CodeInvalidParams || slices.ContainsFunc(a.tools, func(t Tool) bool { return t.Name() == call.Params.Name }) {
			return result, err
		}
		var names []string
		for _, tool := range a.tools {
			names = append(names, tool.Name())
		}
		if near := suggest.Nearest(call.Params.Name, names); len(near) > 0 {
			named := *failed
			named.Message += fmt.Sprintf("; the nearest names are %q", near)
			err = &named
		}
		return result, err
	}
}

// notifySubscribers tells the subscribers of resources of some images that these have
// changed. That includes resources of fixed versions, which never do.
func (a *adapter) notifySubscribers(ctx context.Context, images []string) {
	for _, uri := range a.subscribed.all() {
		if showsAny(uri, images) {
			_ = a.server.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: uri})
		}
	}
}

func (a *adapter) addTools(server *sdk.Server) {
	for _, tool := range a.tools {
		server.AddTool(tool.define(referencesFor(tool.Name(), a.tools)), tool.handler(a))
	}
}

// chooseTools chooses the tools that the server offers. The engine's are chosen by group
// and by name, a program's own are all chosen.
func (a *adapter) chooseTools() []Tool {
	engines := EngineTools(a.engine)
	var known []string
	for _, tool := range engines {
		known = append(known, tool.Name())
	}
	for _, name := range a.opts.Names {
		if !slices.Contains(known, name) {
			panic(fmt.Sprintf("mcp: there is no tool %q; the nearest names are %q", name, suggest.Nearest(name, known)))
		}
	}
	var chosen []Tool
	for _, tool := range engines {
		if slices.Contains(a.opts.Groups, tool.spec.Group) || slices.Contains(a.opts.Names, tool.Name()) {
			chosen = append(chosen, tool)
		}
	}
	for _, tool := range a.opts.Tools {
		if slices.Contains(known, tool.Name()) {
			panic(fmt.Sprintf("mcp: two tools are named %s", tool.Name()))
		}
		known, chosen = append(known, tool.Name()), append(chosen, tool)
	}
	return slices.DeleteFunc(chosen, func(tool Tool) bool { return a.opts.ReadOnly && tool.spec.Effect != Read })
}
