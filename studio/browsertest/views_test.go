package browsertest

import (
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/rawtest"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/mcp"
	"github.com/chemigram/chemigram/studio"
)

// viewHost is a client that shows views, in a browser: the app-bridge of MCP Apps before a
// server of its own.
type viewHost struct {
	*darkroom
	*browser
}

// newViewHost serves an engine's tools, over HTTP, and opens the client. CHEMIGRAM_VIEW_HOST
// is its script, which scripts/check-studio makes.
func newViewHost(tb testing.TB, engine chemigram.Options, opts mcp.Options, width, height int) viewHost {
	tb.Helper()
	findChromium(tb)
	script := os.Getenv("CHEMIGRAM_VIEW_HOST")
	if script == "" {
		tb.Skip("CHEMIGRAM_VIEW_HOST names no script: see scripts/check-studio")
	}
	if engine.Workspace == "" {
		engine.Workspace = filepath.Join(tb.TempDir(), "workspace")
	}
	engine.Tastes = filepath.Join(tb.TempDir(), "tastes")
	opened, err := chemigram.Open(tb.Context(), &engine)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = opened.Close() })
	opts.Views = studio.Views(opened)
	tools, err := mcp.NewHTTPHandler(mcp.NewServer(opened, &opts), nil)
	if err != nil {
		tb.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", tools)
	mux.HandleFunc("/host.js", func(w http.ResponseWriter, req *http.Request) { http.ServeFile(w, req, script) })
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`<!doctype html><title>a client</title><link rel="icon" href="data:,"><style>body{margin:0}iframe{border:0;width:100%;height:150px;display:block}</style><script type="module" src="/host.js"></script>`))
	})
	server := httptest.NewServer(mux)
	tb.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	v := viewHost{&darkroom{TB: tb, engine: opened}, open(tb, server.URL+"/", width, height)}
	v.await(`window.begin`)
	v.async(`begin()`)
	return v
}

// newFakeViewHost is one with a fake darktable and the image a.
func newFakeViewHost(tb testing.TB, opts mcp.Options) viewHost {
	tb.Helper()
	fake := testutil.FakeDarktable(tb, testutil.FakeOptions{})
	v := newViewHost(tb, chemigram.Options{Darktable: fake.CLI, Workers: -1}, opts, 900, 700)
	_, err := v.engine.Ingest(tb.Context(), chemigram.IngestParams{RawPath: rawtest.Chart(tb, "a.dng", dng.Options{}), ImageID: "a"})
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func (v viewHost) Helper() { v.darkroom.Helper() }

// async waits for a promise.
func (v viewHost) async(expression string) {
	v.Helper()
	v.run(`window.failed = ""; window.done = false; (async () => %s)().then(() => { done = true; }, e => { failed = String(e.message ?? e); done = true; })`, expression)
	v.await(`done`)
	if failed := get[string](v.browser, `failed`); failed != "" {
		v.darkroom.Fatalf("%s: %s", expression, failed)
	}
}

// show calls a tool and shows its view.
func (v viewHost) show(tool, arguments, more string) {
	v.Helper()
	v.async(fmt.Sprintf(`show(%q, %s, %s)`, tool, arguments, more))
}

// inView waits until something is in the view.
func (v viewHost) inView(selector string) {
	v.Helper()
	v.await(fmt.Sprintf(`view(%q)`, selector))
}

// press clicks on something in the view, as a hand does.
func (v viewHost) press(selector string, x, y float64) {
	v.Helper()
	v.await(fmt.Sprintf(`view(%q) && !view(%q).disabled`, selector, selector))
	v.run(`view(%q).scrollIntoView({block: "nearest"})`, selector)
	x, y = v.place(selector, x, y)
	v.do(chromedp.MouseClickXY(x, y))
}

// place is where a share of something in the view lies in the window.
func (v viewHost) place(selector string, x, y float64) (left, top float64) {
	v.Helper()
	r := get[[]float64](v.browser, fmt.Sprintf(`(() => { const f = document.querySelector("iframe").getBoundingClientRect(), r = view(%q).getBoundingClientRect();
		return [f.left + r.left, f.top + r.top, r.width, r.height]; })()`, selector))
	return r[0] + x*r[2], r[1] + y*r[3]
}

// pixels are those of a picture in the view.
func (v viewHost) pixels(selector string) image.Image {
	v.Helper()
	v.await(fmt.Sprintf(`view(%q)?.naturalWidth`, selector))
	v.run(`window.shownPicture?.remove(); window.shownPicture = Object.assign(document.createElement("img"), {src: view(%q).src, id: "copy", hidden: true}); document.body.append(shownPicture)`, selector)
	v.await(`shownPicture.complete && shownPicture.naturalWidth`)
	return v.shown("#copy")
}

// wire are the methods that went between view and client, in order.
func (v viewHost) wire() []string {
	v.Helper()
	return get[[]string](v.browser, `seen.wire.map(m => m.to + " " + (m.method ?? "answer"))`)
}

// noViolation fails when the view broke its own or the client's policy.
func (v viewHost) noViolation() {
	v.Helper()
	if problems := get[[]string](v.browser, `seen.problems`); len(problems) > 0 {
		v.darkroom.Errorf("the view's problems: %q", problems)
	}
}

// told is all that the agent was told, aloud and quietly.
func (v viewHost) told() (aloud, quietly string) {
	v.Helper()
	return get[string](v.browser, `seen.messages.flatMap(m => m.content.map(c => c.text)).join("\n")`),
		get[string](v.browser, `seen.contexts.at(-1)?.content?.map(c => c.text).join("\n") ?? ""`)
}

func TestAViewGreetsItsClientAndShowsTheAnswer(t *testing.T) {
	t.Parallel()
	v := newFakeViewHost(t, mcp.Options{})
	v.show("render_preview", `{image_id: "a", size: 256}`, `{}`)
	v.inView(`#picture`)
	v.await(`view("#picture").naturalWidth > 256`) // and not the answer's small one
	wire := v.wire()
	want := []string{"host ui/initialize", "view answer", "host ui/notifications/initialized"}
	if len(wire) < 3 || !slices.Equal(wire[:3], want) {
		t.Errorf("it began with %q", wire)
	}
	for _, method := range []string{"view ui/notifications/tool-input", "view ui/notifications/tool-result", "host tools/call", "host ui/notifications/size-changed"} {
		if !slices.Contains(wire, method) {
			t.Errorf("there was no %s: %q", method, wire)
		}
	}
	if n := get[int](v.browser, `seen.sizes.at(-1).height`); n < 300 || n > 700 {
		t.Errorf("it asks for a height of %d", n)
	}
	if tools := get[[]string](v.browser, `seen.forAgents`); slices.ContainsFunc(tools, func(name string) bool { return strings.HasPrefix(name, "view_") }) {
		t.Errorf("agents see %q", tools)
	}
	v.noViolation()
	v.press("#full", 0.5, 0.5)
	v.await(`seen.modes[0] === "fullscreen" && view("#full").innerText === "Smaller"`)
	v.async(`context({displayMode: "inline"})`)
	v.await(`view("#full").innerText === "Full screen"`)
	v.async(`closeView()`)
	v.await(`view("#studio").children.length === 0`)
}

// A client may speak before it answers, refuse the greeting, allow nothing or be in a frame
// without an origin.
func TestAViewDoesWithLittle(t *testing.T) {
	t.Parallel()
	v := newFakeViewHost(t, mcp.Options{Groups: mcp.Groups()})
	v.show("render_preview", `{image_id: "a", size: 256}`, `{early: true}`)
	v.inView(`#picture`)
	v.show("render_preview", `{image_id: "a", size: 256}`, `{capabilities: {}}`)
	v.inView(`#given`)
	v.await(`view("#status").innerText.includes("asks for nothing") || view("#status").innerText.includes("ask for nothing")`)
	if slices.Contains(v.wire(), "host tools/call") {
		t.Error("it called a tool all the same")
	}
	v.show("render_preview", `{image_id: "a", size: 256}`, `{sandbox: "allow-scripts"}`)
	v.await(`seen.wire.some(m => m.to === "host" && m.method === "tools/call" && m.params.name === "view_preview")`)
	v.await(`seen.wire.some(m => m.to === "view" && m.result?.content?.some(c => c.type === "image"))`)
	// A browser that paints late shows all the same what came before.
	v.show("render_variants", `{image_id: "a", primitive_name: "exposure", parameter_values: [0.1, 0.2]}`,
		`{edit: html => html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/g, "").replace("<body>", () => "<body><script>{ const paint = requestAnimationFrame, wait = setTimeout; requestAnimationFrame = f => wait(() => paint(f), 1500); setTimeout = (f, ms, ...more) => wait(f, ms + 1500, ...more); }</scr" + "ipt>")}`)
	v.await(`viewAll(".variant img").length === 2`)
	v.show("render_preview", `{image_id: "nobody"}`, `{}`)
	v.await(`view(".wait")?.innerText.includes("nobody")`)
	v.noViolation()
}

// Another frame of the client's page is not the client.
func TestAViewHearsItsClientAlone(t *testing.T) {
	t.Parallel()
	v := newFakeViewHost(t, mcp.Options{})
	v.show("render_preview", `{image_id: "a", size: 256}`, `{}`)
	v.inView(`#picture`)
	const cancelled = `{jsonrpc: "2.0", method: "ui/notifications/tool-cancelled", params: {}}`
	v.run(`window.posted = false; addEventListener("message", e => { if (e.data === "posted") posted = true; });
		document.body.append(Object.assign(document.createElement("iframe"), {sandbox: "allow-scripts", srcdoc: "<script>parent.frames[0].postMessage(%s, '*'); parent.postMessage('posted', '*')</scr" + "ipt>"}))`, strings.ReplaceAll(cancelled, `"`, `'`))
	v.await(`posted`)
	v.async(`context({locale: "en"})`)
	v.async(`new Promise(r => setTimeout(r, 300))`)
	if !get[bool](v.browser, `Boolean(view("#picture"))`) {
		t.Error("another frame cancelled the call")
	}
	v.run(`document.querySelector("iframe").contentWindow.postMessage(%s, "*")`, cancelled)
	v.await(`view(".wait")?.innerText === "The call was cancelled."`)
}

// TestViewsAreAccessible runs axe-core in each view, with its policy taken away.
func TestViewsAreAccessible(t *testing.T) {
	t.Parallel()
	path := os.Getenv("CHEMIGRAM_AXE")
	if path == "" {
		t.Skip("CHEMIGRAM_AXE names no axe.min.js")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	v := newFakeViewHost(t, mcp.Options{Groups: mcp.Groups()})
	v.apply("a", "exposure", 0.5)
	v.run(`window.axeScript = %q`, string(axe))
	for _, width := range []int64{1280, 400} {
		v.do(chromedp.EmulateViewport(width, 900))
		for tool, c := range map[string][2]string{
			"render_preview":  {`{image_id: "a"}`, `view("#picture")`},
			"compare":         {`{image_id: "a", hash_a: "baseline", hash_b: "HEAD"}`, `view(".divided img")`},
			"render_variants": {`{image_id: "a", primitive_name: "exposure", parameter_values: [0.1, 0.2]}`, `viewAll(".variant img").length === 2`},
			"log":             {`{image_id: "a"}`, `viewAll(".version img").length === 2`},
			"preview_mask":    {`{image_id: "a", mask: {shapes: [{kind: "gradient", x: 0.5, y: 0.5}]}}`, `view("#selected")`},
		} {
			v.show(tool, c[0], `{edit: html => html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/g, "").replace("</head>", () => "<script>" + axeScript + "</scr" + "ipt></head>")}`)
			v.await(c[1])
			if tool == "preview_mask" { // with a point that can be dragged
				v.press("[data-tool=point]", 0.5, 0.5)
				v.press("#overlay", 0.5, 0.5)
				v.inView("#overlay circle")
			}
			v.run(`window.found = null; document.querySelector("iframe").contentWindow.axe.run({resultTypes: ["violations"]}).then(r => { window.passed = r.passes.length; window.found = r.violations.filter(v => ["serious", "critical"].includes(v.impact))
				.map(v => v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map(n => n.html).join(" ")); })`)
			v.await(`window.found`)
			for _, violation := range get[[]string](v.browser, `window.found`) {
				t.Errorf("%s at %d: %s", tool, width, violation)
			}
			if n := get[int](v.browser, `window.passed`); n < 10 {
				t.Errorf("%s at %d: only %d rules were looked at", tool, width, n)
			}
			if wide := get[int](v.browser, `document.querySelector("iframe").contentDocument.documentElement.scrollWidth`); int64(wide) > width {
				t.Errorf("%s is %d wide in %d", tool, wide, width)
			}
		}
	}
}

func TestTheViewOfCompareHasADivider(t *testing.T) {
	t.Parallel()
	v := newFakeViewHost(t, mcp.Options{})
	v.apply("a", "exposure", 0.5)
	v.show("compare", `{image_id: "a", hash_a: "baseline", hash_b: "HEAD", size: 256}`, `{}`)
	v.inView(`.divided img`)
	x, y := v.place(".divided", 0.5, 0.5)
	fx, _ := v.place(".divided", 0.2, 0.5)
	v.do(chromedp.DragAndDropXY(x, y, fx, y))
	v.await(`Math.abs(view("[role=slider]").getAttribute("aria-valuenow") - 20) < 3`)
	v.await(`view("#diff li")?.innerText.includes("exposure")`)
	v.press(`[data-mode=difference]`, 0.5, 0.5)
	v.inView(`#difference`)
	v.inView(`#numbers`)
	if text := get[string](v.browser, `view("#status").innerText`); text != "" {
		t.Errorf("it says %q", text)
	}
	v.noViolation()
}

func TestAVariantThatIsChosenIsApplied(t *testing.T) {
	t.Parallel()
	v := newFakeViewHost(t, mcp.Options{Groups: mcp.Groups()})
	v.show("render_variants", `{image_id: "a", variants: [
		{name: "as it is", moves: [{primitive_name: "exposure", value: 0.1}]},
		{name: "<img src=x onerror=parent.owned=1>", moves: [{primitive_name: "exposure", value: 0.7}, {primitive_name: "warmth", value: 30}]}]}`, `{}`)
	v.await(`viewAll(".variant img").length === 2`)
	before := v.log("a").Total
	v.press(`.variant:nth-child(2)`, 0.5, 0.5)
	v.await(`seen.messages.length === 1`)
	log := v.log("a")
	if log.Total != before+2 || log.Entries[0].Entry != "warmth" || log.Entries[1].Entry != "exposure" || log.Entries[1].Values["ev"] != 0.7 || log.Entries[0].Op != "apply_primitive" {
		t.Errorf("choosing made %+v", log.Entries)
	}
	if aloud, _ := v.told(); !strings.Contains(aloud, `<img src=x onerror=parent.owned=1>`) || !strings.Contains(aloud, log.Entries[0].Hash) {
		t.Errorf("the agent was told %q", aloud)
	}
	v.await(`view('.variant[aria-pressed=true]') && view("#status").innerText.includes("the agent knows")`)
	if owned := get[bool](v.browser, `Boolean(window.owned) || viewAll(".variant img").length !== 2`); owned {
		t.Error("a name became markup")
	}
	v.noViolation()

	// One move at several values, for an agent that cannot be spoken to.
	v.show("render_variants", `{image_id: "a", primitive_name: "exposure", parameter_values: [-0.5, 0.2]}`, `{deaf: true, capabilities: {serverTools: {}}}`)
	v.await(`viewAll(".variant img").length === 2`)
	v.press(`.variant:nth-child(1)`, 0.5, 0.5)
	v.await(`view("#status").innerText.includes("do so yourself")`)
	if e := v.newest("a"); e.Entry != "exposure" || e.Values["ev"] != -0.5 {
		t.Errorf("choosing made %+v", e)
	}

	// Where the edit has changed since, the picture is another one, and nothing is applied.
	v.show("render_variants", `{image_id: "a", primitive_name: "exposure", parameter: "ev", parameter_values: [1, 2]}`, `{}`)
	v.await(`viewAll(".variant img").length === 2`)
	v.apply("a", "contrast", 0.3)
	v.press(`.variant:nth-child(1)`, 0.5, 0.5)
	v.await(`view("#status").innerText.includes("no longer fit")`)
	if e := v.newest("a"); e.Entry != "contrast" {
		t.Errorf("choosing made %+v", e)
	}
}

func TestTheViewOfTheHistoryGoesThere(t *testing.T) {
	t.Parallel()
	v := newFakeViewHost(t, mcp.Options{})
	v.apply("a", "exposure", 0.5)
	v.apply("a", "warmth", 20)
	const script = `<script>parent.owned = 1</script>`
	if _, err := v.engine.Snapshot(t.Context(), chemigram.SnapshotParams{ImageID: "a", Label: script}); err != nil {
		t.Fatal(err)
	}
	v.show("log", `{image_id: "a"}`, `{}`)
	v.await(`viewAll(".version").length === 4 && viewAll(".version img").length === 4`)
	entries := v.log("a").Entries
	if text := get[string](v.browser, `view(".version b").innerText`); text != script || get[bool](v.browser, `Boolean(window.owned)`) {
		t.Errorf("the label is %q", text)
	}
	exposure := entries[2]
	v.press(fmt.Sprintf(`[data-event=%q]`, exposure.Event), 0.5, 0.5)
	v.await(fmt.Sprintf(`view("#picture")?.dataset.version === %q`, exposure.Event))
	v.press("#checkout", 0.5, 0.5)
	v.await(fmt.Sprintf(`view('li.head .version')?.dataset.event === %q`, exposure.Event))
	if e := v.newest("a"); e.Event != exposure.Event {
		t.Errorf("HEAD is %+v", e)
	}
	v.run(`view("#ref-name").focus()`)
	v.do(chromedp.KeyEvent("mine"))
	v.press("#branch", 0.5, 0.5)
	v.await(`seen.contexts.length > 1`)
	if refs := v.log("a").Refs; !slices.Contains(refs, "refs/heads/mine") {
		t.Errorf("the refs are %q", refs)
	}
	if _, quietly := v.told(); !strings.Contains(quietly, "checkout") || !strings.Contains(quietly, `"mine"`) {
		t.Errorf("the agent was told %q", quietly)
	}
	v.noViolation()
}

func TestAReadOnlyServerHasViewsThatChangeNothing(t *testing.T) {
	t.Parallel()
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{})
	workspace := filepath.Join(t.TempDir(), "workspace")
	writer, err := chemigram.Open(t.Context(), &chemigram.Options{Workspace: workspace, Darktable: fake.CLI, Workers: -1, Tastes: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Ingest(t.Context(), chemigram.IngestParams{RawPath: rawtest.Chart(t, "a.dng", dng.Options{}), ImageID: "a"}); err != nil {
		t.Fatal(err)
	}
	v := newViewHost(t, chemigram.Options{Workspace: workspace, Darktable: fake.CLI, Workers: -1, ReadOnly: true}, mcp.Options{Groups: mcp.Groups(), ReadOnly: true}, 900, 700)
	(&darkroom{TB: t, engine: writer}).apply("a", "exposure", 0.5)
	before := v.log("a")
	v.show("render_variants", `{image_id: "a", primitive_name: "exposure", parameter_values: [0.1, 0.2]}`, `{}`)
	v.await(`viewAll(".variant img").length === 2`)
	if !get[bool](v.browser, `viewAll(".variant").every(b => b.disabled)`) {
		t.Error("a variant can be chosen")
	}
	v.show("log", `{image_id: "a"}`, `{}`)
	v.await(`viewAll(".version").length === 2`)
	v.press(`li:nth-child(2) .version`, 0.5, 0.5)
	v.inView(`.version[aria-current]`)
	if get[bool](v.browser, `Boolean(view("#ref-name")) || !view("#checkout").disabled`) {
		t.Error("the history can be changed")
	}
	_ = writer.Close()
	if after := v.log("a"); after.Total != before.Total || after.Entries[0].Event != before.Entries[0].Event {
		t.Errorf("the history is %+v", after.Entries)
	}
}

// TestViewsShowWhatDarktableDevelops looks at the pixels of each view, and corrects a mask.
func TestViewsShowWhatDarktableDevelops(t *testing.T) {
	testutil.UseDarktable(t)
	raw := filepath.Join(t.TempDir(), "landscape.dng")
	if err := scene.Write(raw, scene.Landscape{}, scene.Options{Megapixels: 6}); err != nil {
		t.Fatal(err)
	}
	v := newViewHost(t, chemigram.Options{}, mcp.Options{Groups: mcp.Groups()}, 1000, 760)
	if _, err := v.engine.Ingest(t.Context(), chemigram.IngestParams{RawPath: raw, ImageID: "a"}); err != nil {
		t.Fatal(err)
	}
	v.apply("a", "exposure", 0.6)
	developed := func(ref chemigram.RefOrHash, size int) image.Image {
		t.Helper()
		p, err := v.engine.RenderPreview(t.Context(), chemigram.RenderPreviewParams{ImageID: "a", RefOrHash: ref, Size: chemigram.Size(size)})
		if err != nil {
			t.Fatal(err)
		}
		return readJPEG(t, p.JPEGPath)
	}
	edge := func(m image.Image) int { return max(m.Bounds().Dx(), m.Bounds().Dy()) }

	v.show("render_preview", `{image_id: "a"}`, `{}`)
	v.await(`view("#picture")?.dataset.key?.includes("preview") && view("#picture").complete`)
	got := v.pixels("#picture")
	sameColours(t, "the picture", got, developed("HEAD", edge(got)))

	v.show("compare", `{image_id: "a", hash_a: "baseline", hash_b: "HEAD"}`, `{}`)
	v.inView(`.divided`)
	first, second := v.pixels(".divided .first"), v.pixels(".divided img:not(.first)")
	sameColours(t, "the first version", first, developed("baseline", edge(first)))
	sameColours(t, "the second version", second, developed("HEAD", edge(second)))

	v.show("render_variants", `{image_id: "a", primitive_name: "warmth", parameter_values: [-40, 0, 40]}`, `{}`)
	v.await(`viewAll(".variant img").length === 3`)
	warm := v.pixels(".variant:nth-child(3) img")
	v.keepView("view_variants.jpg")
	v.press(`.variant:nth-child(3)`, 0.5, 0.5)
	v.await(`seen.messages.length === 1`)
	sameColours(t, "the variant", warm, developed("HEAD", edge(warm)))

	v.show("log", `{image_id: "a"}`, `{}`)
	v.await(`viewAll(".version img").length === 3 && view("#picture")?.dataset.key?.includes("preview")`)
	v.keepView("view_history.jpg")

	// The agent's point is on the sky. The person drags it to the hut.
	v.show("preview_mask", `{image_id: "a", mask: {points: [{x: 0.5, y: 0.15}]}}`, `{}`)
	v.inView("#selected")
	v.await(`view("#picture").dataset.key.includes("mask") && view("#picture").complete`)
	sky, fraction := v.pixels("#picture"), get[string](v.browser, `view("#selected").innerText`)
	p, err := v.engine.PreviewMask(t.Context(), chemigram.PreviewMaskParams{ImageID: "a", Mask: chemigram.Mask{Points: []chemigram.MaskPoint{{X: 0.5, Y: 0.15}}}, Size: chemigram.Size(edge(sky))})
	if err != nil {
		t.Fatal(err)
	}
	sameColours(t, "the mask", sky, readJPEG(t, p.JPEGPath))
	x, y := v.place("#overlay", 0.5, 0.15)
	tx, ty := v.place("#overlay", 0.755, 0.82)
	v.do(chromedp.DragAndDropXY(x, y, tx, ty))
	v.await(fmt.Sprintf(`view("#selected")?.innerText && view("#selected").innerText !== %q`, fraction))
	v.press("#use", 0.5, 0.5)
	v.await(`seen.messages.length === 1`)
	aloud, quietly := v.told()
	_, mask, _ := strings.Cut(aloud, ": ")
	if !strings.Contains(quietly, mask) || !strings.Contains(mask, `"y":0.8`) {
		t.Errorf("the agent was told %q, and quietly %q", aloud, quietly)
	}
	// The agent does as it is told.
	v.async(fmt.Sprintf(`(async () => { const r = await call("apply_primitive", {image_id: "a", primitive_name: "exposure", value: -1, mask: %s}); if (r.isError) throw new Error(r.content[0].text); })()`, mask))
	before, after := developed("HEAD~1", 512), developed("HEAD", 512)
	wasSky, nowSky, wasHut, hut := brightness(before, 0.5, 0.15), brightness(after, 0.5, 0.15), brightness(before, 0.755, 0.82), brightness(after, 0.755, 0.82)
	t.Logf("the sky was %.3f and is %.3f, the hut was %.3f and is %.3f", wasSky, nowSky, wasHut, hut)
	if hut > wasHut*0.8 || nowSky < wasSky*0.97 {
		t.Error("the move is not limited to the corrected mask")
	}
	v.noViolation()
}

// keepView keeps what the view shows, for the documentation.
func (v viewHost) keepView(name string) {
	v.Helper()
	v.do(chromedp.EmulateViewport(1000, get[int64](v.browser, `document.querySelector("iframe").offsetHeight`)))
	v.keep(name)
	v.do(chromedp.EmulateViewport(1000, 760))
}

// brightness is the mean of the green values around a place.
func brightness(m image.Image, x, y float64) float64 {
	b, sum, n := m.Bounds(), 0.0, 0
	for dy := -5; dy <= 5; dy++ {
		for dx := -5; dx <= 5; dx++ {
			_, g, _, _ := m.At(b.Min.X+int(x*float64(b.Dx()))+dx, b.Min.Y+int(y*float64(b.Dy()))+dy).RGBA()
			sum, n = sum+float64(g)/0xffff, n+1
		}
	}
	return sum / float64(n)
}
