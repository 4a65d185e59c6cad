package render

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/rawtest"
	"github.com/chemigram/chemigram/xmp"
)

const ownPacket = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
 xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
 xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" xmlns:stRef="http://ns.adobe.com/xap/1.0/sType/ResourceRef#"
 xmp:Rating="3" photoshop:City="Linz" crs:Exposure2012="+1.00" exif:GPSLatitude="48,51.53N" exif:GPSLongitude="2,17.66E">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A title</rdf:li></rdf:Alt></dc:title>
<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">Keeper</rdf:li></rdf:Alt></dc:rights>
<dc:creator><rdf:Seq><rdf:li>Ansel Keeper</rdf:li></rdf:Seq></dc:creator>
<dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>alps</rdf:li></rdf:Bag></dc:subject>
<lr:hierarchicalSubject><rdf:Bag><rdf:li>places|alps</rdf:li><rdf:li>sea</rdf:li></rdf:Bag></lr:hierarchicalSubject>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`

// The packet of the picture that darktable develops and the sidecar that it writes
// hold the same history, and say the same of the picture.
func TestBothWaysToTheHistoryGiveTheSame(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		testutil.AcquireDarktable(t)
		d, err := Find(t.Context(), &Options{Path: dt.CLI, Scratch: t.TempDir(), Processes: 1})
		if err != nil {
			t.Fatal(err)
		}
		for name, camera := range map[string]dng.Options{
			"plain.dng":  {},
			"packet.dng": {XMP: []byte(ownPacket), Orientation: 6, Pattern: dng.GBRG},
		} {
			raw := rawtest.Chart(t, name, camera)
			checkSame(t, d, raw)
			jpeg := filepath.Join(t.TempDir(), "a.jpg")
			made, err := d.Default(t.Context(), raw, 100)
			if err == nil {
				_, err = d.Render(t.Context(), Job{Raw: raw, Sidecar: made.Packet, Output: jpeg, Size: 100})
			}
			if err != nil {
				t.Fatal(err)
			}
			checkSamePixels(t, made.JPEG, jpeg)
			checkSame(t, d, jpeg)
		}
	})
}

// checkSamePixels compares the picture that came with a baseline with what the baseline
// develops.
func checkSamePixels(t *testing.T, jpeg []byte, path string) {
	t.Helper()
	first := filepath.Join(t.TempDir(), "first.jpg")
	if err := os.WriteFile(first, jpeg, 0o600); err != nil {
		t.Fatal(err)
	}
	a, err1 := Load(first)
	b, err2 := Load(path)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if c, err := Compare(a, b); err != nil || c.MaxDeltaE > 0 || !c.SameFrame {
		t.Errorf("a baseline's own picture differs from what it develops: %+v, %v", c, err)
	}
}

// checkSame asks for a picture's history in both ways.
func checkSame(t *testing.T, d *Darktable, raw string) {
	t.Helper()
	var found [2][]byte
	for i, copied := range []bool{false, true} {
		made, _, err := d.defaultOf(t.Context(), raw, BaselineSize, nil, copied)
		if err != nil {
			t.Fatal(err)
		}
		s, err := xmp.Parse(made.Packet)
		if err != nil {
			t.Fatal(err)
		}
		found[i] = s.Canonical()
	}
	if diff := cmp.Diff(string(found[0]), string(found[1])); diff != "" {
		t.Errorf("%s: the packet (-) and the sidecar (+) differ:\n%s", filepath.Base(raw), diff)
	}
}

// A picture without a history, and a sidecar without one, are told apart from a
// picture that is none.
func TestNoHistoryIsAnErrorOfItsOwn(t *testing.T) {
	t.Parallel()
	if _, err := readHistory(filepath.Join(t.TempDir(), "none.xmp"), filepath.Join(t.TempDir(), "none.jpg")); errors.Is(err, errNoHistory) || err == nil {
		t.Errorf("no picture gives %v", err)
	}
}
