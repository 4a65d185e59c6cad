package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// ViewExtension is the extension of the protocol, MCP Apps, by which clients show views.
	ViewExtension = "io.modelcontextprotocol/ui"
	// ViewType is the media type of a view's document.
	ViewType = "text/html;profile=mcp-app"

	// viewURI begins the addresses of views; the name of the tool follows.
	viewURI = "ui://chemigram/"
	// viewPictureBytes is how large a picture that a view asks for may be, in bytes before
	// base64: some clients take no answer above 1 MB.
	viewPictureBytes = 700_000
)

// View is a document that a client shows to its person beside the answers of a tool, as
// the extension MCP Apps says. A view is offered when its tool is, and to clients alone
// that announce [ViewExtension] in their capabilities: all others get the same answers as
// without it.
type View struct {
	// Tool is the name of the tool whose answers are shown.
	Tool string
	// Title is the name for people, and Description says what is seen.
	Title, Description string
	// HTML makes the document, which has to contain all that it needs: it is shown in a
	// frame without a network. Tools are the names of all that it may call.
	HTML func(tools []string) []byte
	// Tools for the view alone: agents do not see them, though a client might call them.
	// Views may share one. Those that write are offered where the engine's tool of the same
	// verb is, and by no server that is read-only; none may be destructive. A picture in
	// their answers has up to 700,000 bytes.
	Tools []Tool
}

// ForViews returns the tool under the name by which views call it, for the Tools of a
// [View]: there it can do no more than under its own. Calls are recorded under that.
func (t Tool) ForViews(name, description string) Tool {
	t.spec.aliasOf = t.presentName()
	t.spec.Name, t.spec.Description = name, description
	return t
}

// views are those that a server offers.
type views struct {
	list  []View
	tools []Tool // that views alone see
	all   []Tool // these, and those that the server offers to everybody
}

// chooseViews chooses the views whose tools the server offers, and the tools for them.
func (a *adapter) chooseViews() (v views) {
	offered := func(name string) bool {
		return slices.ContainsFunc(a.tools, func(t Tool) bool { return t.Name() == name })
	}
	for _, view := range a.opts.Views {
		if !offered(view.Tool) {
			continue
		}
		v.list = append(v.list, view)
		for _, tool := range view.Tools {
			name := tool.Name()
			switch {
			case offered(name):
				panic(fmt.Sprintf("mcp: two tools are named %s", name))
			case tool.spec.Effect == Destructive:
				panic(fmt.Sprintf("mcp: the tool %s of a view is destructive", name))
			case tool.spec.Effect != Read && (a.opts.ReadOnly || !offered(tool.presentName())):
				continue
			}
			if !slices.ContainsFunc(v.tools, func(t Tool) bool { return t.Name() == name }) {
				tool.forViews = true
				v.tools = append(v.tools, tool)
			}
		}
	}
	v.all = slices.Concat(a.tools, v.tools)
	return v
}

// showsViews reports whether the client of a request shows views.
func showsViews(req sdk.Request) bool {
	var client *sdk.ClientCapabilities
	switch req := req.(type) {
	case *sdk.ServerRequest[*sdk.InitializeParams]:
		if req.Params != nil {
			client = req.Params.Capabilities
		}
	case interface {
		ClientCapabilities() *sdk.ClientCapabilities
	}:
		client = req.ClientCapabilities()
	}
	if client == nil {
		return false
	}
	announced, ok := client.Extensions[ViewExtension]
	if !ok {
		return false
	}
	settings, _ := announced.(map[string]any)
	types, told := settings["mimeTypes"].([]any)
	return !told || slices.Contains(types, any(ViewType)) // a client that names no types takes the only one
}

// serveViews adds the views to the answers for clients that show them. Requests of all
// others pass untouched.
func (a *adapter) serveViews(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if len(a.views.list) == 0 || !showsViews(req) {
			return next(ctx, method, req)
		}
		switch req := req.(type) {
		case *sdk.CallToolRequest:
			if tool, ok := a.views.tool(req.Params.Name); ok {
				answer, err := tool.handler(a)(ctx, req)
				return wholeCall(req.ProtocolVersion(), answer), err
			}
		case *sdk.ReadResourceRequest:
			if view, ok := a.views.view(req.Params.URI); ok {
				return wholeRead(req.ProtocolVersion(), a.readView(view)), nil
			}
		}
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch result := result.(type) {
		case *sdk.ListToolsResult:
			return a.views.addTools(result), nil
		case *sdk.ListResourcesResult:
			return a.views.addResources(result), nil
		case *sdk.InitializeResult:
			result.Capabilities = withViews(result.Capabilities)
		case *sdk.DiscoverResult:
			result.Capabilities = withViews(result.Capabilities)
		}
		return result, nil
	}
}

func (v views) tool(name string) (Tool, bool) {
	i := slices.IndexFunc(v.tools, func(t Tool) bool { return t.Name() == name })
	if i < 0 {
		return Tool{}, false
	}
	return v.tools[i], true
}

func (v views) view(uri string) (View, bool) {
	i := slices.IndexFunc(v.list, func(view View) bool { return viewURI+view.Tool == uri })
	if i < 0 {
		return View{}, false
	}
	return v.list[i], true
}

// addTools adds to a page of the list of tools where the views are, and to the last page
// the tools for views. The page's own tools are all clients', and stay as they are.
func (v views) addTools(page *sdk.ListToolsResult) *sdk.ListToolsResult {
	with := *page
	with.CacheScope = "private"
	with.Tools = slices.Clone(page.Tools)
	for i, tool := range with.Tools {
		if _, shown := v.view(viewURI + tool.Name); shown {
			with.Tools[i] = withMeta(tool, sdk.Meta{
				"ui": map[string]any{"resourceUri": viewURI + tool.Name}, "ui/resourceUri": viewURI + tool.Name,
			})
		}
	}
	if with.NextCursor == "" {
		for _, tool := range v.tools {
			with.Tools = append(with.Tools, withMeta(tool.define(referencesFor(tool.Name(), v.all)), sdk.Meta{"ui": map[string]any{"visibility": []string{"app"}}}))
		}
	}
	return &with
}

func withMeta(tool *sdk.Tool, meta sdk.Meta) *sdk.Tool {
	with := *tool
	with.Meta = maps.Clone(tool.Meta)
	if with.Meta == nil {
		with.Meta = sdk.Meta{}
	}
	maps.Copy(with.Meta, meta)
	return &with
}

// addResources adds the views to the last page of the list of resources.
func (v views) addResources(page *sdk.ListResourcesResult) *sdk.ListResourcesResult {
	with := *page
	with.CacheScope = "private"
	if with.NextCursor == "" {
		with.Resources = slices.Clone(page.Resources)
		for _, view := range v.list {
			with.Resources = append(with.Resources, &sdk.Resource{
				Name: "view of " + view.Tool, Title: view.Title, Description: view.Description, URI: viewURI + view.Tool, MIMEType: ViewType,
			})
		}
	}
	return &with
}

// readView makes a view's document, for a frame that reaches no network. Pictures in it are
// data: the specification always lets them be, and some clients only where it is said.
func (a *adapter) readView(view View) *sdk.ReadResourceResult {
	var names []string
	for _, tool := range a.views.all {
		names = append(names, tool.Name())
	}
	return &sdk.ReadResourceResult{
		Cacheable: sdk.Cacheable{CacheScope: "private"},
		Contents: []*sdk.ResourceContents{{
			URI: viewURI + view.Tool, MIMEType: ViewType, Text: string(view.HTML(names)),
			Meta: sdk.Meta{"ui": map[string]any{
				"csp":           map[string]any{"connectDomains": []string{}, "resourceDomains": []string{"data:"}},
				"prefersBorder": true,
			}},
		}},
	}
}

// resultTypes is the first revision whose results say whether they are whole. The SDK says so
// for those of its own handlers alone, and only JSON tells it of others.
const resultTypes, whole = "2026-07-28", `{"resultType":"complete","content":[],"contents":[]}`

func wholeCall(revision string, answer *sdk.CallToolResult) *sdk.CallToolResult {
	var said sdk.CallToolResult
	if answer == nil || revision < resultTypes || json.Unmarshal([]byte(whole), &said) != nil {
		return answer
	}
	said.Content, said.StructuredContent, said.IsError, said.Meta = answer.Content, answer.StructuredContent, answer.IsError, answer.Meta
	return &said
}

func wholeRead(revision string, read *sdk.ReadResourceResult) *sdk.ReadResourceResult {
	var said sdk.ReadResourceResult
	if revision < resultTypes || json.Unmarshal([]byte(whole), &said) != nil {
		return read
	}
	said.Cacheable, said.Contents = read.Cacheable, read.Contents
	return &said
}

// withViews adds the extension to what a server can do.
func withViews(capabilities *sdk.ServerCapabilities) *sdk.ServerCapabilities {
	all := sdk.ServerCapabilities{}
	if capabilities != nil {
		all = *capabilities
	}
	all.Extensions = maps.Clone(all.Extensions)
	all.AddExtension(ViewExtension, nil)
	return &all
}
