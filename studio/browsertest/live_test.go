package browsertest

import (
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/studio"
)

func TestAChangeByAnAgentAppears(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a", "b")
	b := d.open(1280, 800)
	b.tab("history")
	began := time.Now()
	d.apply("a", "exposure", 0.5)
	b.await(`document.querySelectorAll(".version").length === 2`)
	t.Logf("after %v", time.Since(began).Round(time.Millisecond))
	if _, err := d.engine.SetRating(t.Context(), chemigram.SetRatingParams{ImageID: "b", Rating: new(chemigram.Rating(2))}); err != nil {
		t.Fatal(err)
	}
	b.await(`document.querySelector("[data-image=b] .stars").innerText === "★★"`)
	if _, err := d.engine.DeleteImage(t.Context(), chemigram.DeleteImageParams{ImageID: "a", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	b.await(`document.querySelector("#status").dataset.problem === "true" && !document.querySelector("[data-image=a]")`)
}

// TestTwoWindowsAndAnAgentEditOneImage at once: nothing is lost, and both pages show what
// has become of it.
func TestTwoWindowsAndAnAgentEditOneImage(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a")
	first, second := d.open(1280, 800), d.open(900, 700)
	for _, b := range []*browser{first, second} {
		b.await(`document.querySelector("#exposure-ev")`)
	}
	const rounds = 4
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range rounds {
			_, _ = d.engine.ApplyPrimitive(t.Context(), chemigram.ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "contrast", Value: new(0.1 + float64(i)/10)})
		}
	}()
	for i := range rounds {
		first.slide("#exposure-ev", 0.1+float64(i)/5)
		first.release("#exposure-ev")
		second.slide("#warmth-shift", 5+float64(i))
		second.release("#warmth-shift")
	}
	<-done
	count := func() (n int) {
		for _, e := range d.log("a").Entries {
			if e.Op == "apply_primitive" {
				n++
			}
		}
		return n
	}
	for end := time.Now().Add(mostWaiting); count() < 3*rounds && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
	}
	if n := count(); n != 3*rounds {
		t.Errorf("%d of %d edits are in the history", n, 3*rounds)
	}
	head := d.newest("a").Event
	for _, b := range []*browser{first, second} {
		b.await(fmt.Sprintf(`document.querySelector("#picture").dataset.version === %q`, head))
	}
}

func TestWhatOthersWroteIsTextOnThePage(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a")
	const evil = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`
	if _, err := d.engine.Snapshot(t.Context(), chemigram.SnapshotParams{ImageID: "a", Label: evil}); err != nil {
		t.Fatal(err)
	}
	tag := `"><svg/onload=window.hacked=1>`
	if _, err := d.engine.Tag(t.Context(), chemigram.TagParams{ImageID: "a", Name: tag}); err != nil {
		t.Logf("the engine refuses the tag: %v", err)
	}
	_, err := d.engine.ApplyPrimitive(chemigram.WithActor(t.Context(), `<b onmouseover=window.hacked=1>actor</b>`), chemigram.ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: new(0.2)})
	if err != nil {
		t.Fatal(err)
	}
	b := d.open(1280, 800)
	b.tab("history")
	b.await(fmt.Sprintf(`[...document.querySelectorAll(".version b")].some(e => e.innerText === %q)`, evil))
	b.await(`[...document.querySelectorAll(".version small")].some(e => e.innerText.startsWith("<b onmouseover"))`)
	b.tab("compare")
	b.await(fmt.Sprintf(`[...document.querySelectorAll("option")].some(e => e.text.includes(%q))`, evil))
	if get[bool](b, `Boolean(window.hacked) || document.querySelectorAll(".version b *, option *, .version small *").length > 0`) {
		t.Error("what others wrote is taken for HTML")
	}
}

func TestWithoutTheTokenThePageSaysSo(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a")
	for _, address := range []string{d.url, d.url + "#token=wrong", d.url + "#token="} {
		b := open(t, address, 800, 600)
		b.await(`document.querySelector("#refused")`)
		if get[bool](b, `Boolean(document.querySelector("[data-image]"))`) {
			t.Errorf("%s shows images", address)
		}
	}
	b := d.open(800, 600)
	if got := get[string](b, `location.href`); strings.Contains(got, "token") {
		t.Errorf("the token stays in the address: %s", got)
	}
}

func TestThePageIsShownInNoFrame(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, nil, "a")
	loaded := make(chan struct{}, 1)
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/loaded" {
			loaded <- struct{}{}
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<iframe id=frame src=%q onload="fetch('/loaded'); window.done = 1"></iframe>`, d.address)
	}))
	defer foreign.Close()
	b := open(t, foreign.URL, 800, 600)
	<-loaded
	b.await(`window.done`)
	// Of another origin, the page's document cannot be seen; the browser's own page says that it refused.
	if get[bool](b, `(() => { try { return Boolean(frame.contentDocument?.querySelector("#studio")); } catch { return false; } })()`) {
		t.Error("a foreign page shows it in a frame")
	}
	b.mu.Lock()
	b.problems = nil // the browser complains of what was tried here
	b.mu.Unlock()
}

func TestAReadOnlyPageOffersNoChange(t *testing.T) {
	t.Parallel()
	d := newDarkroom(t, &studio.Options{ReadOnly: true}, "a")
	d.apply("a", "exposure", 0.5)
	before := d.log("a").Total
	b := d.open(1280, 800)
	b.await(`document.querySelector("#exposure-ev")`)
	for _, selector := range []string{"#undo", "#redo", "#exposure-ev", ".apply", ".rating button"} {
		if !get[bool](b, fmt.Sprintf(`document.querySelector(%q).disabled`, selector)) {
			t.Errorf("%s can be used", selector)
		}
	}
	b.run(`dispatchEvent(new KeyboardEvent("keydown", {key: "5"})); dispatchEvent(new KeyboardEvent("keydown", {key: "z", ctrlKey: true}))`)
	b.tab("history")
	b.await(`document.querySelectorAll(".version").length === 2 && document.querySelector(".locked")`)
	b.tab("export")
	b.await(`document.querySelector("#export").disabled`)
	if got := d.log("a").Total; got != before || d.summary("a").Rating != 0 {
		t.Errorf("%d versions, %d before", got, before)
	}
}

// TestFiveThousandImagesAreScrolled serves a page whose list of images is made up.
func TestFiveThousandImagesAreScrolled(t *testing.T) {
	t.Parallel()
	const total = 5000
	d := newDarkroom(t, nil, "a")
	page, err := studio.New(d.engine, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = page.Close() }()
	var pictures atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		q := req.URL.Query()
		switch {
		case req.URL.Path == "/events":
			var offset, limit int
			_, _ = fmt.Sscan(q.Get("offset")+" "+q.Get("limit"), &offset, &limit)
			w.Header().Set("Content-Type", "text/event-stream")
			var images []string
			for i := offset; i < min(offset+limit, total); i++ {
				images = append(images, fmt.Sprintf(`{"image_id":"i%d","head_hash":"h"}`, i))
			}
			_, _ = fmt.Fprintf(w, "event: list\ndata: {\"total\":%d,\"offset\":%d,\"images\":[%s]}\n\n", total, offset, strings.Join(images, ","))
			_ = http.NewResponseController(w).Flush()
			<-req.Context().Done()
		case req.URL.Path == "/picture":
			pictures.Add(1)
			w.Header().Set("Chemigram-Result", `"{}"`)
			_ = jpeg.Encode(w, image.NewGray(image.Rect(0, 0, 256, 170)), nil)
		default:
			page.ServeHTTP(w, req)
		}
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	b := open(t, page.Address(server.URL+"/"), 1280, 800)
	b.await(`document.querySelectorAll(".strip .thumbnail img").length > 5`)
	b.run(`(() => { const strip = document.querySelector(".strip"), times = []; let last = performance.now();
		window.most = 0;
		const go = now => { times.push(now - last); last = now; strip.scrollLeft += 3000; window.most = Math.max(window.most, document.querySelectorAll(".cell").length);
			if (strip.scrollLeft < strip.scrollWidth - strip.clientWidth - 1) requestAnimationFrame(go); else { times.sort((a, b) => a - b); window.times = times; } };
		requestAnimationFrame(go); })()`)
	b.await(`window.times`)
	b.await(`document.querySelector("[data-image=i4999] .thumbnail img")`)
	t.Logf("%v frames: the median took %.1f ms, 99 %% %.1f ms, the longest %.1f ms; %d pictures were asked for", get[int](b, `times.length`),
		get[float64](b, `times[times.length >> 1]`), get[float64](b, `times[Math.floor(times.length * .99)]`), get[float64](b, `times.at(-1)`), pictures.Load())
	if n := get[int](b, `most`); n > 60 {
		t.Errorf("%d cells are on the page at once", n)
	}
	if n := pictures.Load(); n > 200 {
		t.Errorf("%d thumbnails were asked for on the way", n)
	}
	b.mu.Lock()
	b.problems = nil // the made-up images have no history
	b.mu.Unlock()
}

// TestAccessibility runs axe-core on each of the page's views. CHEMIGRAM_AXE is the path of
// axe.min.js, of the npm package axe-core.
func TestAccessibility(t *testing.T) {
	t.Parallel()
	if os.Getenv("CHEMIGRAM_AXE") == "" {
		t.Skip("CHEMIGRAM_AXE names no axe.min.js")
	}
	d := newDarkroom(t, nil, "a", "b")
	d.apply("a", "exposure", 0.5)
	for _, width := range []int{1280, 400} {
		b := d.open(width, 900)
		check := func(what string) { t.Helper(); b.axe(fmt.Sprintf("%s at %d", what, width)) }
		for _, panel := range []string{"moves", "masks", "history", "export"} {
			b.tab(panel)
			check(panel)
		}
		b.tab("compare")
		b.await(`document.querySelector(".divided img")?.naturalWidth`)
		check("compare")
		b.tab("sheet")
		b.click("#try")
		b.await(`document.querySelectorAll(".variant img").length > 1`)
		check("variants")
	}
}
