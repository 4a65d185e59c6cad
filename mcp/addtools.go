package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

// AddTools adds an engine's tools to a server of a program's own, with all that
// [NewServer] gives them: the resources that answers link to, the prompts, the
// instructions, which follow the server's own, completions, and, where the server takes
// subscriptions, notifications. What the server has already stays: a prompt of the same name is kept,
// its own completions are asked for what is its own, and AddTools panics when it has a
// tool of the same name. Clients that are connected already are not told the
// instructions.
func AddTools(server *sdk.Server, engine *chemigram.Engine, opts *Options) {
	a := newAdapter(engine, opts)
	h := &host{adapter: a}
	server.AddReceivingMiddleware(h.middleware)
	tools, prompts := h.names(server)
	ours := a.chooseTools()
	for _, view := range a.opts.Views {
		ours = append(ours, view.Tools...)
	}
	for _, tool := range ours {
		if slices.Contains(tools, tool.Name()) {
			panic(fmt.Sprintf("mcp: the server has a tool %s already; choose others with Names, or give it another name", tool.Name()))
		}
	}
	a.serve(server)
	addPrompts(server, prompts)
	h.ownPrompts = prompts
}

// host adds to the answers of a server that is a program's own.
type host struct {
	adapter    *adapter
	next       sdk.MethodHandler
	ownPrompts []string // that the server had before
}

// middleware adds the instructions and the completions to a server's answers.
func (h *host) middleware(next sdk.MethodHandler) sdk.MethodHandler {
	h.next = next
	next = h.adapter.serveViews(h.adapter.suggestTools(next))
	return h.adapter.recoverPanics(func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if complete, ok := req.(*sdk.CompleteRequest); ok && h.completes(complete.Params) {
			return h.adapter.complete(ctx, complete)
		}
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch result := result.(type) {
		case *sdk.InitializeResult:
			result.Instructions, result.Capabilities = withOurs(result.Instructions, result.Capabilities)
		case *sdk.DiscoverResult:
			result.Instructions, result.Capabilities = withOurs(result.Instructions, result.Capabilities)
		}
		if subscribe, ok := req.(*sdk.SubscribeRequest); ok && strings.HasPrefix(subscribe.Params.URI, uriPrefix) {
			err = h.adapter.subscribed.add(subscribe.Params.URI)
		}
		return result, err
	})
}

// withOurs adds our instructions, and that there are completions, to a server's own.
func withOurs(own string, capabilities *sdk.ServerCapabilities) (string, *sdk.ServerCapabilities) {
	all := sdk.ServerCapabilities{}
	if capabilities != nil {
		all = *capabilities
	}
	if all.Completions == nil {
		all.Completions = &sdk.CompletionCapabilities{}
	}
	if strings.Contains(own, instructions) {
		return own, &all
	}
	return strings.TrimLeft(own+"\n\n"+instructions, "\n"), &all
}

// completes reports whether a completion is of one of our prompts or resources.
func (h *host) completes(p *sdk.CompleteParams) bool {
	switch {
	case p == nil || p.Ref == nil || p.Argument.Name == "":
		return false
	case p.Ref.Type == "ref/prompt":
		return (p.Ref.Name == "collaborate" || p.Ref.Name == "autonomous") && !slices.Contains(h.ownPrompts, p.Ref.Name)
	}
	return strings.HasPrefix(p.Ref.URI, uriPrefix)
}

// names lists the tools and the prompts that a server has. It asks as a client would,
// within the program.
func (h *host) names(server *sdk.Server) (tools, prompts []string) {
	ours, _ := sdk.NewInMemoryTransports()
	session, err := server.Connect(context.Background(), ours, nil)
	if err != nil {
		panic(fmt.Sprintf("mcp: the server cannot be asked for its tools: %v", err))
	}
	defer func() { _ = session.Close() }()
	tools = h.pages("tools/list", func(cursor string) sdk.Request {
		return &sdk.ListToolsRequest{Session: session, Params: &sdk.ListToolsParams{Cursor: cursor}}
	})
	prompts = h.pages("prompts/list", func(cursor string) sdk.Request {
		return &sdk.ListPromptsRequest{Session: session, Params: &sdk.ListPromptsParams{Cursor: cursor}}
	})
	return tools, prompts
}

// pages gives the names on all pages of a list. It panics when the server does not give
// the list, as tools of the same name would be replaced then.
func (h *host) pages(method string, request func(cursor string) sdk.Request) (names []string) {
	for cursor := ""; ; {
		result, err := h.next(context.Background(), method, request(cursor))
		if err != nil {
			panic(fmt.Sprintf("mcp: the server does not answer %s: %v; add the tools before what refuses it", method, err))
		}
		switch page := result.(type) {
		case *sdk.ListToolsResult:
			for _, tool := range page.Tools {
				names = append(names, tool.Name)
			}
			cursor = page.NextCursor
		case *sdk.ListPromptsResult:
			for _, prompt := range page.Prompts {
				names = append(names, prompt.Name)
			}
			cursor = page.NextCursor
		}
		if cursor == "" {
			return names
		}
	}
}
