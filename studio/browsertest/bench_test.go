package browsertest

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/studio"
)

// rounds is how often benchmarks measure, as CHEMIGRAM_BENCH_STUDIO says; without it they are
// left out. make bench-studio runs them.
func rounds(tb testing.TB) int {
	tb.Helper()
	text := os.Getenv("CHEMIGRAM_BENCH_STUDIO")
	if text == "" {
		tb.Skip("CHEMIGRAM_BENCH_STUDIO says not how many rounds to measure")
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		tb.Fatalf("CHEMIGRAM_BENCH_STUDIO is %q", text)
	}
	return n
}

// measureStop has the page tell how long after the last of a slider's values its picture is on
// the screen, as large as others are: the draft, or, when the slider is let go then, the new
// version. It tells after the second frame from there, so that it has been painted.
const measureStop = `window.stop = (selector, values, every, key, edge, release) => new Promise(done => {
	const slider = document.querySelector(selector), put = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
	slider.step = "any"; // so that no value comes twice
	const before = document.querySelector("#picture").dataset.version;
	let stopped;
	const there = ({dataset, naturalWidth, naturalHeight, complete}) => stopped && complete && Math.max(naturalWidth, naturalHeight) >= edge &&
		(release ? dataset.version !== before && dataset.key.includes("preview") : dataset.key.includes(key));
	const look = async () => {
		const picture = document.querySelector("#picture");
		if (!picture || !there(picture)) return requestAnimationFrame(look);
		await picture.decode().catch(() => {});
		requestAnimationFrame(() => requestAnimationFrame(now => done(now - stopped)));
	};
	requestAnimationFrame(look);
	if (values.length > 1) slider.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true}));
	let i = 0;
	const step = () => {
		put.call(slider, values[i]);
		if (++i === values.length) stopped = performance.now();
		slider.dispatchEvent(new Event("input", {bubbles: true}));
		if (i < values.length) setTimeout(step, every);
		else if (release) {
			slider.dispatchEvent(new PointerEvent("pointerup", {bubbles: true}));
			slider.dispatchEvent(new Event("change", {bubbles: true}));
		}
	};
	step();
});`

// TestHowSoonADraftIsOnTheScreen measures a slider's stop beside the engine's own draft of as
// large a picture, before and after it.
func TestHowSoonADraftIsOnTheScreen(t *testing.T) {
	n := rounds(t)
	testutil.UseDarktable(t)
	findChromium(t)
	for _, megapixels := range []float64{6, 24} {
		t.Run(fmt.Sprint(megapixels), func(t *testing.T) {
			raw := filepath.Join(t.TempDir(), "landscape.dng")
			if err := scene.Write(raw, scene.Landscape{}, scene.Options{Megapixels: megapixels}); err != nil {
				t.Fatal(err)
			}
			d := serve(t, chemigram.Options{}, nil)
			if _, err := d.engine.Ingest(t.Context(), chemigram.IngestParams{RawPath: raw, ImageID: "a"}); err != nil {
				t.Fatal(err)
			}
			b := d.open(1280, 800)
			b.await(`document.querySelector("#exposure-ev")`)
			b.run("%s", measureStop)
			m := stops{b, get[int](b, `Math.max(document.querySelector("#picture").naturalWidth, document.querySelector("#picture").naturalHeight)`), 0}
			for range 60 { // until a darktable is prepared
				if m.own(d.engine, 512) < 1500 && m.own(d.engine, m.edge) < 2500 {
					break
				}
			}
			m.page(1, false)
			times, ratios := map[string][]float64{}, map[string][]float64{}
			last := m.own(d.engine, m.edge)
			for range n {
				times["a small draft"] = append(times["a small draft"], m.own(d.engine, 512))
				for what, measure := range map[string]func() float64{
					"one step":                  func() float64 { return m.page(1, false) },
					"a drag of a second":        func() float64 { return m.page(40+rand.IntN(30), false) }, // so that it ends at any moment of a draft
					"a drag, and letting it go": func() float64 { return m.page(40+rand.IntN(30), true) },
				} {
					m.idle()
					ms := measure()
					m.idle()
					m.own(d.engine, m.edge) // while the filmstrip's picture of a new version is developed
					m.idle()
					next := m.own(d.engine, m.edge)
					times[what], ratios[what] = append(times[what], ms), append(ratios[what], 2*ms/(last+next))
					times["the engine's own draft"] = append(times["the engine's own draft"], next)
					last = next
				}
			}
			for _, what := range slices.Sorted(maps.Keys(times)) {
				all := times[what]
				slices.Sort(all)
				line := fmt.Sprintf("%g megapixels, %s: median %.0f ms, from %.0f to %.0f", megapixels, what, all[len(all)/2], all[0], all[len(all)-1])
				if r := ratios[what]; r != nil {
					slices.Sort(r)
					line += fmt.Sprintf("; × %.2f of the engine's own", r[len(r)/2])
				}
				t.Log(line)
			}
		})
	}
}

// stops measures in milliseconds; no exposure comes twice.
type stops struct {
	*browser
	edge  int // the longest edge of the page's picture
	count int
}

func (s *stops) next() float64 { s.count++; return float64(s.count) / 1000 }

// idle waits for what follows a draft in the background.
func (s *stops) idle() {
	s.Helper()
	s.run(`window.rested = false; setTimeout(() => { rested = true; }, 500)`)
	s.await(`rested`)
}

// own is what the engine itself takes for a draft.
func (s *stops) own(engine *chemigram.Engine, size int) float64 {
	s.Helper()
	v, began := s.next(), time.Now()
	_, err := engine.RenderVariants(s.Context(), chemigram.RenderVariantsParams{
		ImageID: "a", RefOrHash: "HEAD", Size: chemigram.Size(size),
		Variants: []chemigram.Variant{{Name: "draft", Moves: []chemigram.VariantMove{{PrimitiveName: "exposure", Values: map[string]float64{"ev": v}}}}},
	})
	if err != nil {
		s.Fatal(err)
	}
	return float64(time.Since(began).Microseconds()) / 1000
}

// page is what it takes on the page, after so many steps of the slider.
func (s *stops) page(steps int, release bool) float64 {
	s.Helper()
	values := make([]string, steps)
	for i := range values {
		values[i] = strconv.FormatFloat(s.next(), 'g', -1, 64)
	}
	s.run(`window.stopTook = 0; stop("#exposure-ev", [%s], 16, %q, %d, %t).then(ms => { stopTook = ms; })`,
		strings.Join(values, ", "), fmt.Sprintf(`"ev":%s}`, values[steps-1]), s.edge, release)
	s.await(`stopTook`)
	return get[float64](s.browser, `stopTook`)
}

// TestTheDividerFollowsTheHand measures a drag of the divider over two pictures of 24
// megapixels, which is more than the page asks for, and over previews as large as it asks for:
// the frames, and what of each the page's own thread had to do.
func TestTheDividerFollowsTheHand(t *testing.T) {
	n := rounds(t)
	d := newDarkroom(t, nil, "a")
	d.apply("a", "exposure", 0.5)
	page, err := studio.New(d.engine, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = page.Close() }()
	for _, size := range []image.Point{{1280, 853}, {2048, 1365}, {6000, 4000}} {
		t.Run(size.String(), func(t *testing.T) {
			pictures := [2][]byte{painted(t, size, 1), painted(t, size, 2)}
			var asked atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				if req.URL.Path != "/picture" {
					page.ServeHTTP(w, req)
					return
				}
				w.Header().Set("Chemigram-Result", fmt.Sprintf(`"{\"width\":%d,\"height\":%d}"`, size.X, size.Y))
				_, _ = w.Write(pictures[asked.Add(1)%2])
			}))
			t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
			b := open(t, page.Address(server.URL+"/"), 1280, 800)
			b.await(`document.querySelector("#picture")?.naturalWidth`)
			b.tab("compare")
			b.await(fmt.Sprintf(`[...document.querySelectorAll(".divided img")].filter(i => i.complete && i.naturalWidth === %d).length === 2`, size.X))
			b.run(`window.decoded = null; Promise.all([...document.querySelectorAll(".divided img")].map(i => i.decode())).then(() => { decoded = 1; })`)
			b.await(`window.decoded`)
			for range n {
				b.drag(t, size)
			}
		})
	}
}

// painted is a JPEG with detail everywhere.
func painted(tb testing.TB, size image.Point, seed int) []byte {
	tb.Helper()
	m := image.NewRGBA(image.Rectangle{Max: size})
	for i := range m.Pix {
		x, y := i/4%size.X, i/4/size.X
		m.Pix[i] = uint8((x*y>>7)*seed + (x*seed)>>2 + i%4*60)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 90}); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// drag drags the divider for three seconds by the mouse and tells how long frames took, and
// what was done for them.
func (b *browser) drag(t *testing.T, size image.Point) {
	t.Helper()
	b.run(`(() => { const at = document.querySelector(".divided"); window.frames_ = []; window.moves = 0; window.script = 0; window.dragging = true;
		if (!window.counted) { // what a move's handlers take, all of them
			let began;
			addEventListener("pointermove", () => { began = performance.now(); }, true);
			addEventListener("pointermove", () => { script += performance.now() - began; moves++; });
			window.counted = true;
		}
		let last;
		const mine = frames_, go = now => { if (last) mine.push(now - last); last = now; if (dragging && mine === frames_) requestAnimationFrame(go); };
		requestAnimationFrame(go); })()`)
	left, y := b.point(".divided", 0.1, 0.5)
	right, _ := b.point(".divided", 0.9, 0.5)
	before := b.metrics()
	b.do(chromedp.MouseEvent(chromedp.MousePressed, left, y, chromedp.ButtonLeft))
	began := time.Now()
	for tick := range time.Tick(8 * time.Millisecond) {
		at := tick.Sub(began).Seconds()
		if at > 3 {
			break
		}
		x := left + (right-left)*(0.5-0.5*math.Cos(at*4))
		b.do(chromedp.MouseEvent(chromedp.MouseMoved, x, y, chromedp.ButtonLeft))
	}
	b.do(chromedp.MouseEvent(chromedp.MouseReleased, left, y, chromedp.ButtonLeft))
	b.run(`dragging = false`)
	after := b.metrics()
	frames := get[[]float64](b, `frames_.sort((a, b) => a - b)`)
	count := float64(len(frames))
	spent := func(name string) float64 { return (after[name] - before[name]) * 1000 / count }
	moves := get[float64](b, `moves`)
	t.Logf("%v: %d frames, median %.1f ms, 95 %% %.1f ms; %.0f moves of %.3f ms of script; a frame: script %.2f ms, style %.2f ms, layout %.2f ms, all tasks %.2f ms; %.0f layouts",
		size, len(frames), frames[len(frames)/2], frames[len(frames)*95/100], moves, get[float64](b, `script`)/moves,
		spent("ScriptDuration"), spent("RecalcStyleDuration"), spent("LayoutDuration"), spent("TaskDuration"), after["LayoutCount"]-before["LayoutCount"])
}

// metrics are Chromium's own counters of the page's thread; durations are in seconds.
func (b *browser) metrics() map[string]float64 {
	b.Helper()
	if _, err := chromedp.Call(b.ctx, performance.Enable, performance.EnableParams{}); err != nil {
		b.Fatal(err)
	}
	r, err := chromedp.Call(b.ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		b.Fatal(err)
	}
	values := map[string]float64{}
	for _, m := range r.Metrics {
		values[m.Name] = m.Value
	}
	return values
}
