package browsertest

import (
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/rawtest"
	"github.com/chemigram/chemigram/studio"
)

// darkroom is an engine whose page is served.
type darkroom struct {
	testing.TB
	engine  *chemigram.Engine
	address string // with the token
	url     string // without
}

// newDarkroom serves the page of an engine with a fake darktable and images, which all
// look alike.
func newDarkroom(tb testing.TB, opts *studio.Options, images ...chemigram.ImageID) *darkroom {
	tb.Helper()
	findChromium(tb)
	fake := testutil.FakeDarktable(tb, testutil.FakeOptions{})
	d := serve(tb, chemigram.Options{Darktable: fake.CLI, Workers: -1}, opts)
	for _, id := range images {
		_, err := d.engine.Ingest(tb.Context(), chemigram.IngestParams{RawPath: rawtest.Chart(tb, string(id)+".dng", dng.Options{}), ImageID: id})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return d
}

func serve(tb testing.TB, engine chemigram.Options, opts *studio.Options) *darkroom {
	tb.Helper()
	engine.Workspace, engine.Tastes = filepath.Join(tb.TempDir(), "workspace"), filepath.Join(tb.TempDir(), "tastes")
	opened, err := chemigram.Open(tb.Context(), &engine)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = opened.Close() })
	page, err := studio.New(opened, opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = page.Close() })
	server := httptest.NewServer(page)
	tb.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return &darkroom{TB: tb, engine: opened, address: page.Address(server.URL + "/"), url: server.URL + "/"}
}

// open opens the page in a browser of its own and waits for the picture.
func (d *darkroom) open(width, height int) *browser {
	d.Helper()
	b := open(d.TB, d.address, width, height)
	b.await(`document.querySelector("#picture")?.naturalWidth`)
	return b
}

// log is the history of an image.
func (d *darkroom) log(image chemigram.ImageID) chemigram.LogResult {
	d.Helper()
	log, err := d.engine.Log(d.Context(), chemigram.LogParams{ImageID: image, Limit: 100})
	if err != nil {
		d.Fatal(err)
	}
	return log
}

// newest is the newest version of an image, on the way to HEAD.
func (d *darkroom) newest(image chemigram.ImageID) chemigram.LogEntry {
	d.Helper()
	return d.log(image).Entries[0]
}

// summary is how an image is listed.
func (d *darkroom) summary(image chemigram.ImageID) chemigram.ImageSummary {
	d.Helper()
	list, err := d.engine.ListImages(d.Context(), chemigram.ListImagesParams{Query: string(image)})
	if err != nil || len(list.Images) != 1 {
		d.Fatal(list, err)
	}
	return list.Images[0]
}

// apply applies a move, as an agent does beside the page.
func (d *darkroom) apply(image chemigram.ImageID, move string, value float64) {
	d.Helper()
	if _, err := d.engine.ApplyPrimitive(d.Context(), chemigram.ApplyPrimitiveParams{ImageID: image, PrimitiveName: move, Value: &value}); err != nil {
		d.Fatal(err)
	}
}
