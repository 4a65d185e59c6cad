package studio

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"slices"
	"strings"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/mcp"
)

//go:generate go tool -modfile=../tools/go.mod esbuild view/main.js --bundle --minify --format=esm --target=es2022 --charset=utf8 --legal-comments=none --log-level=warning --outfile=view/bundle.js

// viewScript is the script of all views with those of the page that it needs, as one.
//
//go:embed view/bundle.js
var viewScript string

//go:embed view/view.css
var viewStyle string

// Views shows answers of tools inside clients that can show views (MCP Apps), with the parts
// of the page: two versions under a divider, variants to choose from, the history as a graph,
// a mask whose points can be corrected, the picture. It is for the Views of [mcp.Options],
// and needs no page that is served.
func Views(engine *chemigram.Engine) []mcp.View {
	preview := mcp.Bind(mcp.Spec{
		Name: "view_preview", Title: "Show a version", Effect: mcp.Read,
		Description: "Gives a view a version as a picture.",
	}, engine.RenderPreview)
	draft := mcp.Bind(mcp.Spec{
		Name: "view_draft", Title: "Show a variant", Effect: mcp.Read,
		Description: "Gives a view moves on top of a version as a picture. Nothing is applied.",
	}, func(ctx context.Context, p DraftParams) (DraftResult, error) { return renderDraft(ctx, engine, p) })
	between := mcp.Bind(mcp.Spec{
		Name: "view_difference", Title: "Show a difference", Effect: mcp.Read,
		Description: "Gives a view the difference of two versions as a picture.",
	}, func(ctx context.Context, p chemigram.CompareParams) (DifferenceResult, error) {
		r, err := engine.Compare(ctx, p)
		return DifferenceResult{r.DifferencePath, r.MeanDeltaE, r.MaxDeltaE, r.ChangedFraction, r.SameFrame}, err
	})
	selected := mcp.Bind(mcp.Spec{
		Name: "view_mask", Title: "Show a mask", Effect: mcp.Read,
		Description: "Gives a view what a mask selects as a picture.",
	}, engine.PreviewMask)
	return []mcp.View{
		view("render_preview", "The picture", "A version, also at 100 %, and how it was before.", preview),
		view("compare", "Two versions", "Two versions under a divider, side by side or as their difference.", preview, between),
		view("render_variants", "Variants", "Ideas side by side: the one that is chosen becomes the edit.", draft, applyForViews(engine)),
		view("log", "The history", "Branches, merges and tags as a graph with small pictures.", preview),
		view("preview_mask", "The mask", "What a mask selects, in red, with points to correct.", preview, selected),
	}
}

// DraftParams are the parameters of the tool view_draft.
type DraftParams struct {
	ImageID   chemigram.ImageID       `json:"image_id"`
	RefOrHash chemigram.RefOrHash     `json:"ref_or_hash,omitempty" jsonschema:"The version that the moves start from. Default: HEAD."`
	Moves     []chemigram.VariantMove `json:"moves"`
	Size      chemigram.Size          `json:"size,omitempty" default:"480"`
}

// DraftResult is the answer of the tool view_draft.
type DraftResult struct {
	JPEGPath  string `json:"jpeg_path"`
	StateHash string `json:"state_hash" jsonschema:"The hash of the look that the moves would make."`
}

// DifferenceResult is the answer of the tool view_difference; see [chemigram.CompareResult].
type DifferenceResult struct {
	JPEGPath        string  `json:"jpeg_path"`
	MeanDeltaE      float64 `json:"mean_delta_e" decimals:"2"`
	MaxDeltaE       float64 `json:"max_delta_e" decimals:"2"`
	ChangedFraction float64 `json:"changed_fraction" decimals:"4"`
	SameFrame       bool    `json:"same_frame"`
}

// renderDraft develops moves on top of a version, which are not applied.
func renderDraft(ctx context.Context, engine *chemigram.Engine, p DraftParams) (DraftResult, error) {
	r, err := engine.RenderVariants(ctx, chemigram.RenderVariantsParams{
		ImageID: p.ImageID, RefOrHash: p.RefOrHash, Size: p.Size, Variants: []chemigram.Variant{{Name: "draft", Moves: p.Moves}},
	})
	if err != nil {
		return DraftResult{}, err
	}
	return DraftResult{r.JPEGPath, r.Variants[0].StateHash}, nil
}

// applyForViews is apply_primitive, under the name by which views call it.
func applyForViews(engine *chemigram.Engine) mcp.Tool {
	tools := mcp.EngineTools(engine)
	i := slices.IndexFunc(tools, func(t mcp.Tool) bool { return t.Name() == "apply_primitive" })
	return tools[i].ForViews("view_apply", "Applies a move that the person has chosen in a view.")
}

func view(tool, title, description string, tools ...mcp.Tool) mcp.View {
	return mcp.View{
		Tool: tool, Title: title, Description: description, Tools: tools,
		HTML: func(offered []string) []byte { return document(tool, title, offered) },
	}
}

// viewPage is the document of a view: its only script and its only style are known by their
// digests, so that nothing else can be either, whatever the client allows.
var viewPage = template.Must(template.New("view").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src '{{.StyleDigest}}'; script-src '{{.ScriptDigest}}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<title>{{.Title}}</title>
{{.Licences}}
<style>{{.Style}}</style>
</head>
<body>
<div id="studio" data-view="{{.Tool}}" data-tools="{{.Tools}}" data-version="{{.Version}}"><p class="wait">Opening…</p></div>
<script type="module">{{.Script}}</script>
</body>
</html>
`))

// document is one HTML document that needs nothing else.
func document(tool, title string, tools []string) []byte {
	style := asset("base.css") + asset("studio.css") + viewStyle
	var out strings.Builder
	err := viewPage.Execute(&out, map[string]any{
		"Tool": tool, "Title": title, "Tools": strings.Join(tools, " "), "Version": chemigram.Version(),
		"Style": template.CSS(style), "StyleDigest": digest(style),
		"Script": template.JS(viewScript), "ScriptDigest": digest(viewScript),
		"Licences": template.HTML("<!--\n" + asset("vendor/htm-preact.LICENSE.txt") + "-->"),
	})
	if err != nil {
		panic("studio: " + err.Error())
	}
	return []byte(out.String())
}

// asset is a file of the page.
func asset(name string) string {
	text, err := files.ReadFile("page/" + name)
	if err != nil {
		panic("studio: " + err.Error())
	}
	return string(text)
}

// digest is what a content security policy knows a script or a style by.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
