package imagefile

import (
	"bytes"
	"image"
	_ "image/png"
	"strings"
	"testing"

	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"
)

func decoded(t *testing.T, data []byte) image.Image {
	t.Helper()
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func equalImages(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				return false
			}
		}
	}
	return true
}

func TestWhatIsNotKnownInXMPBecomesBlanks(t *testing.T) {
	t.Parallel()
	const known = ` xmlns:e="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:d="http://purl.org/dc/elements/1.1/"` +
		` xmlns:darktable="http://darktable.sf.net/"`
	const head = `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about=""` + known
	const end = `</r:Description></r:RDF>`
	for name, c := range map[string]struct{ from, gone string }{
		"an attribute":        {head + ` e:GPSLatitude="48,12N" e:FNumber="8/1"/></r:RDF>`, ` e:GPSLatitude="48,12N"`},
		"in single quotes":    {head + ` photoshop:City = 'Park "5"' e:FNumber='8/1'/></r:RDF>`, ` photoshop:City = 'Park "5"'`},
		"without a namespace": {head + ` City="Wien"/></r:RDF>`, ` City="Wien"`},
		"an element":          {head + `><photoshop:City>Wien</photoshop:City><photoshop:Credit>Graz</photoshop:Credit>` + end, `<photoshop:City>Wien</photoshop:City>`},
		"of a vendor":         {head + `><v:Name xmlns:v="urn:v">Wien</v:Name>` + end, `<v:Name xmlns:v="urn:v">Wien</v:Name>`},
		"a namespace's name":  {head + ` xmlns:v="urn:Wien"/></r:RDF>`, ` xmlns:v="urn:Wien"`},
		"a keyword":           {head + `><d:subject><r:Bag><r:li>tree</r:li><r:li>geo:lat=48.2</r:li></r:Bag></d:subject>` + end, `<r:li>geo:lat=48.2</r:li>`},
		"in pieces":           {head + `><d:title>at 48<![CDATA[.]]>2<a/>10</d:title>` + end, `<d:title>at 48<![CDATA[.]]>2<a/>10</d:title>`},
		"as references":       {head + ` d:title="&#52;8.858"/></r:RDF>`, ` d:title="&#52;8.858"`},
		"a field":             {head + `><d:creator r:parseType="Resource"><photoshop:City>Wien</photoshop:City></d:creator>` + end, `<photoshop:City>Wien</photoshop:City>`},
		"a comment":           {head + `><!-- Wien -->` + end, `<!-- Wien -->`},
		"a text":              {head + `>Wien` + end, `Wien`},
		"an item of nothing":  {head + `><r:Bag><r:li>Wien</r:li></r:Bag>` + end, `<r:Bag><r:li>Wien</r:li></r:Bag>`},
		"an instruction":      {`<?Wien?>` + head + `>` + end, `<?Wien?>`},
		"a subject":           {head + `><r:Description r:about="Wien"/>` + end, ` r:about="Wien"`},
		"nothing":             {head + ` darktable:iop_order="28.0000000" darktable:multi_name="exposure 2"><d:title>Wien, 20°C, f/1.4, 24-70mm, 1,000 trees</d:title>` + end, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := []byte(c.from)
			if err := keepKnownXMP(got); err != nil {
				t.Fatal(err)
			}
			if want := strings.Replace(c.from, c.gone, strings.Repeat(" ", len(c.gone)), 1); string(got) != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
	if err := keepKnownXMP([]byte(`<a><b></a>`)); err == nil {
		t.Error("a packet that cannot be read was taken for one without a location")
	}
}

func TestPositionsInTexts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"48.858", "at 48.8588443, 2.2943506", "-33.8688", "48,8588443", "48,51.48N", `48°51'29"N`, "48 deg 51' 29.5\" N", "48.86° N", "N 48.86°",
		"geo:lat=48.9", "GEO:48,2", "+48.8577+002.295/", "(48.858)",
	} {
		if !holdsPosition(text) {
			t.Errorf("%q is taken for no position", text)
		}
	}
	for _, text := range []string{
		"", "Vienna", "24-70mm f/2.8", "2026-06-21T19:42:00.123+02:00", "1/250", "20 °C", "a turn of 90°", "1,000 trees", "Copyright 2026", "v1.2.3", "geometry: 3",
		"darktable 5.4.1", "1.75", "10,20 Nice pictures", "4294967295/1",
	} {
		if holdsPosition(text) {
			t.Errorf("%q is taken for a position", text)
		}
	}
}

func FuzzKeepKnownXMP(f *testing.F) {
	f.Add([]byte(`<a xmlns:e="http://ns.adobe.com/exif/1.0/" e:GPSLatitude="48,12N"><e:GPSStatus/></a>`))
	f.Add([]byte(packetBody))
	f.Fuzz(func(t *testing.T, data []byte) {
		got := bytes.Clone(data)
		if err := keepKnownXMP(got); err != nil {
			return
		}
		once := bytes.Clone(got)
		if err := keepKnownXMP(got); err != nil || !bytes.Equal(once, got) {
			t.Errorf("%q became %q: %v", once, got, err)
		}
	})
}

func FuzzKeepKnownNamed(f *testing.F) {
	f.Add("iptc", []byte("\x1c\x02\x5a\x00\x06Vienna\x1c\x02\x19\x00\x04tree"))
	f.Add("exif", []byte("II*\x00\x08\x00\x00\x00\x01\x00\x25\x88\x04\x00\x01\x00\x00\x00\x1a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(_ *testing.T, name string, data []byte) {
		_, _ = keepKnownNamed(name, data)
		_, _ = keepKnownChunk("zTXt", data)
		_, _ = keepKnownChunk("iTXt", data)
	})
}
