package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/chemigram/chemigram/internal/testutil"
)

// mostWaiting is how long something may take to appear: far longer than it does, for a
// machine that has much else to do.
const mostWaiting = time.Minute

// browser is a page in Chromium.
type browser struct {
	testing.TB
	ctx context.Context

	mu       sync.Mutex
	problems []string // of the page's console
}

// findChromium finds Chromium, or skips the test. scripts/test installs it, and draws half
// of the tests.
func findChromium(tb testing.TB) string {
	tb.Helper()
	testutil.SkipUndrawn(tb, 2)
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	tb.Skip("no Chromium to open the page with")
	return ""
}

// open opens a page in a window. What the page logs as an error fails the test.
func open(tb testing.TB, address string, width, height int) *browser {
	tb.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(findChromium(tb)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("force-color-profile", "srgb"), chromedp.Flag("hide-scrollbars", false),
		chromedp.WindowSize(width, height), chromedp.UserDataDir(filepath.Join(tb.TempDir(), "profile")))
	allocator, cancelAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	b := &browser{TB: tb, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil { // starts the browser, which ends with this context
		tb.Fatal(err)
	}
	messages := chromedp.Console(ctx)
	go func() {
		for message, err := range messages {
			if err != nil {
				return
			}
			b.note(message)
		}
	}()
	tb.Cleanup(func() {
		_ = chromedp.Cancel(ctx)
		cancel()
		cancelAllocator()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, problem := range b.problems {
			tb.Errorf("the page's console: %s", problem)
		}
	})
	b.do(chromedp.EmulateViewport(int64(width), int64(height)), chromedp.Navigate(address))
	return b
}

// note keeps what the page complains of; what the program refused is for the page to tell.
func (b *browser) note(message chromedp.ConsoleMessage) {
	if !message.IsException() && (message.Type != "error" || message.Source == "network") {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = append(b.problems, message.String())
}

// do runs actions in the page.
func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, mostWaiting)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// get evaluates an expression.
func get[T any](b *browser, expression string) T {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, mostWaiting)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return value
}

// run runs a statement.
func (b *browser) run(format string, values ...any) {
	b.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(format, values...)))
}

// click clicks on the first element that is there, enabled and in sight.
func (b *browser) click(selector string) {
	b.Helper()
	b.await(fmt.Sprintf(`(() => { const e = document.querySelector(%q); return e && !e.disabled; })()`, selector))
	b.do(chromedp.ScrollIntoView(chromedp.CSS(selector)), chromedp.Click(chromedp.CSS(selector)))
}

// await waits until a JavaScript expression is true.
func (b *browser) await(expression string) {
	b.Helper()
	for end := time.Now().Add(mostWaiting); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		if get[bool](b, "Boolean("+expression+")") {
			return
		}
	}
	b.Fatalf("it never came to be: %s\nThe page says:\n%s", expression, get[string](b, `document.body.innerText + (document.querySelector("iframe")?.contentDocument?.body.innerText ?? "") + (window.seen ? "\n" + seen.wire.map(m => JSON.stringify(m).slice(0, 200)).join("\n") : "")`))
}

// choose chooses an option of a select element by the beginning of its text, or its value.
func (b *browser) choose(selector, option string) {
	b.Helper()
	b.await(fmt.Sprintf(`[...document.querySelector(%q)?.options ?? []].some(o => o.value === %q || o.text.startsWith(%q))`, selector, option, option))
	b.run(`(() => { const e = document.querySelector(%q);
		e.value = [...e.options].find(o => o.value === %q || o.text.startsWith(%q)).value;
		e.dispatchEvent(new Event("change", {bubbles: true})); })()`, selector, option, option)
}

// write replaces the text of an input.
func (b *browser) write(selector, text string) {
	b.Helper()
	b.await(fmt.Sprintf(`document.querySelector(%q)`, selector))
	b.run(`(() => { const e = document.querySelector(%q); e.focus(); e.select(); })()`, selector)
	b.do(chromedp.KeyEvent(text))
}

// slide moves a slider to values, one after the other, and lets it go.
func (b *browser) slide(selector string, values ...float64) {
	b.Helper()
	list, err := json.Marshal(values)
	if err != nil {
		b.Fatal(err)
	}
	b.run(`(() => { const e = document.querySelector(%q);
		const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
		for (const v of %s) { set.call(e, v); e.dispatchEvent(new Event("input", {bubbles: true})); } })()`, selector, list)
}

// release lets a slider go.
func (b *browser) release(selector string) {
	b.Helper()
	b.run(`document.querySelector(%q).dispatchEvent(new Event("change", {bubbles: true}))`, selector)
}

// point is where a share of an element lies in the window.
func (b *browser) point(selector string, x, y float64) (left, top float64) {
	b.Helper()
	r := get[[]float64](b, fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()`, selector))
	return r[0] + x*r[2], r[1] + y*r[3]
}

// tab chooses a tab by its id.
func (b *browser) tab(id string) { b.Helper(); b.click("#tab-" + id) }

// text is the text of an element.
func (b *browser) text(selector string) string {
	b.Helper()
	return strings.TrimSpace(get[string](b, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, selector)))
}
