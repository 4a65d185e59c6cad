package main

import (
	"bytes"
	"html/template"
	"image"
	"image/jpeg"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/studio"
)

// findChromium finds Chromium, or skips the test. scripts/test installs it.
func findChromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium to open the page with")
	return ""
}

// open opens a page and gives what is there when its pictures have been looked at. The
// browser's clock does not wait for that: on a busy machine the page is opened again.
func open(t *testing.T, chromium, page, fragment string) (dom string) {
	t.Helper()
	for range 10 {
		if dom = dump(t, chromium, page, fragment); strings.Contains(dom, "data-pictures=") {
			break
		}
	}
	return dom
}

func dump(t *testing.T, chromium, page, fragment string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), chromium,
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(),
		"--virtual-time-budget=10000", "--dump-dom", "file://"+page+fragment)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	dom, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	return string(dom)
}

// visibleCards lists the cards of the page that are not hidden.
func visibleCards(dom string) []string {
	var names []string
	for _, tag := range regexp.MustCompile(`<article [^>]*>`).FindAllString(dom, -1) {
		if !strings.Contains(tag, " hidden") {
			names = append(names, regexp.MustCompile(`id="([^"]*)"`).FindStringSubmatch(tag)[1])
		}
	}
	return names
}

// jpegURL is a grey picture.
func jpegURL(t *testing.T) template.URL {
	t.Helper()
	path := filepath.Join(t.TempDir(), "grey.jpg")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if err := jpeg.Encode(file, image.NewGray(image.Rect(0, 0, 60, 40)), nil); err != nil {
		t.Fatal(err)
	}
	url, err := picture(path, 60)
	if err != nil {
		t.Fatal(err)
	}
	return url
}

func TestThePageLoadsAndFilters(t *testing.T) {
	t.Parallel()
	chromium := findChromium(t)
	grey := jpegURL(t)
	g := gallery{Darktable: "5.4.1", Before: grey, Entries: []card{
		{Name: "warmth", Layer: "L3", Subject: "colour", Description: "Make the light warmer <b>.", Tags: []string{"golden", "skin"}, After: grey, Sweeps: []sweep{{Parameter: "shift", Steps: []step{{"-1", grey}, {"1", grey}}}}},
		{Name: "film_faded", Layer: "L2", Subject: "look", Description: "An old print.", Tags: []string{"film"}, After: grey},
		{Name: "agx_only", Layer: "L3", Subject: "tone", Description: "Not here.", Unavailable: "needs darktable 5.4"},
	}, Masks: []card{{Name: "skin", Layer: "mask", Subject: "mask", Description: "Faces.", After: grey, Facts: []fact{{"selected", "0.1"}}}}}
	page := filepath.Join(t.TempDir(), "gallery.html")
	var html bytes.Buffer
	if err := g.write(&html); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, html.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for fragment, want := range map[string]string{
		"":                 "warmth film_faded skin agx_only",
		"#q=warmer+skin":   "warmth",
		"#q=FILM":          "film_faded",
		"#layer=mask":      "skin",
		"#q=skin&layer=L3": "warmth",
		"#q=nothing+like":  "",
	} {
		dom := open(t, chromium, page, fragment)
		if got := strings.Join(visibleCards(dom), " "); got != want {
			t.Errorf("%q shows %q, want %q", fragment, got, want)
		}
		if !strings.Contains(dom, `data-pictures="0 missing"`) {
			t.Errorf("%q: not all pictures have loaded: %s", fragment, regexp.MustCompile(`data-pictures="[^"]*"`).FindString(dom))
		}
	}
	if strings.Contains(html.String(), "<b>") {
		t.Error("a description is taken for HTML")
	}
}

func TestTheGalleryShowsMovesAndMasks(t *testing.T) {
	testutil.UseDarktable(t)
	out := filepath.Join(t.TempDir(), "gallery.html")
	var told bytes.Buffer
	if err := run(t.Context(), out, "^(filmic_contrast|sky_darker|sky_blue)$", options{size: 200, progress: &told}); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(told.String()), "\n"); len(lines) < 3 || !strings.Contains(told.String(), "developed 14 of 14 pictures") {
		t.Errorf("it tells %q", lines)
	}
	html, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(visibleCards(string(html)), " "); got != "filmic_contrast sky_darker sky_blue" {
		t.Errorf("the page shows %q", got)
	}
	if !strings.Contains(string(html), "before, with use_filmic") {
		t.Error("a move that builds on another is not compared with that one")
	}
	if n := strings.Count(string(html), "data:image/jpeg"); n < 1+2*(2+sweepSteps)+1 { // the baseline; for each move before or mask, after, and the sweep; the mask
		t.Errorf("the page has %d pictures", n)
	}
}

// TestThePageIsMadeOfTheStudiosParts: there is one implementation of colours, controls and
// divider, and the page on the disk has it.
func TestThePageIsMadeOfTheStudiosParts(t *testing.T) {
	t.Parallel()
	var html bytes.Buffer
	if err := (gallery{Before: jpegURL(t)}).write(&html); err != nil {
		t.Fatal(err)
	}
	parts := studio.Pairs()
	for name, part := range map[string]string{"style": parts.Style, "script": parts.Script, "licences": parts.Licences} {
		if len(part) < 500 || !strings.Contains(html.String(), part) {
			t.Errorf("the page lacks the studio's %s", name)
		}
	}
	own, err := pageFile.ReadFile("page.html")
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`--\w+:|#[0-9a-f]{3,8}\b|rgba?\(|divide|clip-path|setPointerCapture`).FindAll(own, -1); found != nil {
		t.Errorf("the page has colours or a divider of its own: %q", found)
	}
	if found := regexp.MustCompile(`(?:src|href|url)\s*[=(]\s*["']?(?:https?:|//)`).FindString(html.String()); found != "" {
		t.Errorf("the page loads something from elsewhere: %s", found)
	}
}
