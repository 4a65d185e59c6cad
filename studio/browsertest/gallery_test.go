package browsertest

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/chemigram/chemigram/internal/testutil"
)

// newGallery makes the page of examples/gallery with some moves, and opens it from the disk.
func newGallery(tb testing.TB, only string, width, height int) *browser {
	tb.Helper()
	findChromium(tb)
	page := filepath.Join(tb.TempDir(), "gallery.html")
	build := exec.CommandContext(tb.Context(), "go", "run", "./examples/gallery", "-out", page, "-only", only)
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	b := open(tb, (&url.URL{Scheme: "file", Path: page}).String(), width, height)
	b.await(`document.body.dataset.pictures === "0 missing" && document.querySelector(".divided")`)
	return b
}

// TestTheGalleryHasTheDivider drags it on the page that opens from the disk, and looks at the
// pixels on both sides.
func TestTheGalleryHasTheDivider(t *testing.T) {
	testutil.UseDarktable(t)
	b := newGallery(t, "^(look_cyanotype|warmth|sky_blue)$", 1280, 900)
	if n := get[int](b, `document.querySelectorAll("article .divided").length`); n != 3 {
		t.Fatalf("%d of 3 cards have a divider", n)
	}
	const card = "#look_cyanotype "
	b.run(`document.querySelector(%q).scrollIntoView({block: "center"})`, card)
	before, after := b.shown(card+".divided .first"), b.shown(card+".divided img:not(.first)")
	if before.Bounds().Size() != after.Bounds().Size() || before.Bounds().Dx() != 480 {
		t.Fatalf("the pictures have %v and %v", before.Bounds(), after.Bounds())
	}
	shows := func(x float64, want image.Image, name string) {
		t.Helper()
		got, expected := b.mean(card+".divided", x, 0.3), mean(want, x, 0.3)
		if far := distance(got, expected); far > 12 {
			t.Errorf("at %.2f the page shows %v, and %s is %v there", x, got, name, expected)
		}
	}
	if far := distance(mean(before, 0.65, 0.3), mean(after, 0.65, 0.3)); far < 40 {
		t.Fatalf("before and after differ by %.0f: that shows nothing", far)
	}
	shows(0.25, before, "before")
	shows(0.65, after, "after")
	x, y := b.point(card+".divided", 0.5, 0.6)
	to, _ := b.point(card+".divided", 0.8, 0.6)
	b.do(chromedp.DragAndDropXY(x, y, to, y))
	b.await(fmt.Sprintf(`Math.abs(document.querySelector(%q).getAttribute("aria-valuenow") - 80) <= 1`, card+"[role=slider]"))
	shows(0.65, before, "before")
	shows(0.92, after, "after")
	if line := get[float64](b, fmt.Sprintf(`(() => { const f = document.querySelector(%q).getBoundingClientRect(), l = document.querySelector(%q).getBoundingClientRect(); return (l.left + l.width / 2 - f.left) / f.width; })()`,
		card+".divided", card+".divider")); math.Abs(line-0.8) > 0.01 {
		t.Errorf("the line is at %.3f", line)
	}
	if other := get[string](b, `document.querySelector("#warmth [role=slider]").getAttribute("aria-valuenow")`); other != "50" {
		t.Errorf("the divider of another card went to %s", other)
	}
	b.do(chromedp.SendKeys(chromedp.CSS(card+"[role=slider]"), kb.Home))
	b.await(fmt.Sprintf(`document.querySelector(%q).getAttribute("aria-valuenow") === "0"`, card+"[role=slider]"))
	shows(0.1, after, "after")

	b.click("[data-pair-modes] [data-mode=side]")
	b.await(`!document.querySelector(".divided") && document.querySelectorAll("#warmth [data-pair] .frame img").length === 2`)
	if wide := get[int](b, `document.documentElement.scrollWidth`); wide > 1280 {
		t.Errorf("the page is %d wide in 1280", wide)
	}
	b.click("[data-pair-modes] [data-mode=divider]")
	b.await(`document.querySelectorAll("article .divided").length === 3`)

	// The colours are those of the studio's page.
	d := newDarkroom(t, nil, "a")
	page := d.open(1280, 800)
	const colours = `JSON.stringify(["--page", "--card", "--line", "--text", "--accent"].map(n => getComputedStyle(document.documentElement).getPropertyValue(n)).concat(getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector("button.layer, #undo")).backgroundColor))`
	if gallery, studio := get[string](b, colours), get[string](page, colours); gallery != studio || strings.Contains(gallery, `""`) {
		t.Errorf("the gallery has %s, the studio %s", gallery, studio)
	}
	b.do(chromedp.EmulateViewport(360, 800))
	if wide := get[int](b, `document.documentElement.scrollWidth`); wide > 360 {
		t.Errorf("the page is %d wide in 360", wide)
	}
	b.axe("the gallery")
}

// axe runs axe-core on the page, where CHEMIGRAM_AXE names an axe.min.js.
func (b *browser) axe(what string) {
	b.Helper()
	path := os.Getenv("CHEMIGRAM_AXE")
	if path == "" {
		return
	}
	script, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	b.run("%s; window.axeLoaded = 1", script)
	b.run(`window.found = null; axe.run(document, {resultTypes: ["violations"]}).then(r => { window.passed = r.passes.length; window.found = r.violations.filter(v => ["serious", "critical"].includes(v.impact))
		.map(v => v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map(n => n.html).join(" ")); })`)
	b.await(`window.found`)
	for _, violation := range get[[]string](b, `window.found`) {
		b.Errorf("%s: %s", what, violation)
	}
	if n := get[int](b, `window.passed`); n < 10 {
		b.Errorf("%s: only %d rules were looked at", what, n)
	}
}

// mean is the mean colour that the window shows around a share of an element.
func (b *browser) mean(selector string, x, y float64) color.RGBA {
	b.Helper()
	left, top := b.point(selector, 0, 0)
	right, bottom := b.point(selector, 1, 1)
	window := b.window()
	part := window.(interface {
		SubImage(r image.Rectangle) image.Image
	}).SubImage(image.Rect(int(left), int(top), int(right), int(bottom)))
	return mean(part, x, y)
}

// mean is the mean colour of 9 by 9 pixels around a share of a picture.
func mean(m image.Image, x, y float64) color.RGBA {
	box := m.Bounds()
	cx, cy := box.Min.X+int(x*float64(box.Dx())), box.Min.Y+int(y*float64(box.Dy()))
	var sum [3]uint32
	for i := range 81 {
		r, g, b, _ := m.At(cx+i%9-4, cy+i/9-4).RGBA()
		sum[0], sum[1], sum[2] = sum[0]+r>>8, sum[1]+g>>8, sum[2]+b>>8
	}
	return color.RGBA{uint8(sum[0] / 81), uint8(sum[1] / 81), uint8(sum[2] / 81), 255}
}

// distance of two colours, in steps of 255.
func distance(a, b color.RGBA) float64 {
	d := func(x, y uint8) float64 { return float64(x) - float64(y) }
	return math.Sqrt(d(a.R, b.R)*d(a.R, b.R) + d(a.G, b.G)*d(a.G, b.G) + d(a.B, b.B)*d(a.B, b.B))
}
