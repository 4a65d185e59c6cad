package imagefile

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLocationsInXMPBecomeBlanks(t *testing.T) {
	t.Parallel()
	const head = `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description xmlns:e="http://ns.adobe.com/exif/1.0/" ` +
		`xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:c="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" ` +
		`xmlns:x="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:o="urn:other"`
	for name, c := range map[string]struct{ from, gone string }{
		"an attribute":        {head + ` e:GPSLatitude="48,12N" e:FNumber="8/1"/></r:RDF>`, ` e:GPSLatitude="48,12N"`},
		"in single quotes":    {head + ` o:a='e:GPSLatitude="1"' c:Location = 'Park "5"'/></r:RDF>`, ` c:Location = 'Park "5"'`},
		"an element":          {head + `><photoshop:City>Wien</photoshop:City><o:City>Graz</o:City></r:Description></r:RDF>`, `<photoshop:City>Wien</photoshop:City>`},
		"an empty element":    {head + `><e:GPSVersionID/></r:Description></r:RDF>`, `<e:GPSVersionID/>`},
		"an element in depth": {head + `><x:LocationShown><r:Bag><r:li x:City="Wien"/></r:Bag></x:LocationShown></r:Description></r:RDF>`, `<x:LocationShown><r:Bag><r:li x:City="Wien"/></r:Bag></x:LocationShown>`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := []byte(c.from)
			if err := blankXMP(got); err != nil {
				t.Fatal(err)
			}
			if want := strings.Replace(c.from, c.gone, strings.Repeat(" ", len(c.gone)), 1); string(got) != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
	if err := blankXMP([]byte(`<a><b></a>`)); err == nil {
		t.Error("a packet that cannot be read was taken for one without a location")
	}
}

const cityAndTree = "\x1c\x02\x5a\x00\x06Vienna\x1c\x02\x19\x00\x04tree"

// An independent reader of darktable's IPTC in a PNG is not at hand: this is
// its form.
func TestLocationsInACompressedProfileBecomeBlanks(t *testing.T) {
	t.Parallel()
	resource := "8BIM\x04\x04\x00\x00\x00\x00\x00\x14" + cityAndTree
	digits := hex.EncodeToString([]byte(resource))
	profile := fmt.Sprintf("\niptc\n%8d\n%s\n%s\n", len(resource), digits[:48], digits[48:])
	var b bytes.Buffer
	b.WriteString("Raw profile type iptc\x00\x00")
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(profile))
	_ = z.Close()
	got, err := blankChunk("zTXt", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	text, err := inflate(got[len("Raw profile type iptc\x00\x00"):])
	want := strings.Replace(profile, hex.EncodeToString([]byte("Vienna")), strings.Repeat("20", 6), 1)
	if err != nil || string(text) != want {
		t.Errorf("got %q, %v; want %q", text, err, want)
	}
}

func TestMetadataThatCannotBeReadAreNotPassedOn(t *testing.T) {
	t.Parallel()
	for name, segment := range map[string]string{
		"EXIF":      segment(exifName, "no TIFF"),
		"XMP":       segment(xmpNamespace, "<a>"),
		"Photoshop": strings.Replace(segment(photoshopName, "8BIM\x04\x04\x00\x00\x00\x00\xff\xff"), "\xe1", "\xed", 1),
		"a circle":  segment(exifName, "II*\x00\x08\x00\x00\x00\x00\x00\x08\x00\x00\x00"),
		"a far tag": segment(exifName, "II*\x00\xff\x00\x00\x00"),
	} {
		path := filepath.Join(t.TempDir(), "a.jpg")
		whole := withSegments(t, segment)
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Strip(path, JPEG, Location); err == nil {
			t.Errorf("%s: the picture was passed on", name)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, whole) {
			t.Errorf("%s: the file was changed (%v)", name, err)
		}
		if err := Strip(path, JPEG, Everything); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, withSegments(t)) {
			t.Errorf("%s: it is not gone (%v)", name, err)
		}
	}
}

func FuzzBlankXMP(f *testing.F) {
	f.Add([]byte(`<a xmlns:e="http://ns.adobe.com/exif/1.0/" e:GPSLatitude="48,12N"><e:GPSStatus/></a>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got := bytes.Clone(data)
		if err := blankXMP(got); err != nil {
			return
		}
		if err := blankXMP(got); err != nil {
			t.Errorf("%q became %q: %v", data, got, err)
		}
	})
}

func FuzzBlankNamed(f *testing.F) {
	f.Add("iptc", []byte(cityAndTree))
	f.Add("exif", []byte("II*\x00\x08\x00\x00\x00\x01\x00\x25\x88\x04\x00\x01\x00\x00\x00\x1a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(_ *testing.T, name string, data []byte) {
		_ = blankNamed(name, data)
		_, _ = blankChunk("zTXt", data)
		_, _ = blankChunk("iTXt", data)
	})
}
