package browsertest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// shown is what a picture of the page has as its pixels.
func (b *browser) shown(selector string) image.Image {
	b.Helper()
	url := get[string](b, fmt.Sprintf(`(() => { const img = document.querySelector(%q), c = document.createElement("canvas");
		c.width = img.naturalWidth; c.height = img.naturalHeight; c.getContext("2d").drawImage(img, 0, 0); return c.toDataURL("image/png"); })()`, selector))
	_, text, _ := strings.Cut(url, ",")
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		b.Fatal(err)
	}
	pixels, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		b.Fatal(err)
	}
	return pixels
}

func readJPEG(tb testing.TB, path string) image.Image {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	pixels, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		tb.Fatal(err)
	}
	return pixels
}

// sameColours compares what the page shows with what the engine developed.
func sameColours(tb testing.TB, what string, shown, developed image.Image) {
	tb.Helper()
	if shown.Bounds().Size() != developed.Bounds().Size() {
		tb.Errorf("%s: %v pixels, developed %v", what, shown.Bounds().Size(), developed.Bounds().Size())
		return
	}
	// Decoders make different pixels of the colour of a JPEG, which has half their number:
	// what is compared are means of blocks.
	d, err := render.Compare(reduced(shown, 16), reduced(developed, 16))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Logf("%s: mean ΔE %.3f", what, d.MeanDeltaE)
	if d.MeanDeltaE > 0.5 {
		tb.Errorf("%s: mean ΔE %.2f from what was developed", what, d.MeanDeltaE)
	}
}

// reduced is a picture of the means of blocks of n by n pixels.
func reduced(pixels image.Image, n int) image.Image {
	box := pixels.Bounds()
	small := image.NewRGBA64(image.Rect(0, 0, box.Dx()/n, box.Dy()/n))
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			var sum [3]uint32
			for i := range n * n {
				r, g, b, _ := pixels.At(box.Min.X+n*x+i%n, box.Min.Y+n*y+i/n).RGBA()
				sum[0], sum[1], sum[2] = sum[0]+r, sum[1]+g, sum[2]+b
			}
			mean := func(i int) uint16 { return uint16(sum[i] / uint32(n*n)) }
			small.SetRGBA64(x, y, color.RGBA64{mean(0), mean(1), mean(2), 0xffff})
		}
	}
	return small
}

// window is what the window shows.
func (b *browser) window() image.Image {
	b.Helper()
	data, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.Fatal(err)
	}
	pixels, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		b.Fatal(err)
	}
	return pixels
}

// keep writes what the window shows into the folder that CHEMIGRAM_STUDIO_PICTURES names,
// for docs/studio.md.
func (b *browser) keep(name string) {
	b.Helper()
	folder := os.Getenv("CHEMIGRAM_STUDIO_PICTURES")
	if folder == "" {
		return
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, b.window(), &jpeg.Options{Quality: 80}); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), out.Bytes(), 0o644); err != nil {
		b.Fatal(err)
	}
}

// TestThePageShowsWhatDarktableDevelops looks at the pixels of a preview, of a draft, of a
// region at 100 % and of a mask, and limits a move to a region that a click has found.
func TestThePageShowsWhatDarktableDevelops(t *testing.T) {
	testutil.UseDarktable(t)
	findChromium(t)
	raw := filepath.Join(t.TempDir(), "landscape.dng")
	if err := scene.Write(raw, scene.Landscape{}, scene.Options{Megapixels: 6}); err != nil {
		t.Fatal(err)
	}
	d := serve(t, chemigram.Options{}, nil)
	if _, err := d.engine.Ingest(t.Context(), chemigram.IngestParams{RawPath: raw, ImageID: "a"}); err != nil {
		t.Fatal(err)
	}
	b := d.open(1280, 800)
	preview := func() image.Image {
		t.Helper()
		var query struct{ Size chemigram.Size }
		if err := json.Unmarshal([]byte(get[string](b, `document.querySelector("#picture").dataset.key`)), &query); err != nil {
			t.Fatal(err)
		}
		p, err := d.engine.RenderPreview(t.Context(), chemigram.RenderPreviewParams{ImageID: "a", Size: query.Size})
		if err != nil {
			t.Fatal(err)
		}
		return readJPEG(t, p.JPEGPath)
	}
	sameColours(t, "the preview", b.shown("#picture"), preview())

	// The first draft starts a darktable, later ones are made by it.
	b.await(`document.querySelector("#exposure-ev")`)
	for i, value := range []float64{0.4, 0.5, 0.6} {
		began := time.Now()
		b.slide("#exposure-ev", value-0.02, value-0.01, value)
		b.await(fmt.Sprintf(`document.querySelector("#picture").dataset.key.includes('"ev":%g}')`, value))
		t.Logf("draft %d is on the screen after %v", i+1, time.Since(began).Round(time.Millisecond))
	}
	draft := b.shown("#picture")
	b.release("#exposure-ev")
	began := time.Now()
	b.await(`document.querySelector("#picture").dataset.key.includes("preview") && document.querySelector("#picture").complete`)
	t.Logf("the move is applied after %v", time.Since(began).Round(time.Millisecond))
	sameColours(t, "the move", b.shown("#picture"), preview())
	if e := d.newest("a"); e.Entry != "exposure" || e.Values["ev"] != 0.6 {
		t.Errorf("the slider made %+v", e)
	}
	p, err := d.engine.RenderPreview(t.Context(), chemigram.RenderPreviewParams{ImageID: "a", Size: chemigram.Size(max(draft.Bounds().Dx(), draft.Bounds().Dy()))})
	if err != nil || !p.Cached {
		t.Errorf("the draft is not what the move then shows: %+v, %v", p, err)
	} else {
		sameColours(t, "the draft", draft, readJPEG(t, p.JPEGPath))
	}

	b.click("#zoom")
	b.await(`document.querySelector("#region") && document.querySelector(".zoomed").getAttribute("aria-busy") === "false"`)
	var region chemigram.Region
	if err := json.Unmarshal([]byte(get[string](b, `document.querySelector("#region").dataset.region`)), &region); err != nil {
		t.Fatal(err)
	}
	p, err = d.engine.RenderPreview(t.Context(), chemigram.RenderPreviewParams{ImageID: "a", Size: 4096, Region: &region})
	if err != nil {
		t.Fatal(err)
	}
	sameColours(t, "100 %", b.shown("#region"), readJPEG(t, p.JPEGPath))
	if get[float64](b, `document.querySelector("#region").width / document.querySelector("#region").naturalWidth`) != 1 {
		t.Error("at 100 % a pixel is not a pixel")
	}
	x, y := b.point(".zoomed", 0.5, 0.5)
	b.do(chromedp.DragAndDropXY(x, y, x+200, y))
	b.await(fmt.Sprintf(`(r => r.x + r.width / 2 < %g)(JSON.parse(document.querySelector("#region").dataset.region))`, region.X+region.Width/2))
	b.click("#zoom")

	b.tab("masks")
	b.click("[data-tool=point]")
	b.await(`document.querySelector("#overlay")`)
	x, y = b.point("#overlay", 0.5, 0.15)
	b.do(chromedp.MouseClickXY(x, y))
	b.await(`document.querySelector("#selected")`)
	t.Logf("a click on the sky: %s", b.text("#selected"))
	b.keep("studio_mask.jpg")
	b.tab("moves")
	b.click("[data-move=exposure] .apply")
	b.tab("history")
	b.await(`document.querySelectorAll(".version").length === 3`)
	state, err := d.engine.DescribeState(t.Context(), chemigram.DescribeStateParams{ImageID: "a"})
	text, _ := json.Marshal(state)
	if err != nil || !strings.Contains(string(text), `"mask.`) {
		t.Errorf("the move is not limited to what was found: %v\n%s", err, text)
	}
	b.tab("compare")
	b.await(`document.querySelector(".divided img")?.naturalWidth && document.querySelectorAll(".version img").length === 3`)
	b.keep("studio_compare.jpg")
}
