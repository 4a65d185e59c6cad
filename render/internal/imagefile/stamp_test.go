package imagefile

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stateAttributes are a property as a caller of Stamp writes it.
func stateAttributes(state string) string {
	return ` xmlns:chemigram="https://github.com/chemigram/chemigram/ns/1.0/" chemigram:state="` + state + `"`
}

const packetBody = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>` +
	`<rdf:Description rdf:about="" darktable:xmp_version="5"/></rdf:RDF></x:xmpmeta>`

func TestAStampTakesThePlaceOfPadding(t *testing.T) {
	t.Parallel()
	packet := []byte(packetBody + strings.Repeat(" ", 400) + `<?xpacket end="w"?>`)
	got, ok := stampPacket(packet, stateAttributes(strings.Repeat("ab", 32)))
	if !ok || len(got) != len(packet) {
		t.Fatalf("stamped %v, %d bytes; want %d", ok, len(got), len(packet))
	}
	want := `<rdf:Description rdf:about="" xmlns:chemigram="https://github.com/chemigram/chemigram/ns/1.0/" chemigram:state="` +
		strings.Repeat("ab", 32) + `" darktable:xmp_version="5"/>`
	if !bytes.Contains(got, []byte(want)) || !bytes.HasSuffix(got, []byte(` <?xpacket end="w"?>`)) {
		t.Errorf("got %s", got)
	}
}

func TestAPacketWithoutRoomIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, packet := range map[string]string{
		"no padding":             packetBody + `<?xpacket end="w"?>`,
		"no end":                 packetBody + strings.Repeat(" ", 400),
		"no subject":             strings.Repeat(" ", 400) + `<?xpacket end="w"?>`,
		"subject behind the end": strings.Repeat(" ", 400) + `<?xpacket end=<rdf:Description rdf:about=""`,
		"empty":                  "",
	} {
		if got, ok := stampPacket([]byte(packet), stateAttributes("abc")); ok {
			t.Errorf("%s: stamped to %q", name, got)
		}
	}
}

func FuzzStampPacket(f *testing.F) {
	f.Add([]byte(packetBody + strings.Repeat(" ", 400) + `<?xpacket end="w"?>`))
	f.Add([]byte(`<?xpacket end=<rdf:Description rdf:about=""`))
	f.Fuzz(func(t *testing.T, packet []byte) {
		if got, ok := stampPacket(packet, stateAttributes("abc")); ok && len(got) != len(packet) {
			t.Errorf("%d bytes became %d", len(packet), len(got))
		}
	})
}

// A raw that an editor saved may have a packet of its own in its EXIF, which
// lies before darktable's.
func TestTheStampIsInDarktablesPacket(t *testing.T) {
	t.Parallel()
	other := packetBody + strings.Repeat(" ", 400) + `<?xpacket end="w"?>`
	history := strings.Replace(other, "<rdf:RDF>", `<rdf:RDF xmlns:darktable="http://darktable.sf.net/">`, 1)
	for name, whole := range map[string]string{"behind another": other + history, "before another": history + other, "alone": history, "of another program": other + other} {
		path := filepath.Join(t.TempDir(), "a.jpg")
		if err := os.WriteFile(path, withSegments(t, segment(xmpNamespace, whole)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Stamp(path, stateAttributes("abc")); err != nil {
			t.Fatal(err)
		}
		packet, err := FindPacket(path)
		if err != nil || !strings.Contains(string(packet), `chemigram:state="abc"`) || strings.Contains(whole, history) != bytes.Contains(packet, historyNamespace) {
			t.Errorf("%s: got %s, %v", name, packet, err)
		}
	}
}
