package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestTheFilmstripChoosesAndRates(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a", "b", "c")
	b := d.open(1280, 800)
	b.click(`[data-image=b]`)
	b.await(`document.querySelector("h1").innerText === "b"`)
	b.click(`[aria-label="3 stars"]`)
	b.await(`document.querySelector('[data-image=b] .stars').innerText === "★★★"`)
	if r := d.summary("b").Rating; r != 3 {
		t.Errorf("3 stars are %d", r)
	}
	b.do(chromedp.KeyEvent("5"))
	b.await(`document.querySelector('[data-image=b] .stars').innerText === "★★★★★"`)
	b.click(`[aria-label=Reject]`)
	b.await(`document.querySelector('[data-image=b] .stars').innerText === "✕"`)
	if r := d.summary("b").Rating; r != -1 {
		t.Errorf("rejected is %d", r)
	}
	b.run(`document.activeElement.blur()`)
	b.do(chromedp.KeyEvent(kb.ArrowRight))
	b.await(`document.querySelector("h1").innerText === "c"`)
	b.do(chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowLeft))
	b.await(`document.querySelector("h1").innerText === "a"`)
}

func TestASliderDraftsAndApplies(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a")
	b := d.open(1280, 800)
	b.write("#search", "exposure")
	b.await(`document.querySelector("#exposure-ev")`)
	if neutral := get[string](b, `document.querySelector("[data-move=exposure] .neutral").style.left`); neutral == "" {
		t.Error("the neutral value is not marked")
	}
	b.slide("#exposure-ev", 0.1, 0.2, 0.3, 0.4, 0.7)
	b.await(`document.querySelector("#picture").dataset.key.includes('"ev":0.7')`)
	if got := d.log("a").Total; got != 1 {
		t.Errorf("a draft is in the history, which has %d versions", got)
	}
	if text := b.text(`[data-move=exposure] output`); text != "0.7 EV" {
		t.Errorf("the slider says %q", text)
	}
	b.release("#exposure-ev")
	b.await(`document.querySelector("#picture").dataset.key.includes("preview")`)
	if e := d.newest("a"); e.Entry != "exposure" || e.Values["ev"] != 0.7 || e.Actor != "studio" {
		t.Errorf("the slider made %+v", e)
	}
	b.do(chromedp.DoubleClick(chromedp.CSS("#exposure-ev")))
	b.await(`document.querySelector("[data-move=exposure] output").innerText.startsWith("0 EV")`)

	b.write("#search", "warmth")
	b.click(`[data-move=warmth] .apply`)
	b.await(`document.querySelector("#status").innerText === ""`)
	b.tab("history")
	b.await(`document.querySelector(".version b").innerText.startsWith("warmth")`)
	if e := d.newest("a"); e.Entry != "warmth" {
		t.Errorf("apply made %+v", e)
	}
}

// While the hand moves, drafts are small. Where it rests, and for a single step, there is one as
// large as the picture, and none besides.
func TestADraftIsWholeWhereTheHandRests(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a")
	b := d.open(1280, 800)
	b.await(`document.querySelector("#exposure-ev")`)
	drafts := func() []string { // "value size", in the order in which they were asked for
		t.Helper()
		return get[[]string](b, `performance.getEntriesByType("resource").map(e => new URL(e.name).searchParams).filter(q => q.get("kind") === "draft")
			.map(q => JSON.parse(q.get("moves"))[0].values.ev + " " + q.get("size"))`)
	}
	whole := get[string](b, `JSON.parse(document.querySelector("#picture").dataset.key).size`+`.toString()`)
	b.slide("#exposure-ev", 0.3)
	b.await(`document.querySelector("#picture").dataset.key.includes('"ev":0.3')`)
	if got := drafts(); !slices.Equal(got, []string{"0.3 " + whole}) {
		t.Errorf("a single step asked for %q, expected one of %s", got, whole)
	}
	b.run(`performance.clearResourceTimings(); window.moved = 0; (() => {
		const e = document.querySelector("#exposure-ev"), put = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
		e.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true}));
		const step = () => { put.call(e, 0.4 + (moved & 1)); e.dispatchEvent(new Event("input", {bubbles: true})); if (++moved < 40) setTimeout(step, 10);
			else { put.call(e, 2.5); e.dispatchEvent(new Event("input", {bubbles: true})); } };
		step(); })()`)
	b.await(`document.querySelector("#picture").dataset.key.includes('"ev":2.5') && document.querySelector("#picture").naturalWidth > 512`)
	got := drafts()
	if len(got) < 2 || !strings.HasSuffix(got[0], " 512") || got[len(got)-1] != "2.5 "+whole {
		t.Errorf("a hand that moves and rests asked for %q", got)
	}
}

// What an agent does meanwhile takes no slider from under the hand.
func TestASliderStaysUnderTheHand(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a")
	b := d.open(1280, 800)
	b.await(`document.querySelector("#exposure-ev")`)
	b.slide("#exposure-ev", 0.2, 0.7)
	d.apply("a", "exposure", 0.1)
	d.apply("a", "black_point", 0.1) // no basic move: it is listed when the page knows of it
	b.await(`document.querySelector("[data-move=black_point]")`)
	if text := b.text(`[data-move=exposure] output`); text != "0.7 EV" {
		t.Errorf("the slider says %q", text)
	}
	agents := d.newest("a").Event
	b.release("#exposure-ev")
	b.await(fmt.Sprintf(`document.querySelector("#picture").dataset.version !== %q && document.querySelector("#picture").dataset.key.includes("preview")`, agents))
	if e := d.newest("a"); e.Entry != "exposure" || e.Values["ev"] != 0.7 {
		t.Errorf("the slider made %+v", e)
	}
	d.apply("a", "exposure", 0.3)
	b.await(`document.querySelector("[data-move=exposure] output").innerText === "0.3 EV"`)
}

func TestUndoRedoAndBefore(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a")
	d.apply("a", "exposure", 0.5)
	b := d.open(1280, 800)
	root, head := d.log("a").Entries[1].Event, d.newest("a").Event
	shows := func(event string) {
		t.Helper()
		b.await(fmt.Sprintf(`document.querySelector("#picture")?.dataset.version === %q`, event))
	}
	shows(head)
	b.click("#undo")
	shows(root)
	if e := d.newest("a"); e.Event != root {
		t.Errorf("undo leads to %+v", e)
	}
	b.click("#redo")
	shows(head)
	if e := d.newest("a"); e.Event != head {
		t.Errorf("redo leads to %+v", e)
	}
	b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	shows(root)
	b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl, chromedp.ModifierShift)))
	shows(head)
	b.run(`dispatchEvent(new KeyboardEvent("keydown", {key: "b"}))`)
	shows(root)
	b.run(`dispatchEvent(new KeyboardEvent("keyup", {key: "b"}))`)
	shows(head)
	b.click("#before")
	shows(root)
	b.click("#before")
	shows(head)
	b.click("#redo")
	b.await(`document.querySelector("#status").dataset.problem === "true"`) // there is nothing to redo
}

func TestTheHistoryIsAGraph(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a")
	d.apply("a", "exposure", 0.5)
	b := d.open(1280, 800)
	root, head := d.log("a").Entries[1].Event, d.newest("a").Event
	b.tab("history")
	b.click(fmt.Sprintf(`[data-event="%s"]`, root))
	b.await(fmt.Sprintf(`document.querySelector("#picture").dataset.version === %q && document.querySelector(".looking")`, root))
	if got := d.newest("a").Event; got != head {
		t.Error("to look at a version moves HEAD")
	}
	b.write("#ref-name", "start")
	b.click("#tag")
	b.await(`[...document.querySelectorAll(".ref.tag")].some(e => e.innerText === "start")`)
	b.write("#ref-name", "other")
	b.click("#branch")
	b.await(`[...document.querySelectorAll(".ref")].some(e => e.innerText === "other")`)
	refs := d.log("a").Refs
	if !slices.Contains(refs, "refs/tags/start") || !slices.Contains(refs, "refs/heads/other") {
		t.Errorf("the refs are %v", refs)
	}
	b.choose("#branches", "other")
	b.await(fmt.Sprintf(`document.querySelector(".head .version")?.dataset.event === %q`, root))
	if got := d.summary("a").Branch; got != "other" {
		t.Errorf("HEAD is on %q", got)
	}
	d.apply("a", "warmth", 20) // two branches now
	b.await(`document.querySelectorAll(".version").length === 3`)
	if lines := get[int](b, `Math.max(...[...document.querySelectorAll(".lines circle")].map(c => Number(c.getAttribute("cx"))))`); lines <= 7 {
		t.Error("two branches are drawn in one line")
	}
	if _, err := d.engine.Merge(t.Context(), chemigram.MergeParams{ImageID: "a", RefOrHash: "main"}); err != nil {
		t.Fatal(err)
	}
	b.await(`document.querySelectorAll(".lines .merge").length === 1`)
	b.click(fmt.Sprintf(`[data-event="%s"]`, head))
	b.click("#checkout")
	b.await(fmt.Sprintf(`document.querySelector(".head .version").dataset.event === %q`, head))
	if got := d.summary("a").Branch; got != "main" {
		t.Errorf("HEAD is on %q", got)
	}
}

func TestTwoVersionsAreCompared(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a")
	d.apply("a", "exposure", 0.5)
	d.apply("a", "warmth", 20)
	entries := d.log("a").Entries
	b := d.open(1280, 800)
	b.tab("compare")
	b.await(`document.querySelectorAll(".divided img").length === 2 && [...document.querySelectorAll(".divided img")].every(i => i.naturalWidth)`)
	b.await(`document.querySelector("#diff").innerText.includes("exposure")`) // from here on nothing moves
	x, y := b.point(".divided", 0.25, 0.5)
	b.do(chromedp.DragAndDropXY(x+100, y, x, y))
	b.await(`Math.abs(document.querySelector("[role=slider]").getAttribute("aria-valuenow") - 25) <= 1`)
	if clip := get[string](b, `getComputedStyle(document.querySelector(".first")).clipPath`); !strings.Contains(clip, "75") && !strings.Contains(clip, "74.") {
		t.Errorf("the first picture is clipped by %s", clip)
	}
	b.do(chromedp.SendKeys(chromedp.CSS("[role=slider]"), kb.ArrowRight))
	b.await(`Math.abs(document.querySelector("[role=slider]").getAttribute("aria-valuenow") - 27) <= 1`)
	b.choose("#version-a", entries[1].Event)
	b.await(`!document.querySelector("#diff").innerText.includes("exposure")`)
	b.click("[data-mode=side]")
	b.await(`document.querySelectorAll(".mode-side .frame img").length === 2`)
	b.click("[data-mode=difference]")
	b.await(`document.querySelector("#difference")?.naturalWidth && document.querySelector("#numbers").innerText.includes("ΔE2000 0.00")`)
	b.choose("#version-b", entries[1].Event)
	b.await(`document.querySelector("#diff").innerText.includes("same version")`)
}

func TestAVariantThatIsChosenBecomesTheEdit(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a")
	b := d.open(1280, 800)
	b.click(`[data-move=exposure] .try`)
	b.await(`document.querySelectorAll(".variant img").length === 9`)
	if got := d.log("a").Total; got != 1 {
		t.Errorf("variants are in the history, which has %d versions", got)
	}
	b.click(`.variant:nth-child(3)`)
	b.await(`document.querySelector("#picture")?.dataset.key.includes("preview")`)
	if e := d.newest("a"); e.Entry != "exposure" || e.Values["ev"] >= 0 {
		t.Errorf("the third of nine is %+v", e)
	}
	b.tab("sheet")
	b.write("#variants-of", "black and white")
	b.click("#try")
	b.await(`document.querySelectorAll(".variant img").length > 1`)
	name := b.text(".variant .caption")
	b.click(".variant")
	b.tab("history")
	b.await(`document.querySelectorAll(".version").length === 3`)
	if e := d.newest("a"); strings.ReplaceAll(e.Entry, "_", " ") != name {
		t.Errorf("%s was chosen, and %s applied", name, e.Entry)
	}
}

func TestMasksAreShownDrawnAndUsed(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a")
	b := d.open(1280, 800)
	b.tab("masks")
	b.choose("#named", "left_third")
	b.await(`document.querySelector("#selected")`)
	drag := func(x0, y0, x1, y1 float64) {
		fx, fy := b.point("#overlay", x0, y0)
		tx, ty := b.point("#overlay", x1, y1)
		b.do(chromedp.DragAndDropXY(fx, fy, tx, ty))
	}
	b.click("[data-tool=box]")
	drag(0.2, 0.2, 0.6, 0.7)
	b.await(`document.querySelector("#overlay rect")`)
	b.click("[data-tool=point]")
	x, y := b.point("#overlay", 0.5, 0.5)
	b.do(chromedp.MouseClickXY(x, y))
	b.await(`document.querySelectorAll("#overlay .on").length === 1`)
	b.click("[data-tool=off]")
	x, y = b.point("#overlay", 0.1, 0.1)
	b.do(chromedp.MouseClickXY(x, y))
	b.await(`document.querySelectorAll("#overlay .off").length === 1`)
	b.click("#last-point")
	b.await(`document.querySelectorAll("#overlay .off").length === 0`)
	b.click("[data-tool=gradient]")
	drag(0.5, 0.2, 0.5, 0.8)
	b.await(`document.querySelector("#overlay line")`)
	b.await(`document.querySelector("#selected")?.innerText.match(/Selected: (4\d|5\d)/)`) // the upper half
	b.click("[data-tool=circle]")
	drag(0.5, 0.5, 0.5, 0.75)
	b.await(`document.querySelector("#selected")?.innerText.match(/Selected: (1|2)\d\./)`)
	b.click("#invert")
	b.await(`document.querySelector("#selected")?.innerText.match(/Selected: (7|8)\d\./)`)
	b.click("#show-mask")
	b.await(`!document.querySelector("#selected")`)
	b.click("#show-mask")
	b.click("#use-mask")
	b.click("#no-mask")
	b.await(`document.querySelector("#use-mask").disabled`)
}

func TestAnExportIsWrittenAndFetched(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a")
	b := d.open(1280, 800)
	b.tab("export")
	b.choose("#format", "jpeg")
	b.write("#export-size", "200")
	b.write("#quality", "80")
	b.click("#export")
	b.await(`document.querySelector("#exported a")`)
	files, err := os.ReadDir(filepath.Join(d.engine.WorkspaceDir(), "exports", "a"))
	if err != nil || len(files) != 1 || files[0].Name() != b.text("#exported a") {
		t.Errorf("the exports are %v, %v", files, err)
	}
	b.run(`fetch(document.querySelector("#exported a").href).then(r => { window.fetched = r.status; })`)
	b.await(`window.fetched === 200`)
}
