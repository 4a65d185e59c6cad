package rdf

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/fault"
)

// write puts a document's statements into a packet.
func write(about string, props Properties, prefixes Prefixes) []byte {
	used := map[string]bool{}
	for _, p := range props {
		used[p.Name.Space] = true
		if p.Node != nil {
			p.Node.AddSpaces(used)
		}
	}
	w := NewWriter(prefixes, 0)
	w.OpenPacket(about, used)
	for i := range props {
		if props[i].Node == nil {
			w.Property(&props[i])
		}
	}
	w.Raw(">")
	for _, p := range props {
		if p.Node != nil {
			w.Node(p.Node)
		}
	}
	w.ClosePacket()
	return w.Buf
}

// FuzzDocument checks that what is read and written again is the same.
func FuzzDocument(f *testing.F) {
	const start = `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description `
	for _, seed := range []string{
		start + `r:about="a" xmlns:u="urn:u" u:b="2"><u:c r:parseType="Resource"><u:d/>x<!-- y -->z</u:c></r:Description></r:RDF>`,
		start + `xmlns:darktable="urn:u" darktable:b="2"><x:c xmlns:x="urn:v">1</x:c><r:li/></r:Description></r:RDF>`,
		start + `xmlns:ns1="urn:u" ns1:b="&#10;"/><r:Description xmlns="urn:v"><c a="&lt;"/></r:Description></r:RDF>`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := Parse(data)
		if err != nil {
			return
		}
		about, props, err := doc.Statements()
		if err != nil {
			return
		}
		written := write(about, props, doc.Prefixes)
		again, err := Parse(written)
		if err != nil {
			t.Fatalf("what is written cannot be parsed: %v\n%s", err, written)
		}
		aboutAgain, propsAgain, err := again.Statements()
		if err != nil {
			t.Fatalf("what is written has no statements: %v\n%s", err, written)
		}
		if got := write(aboutAgain, propsAgain, again.Prefixes); !bytes.Equal(got, written) {
			t.Fatalf("written twice (-first +second):\n%s", cmp.Diff(string(written), string(got)))
		}
	})
}

func TestPrefixesAreUnambiguous(t *testing.T) {
	t.Parallel()
	declared := Prefixes{{"urn:c", "p"}, {"urn:a", "p"}, {"urn:b", "darktable"}, {"urn:a", "y"}, {"urn:d", "ns1"}, {"urn:e", ""}}
	want := Prefixes{{"urn:a", "p"}, {"urn:b", "ns1"}, {"urn:c", "ns2"}, {"urn:d", "ns3"}, {"urn:e", "ns4"}}
	got := declared.settled()
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(namespace{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, got.Merge(Prefixes{{"urn:a", "z"}}), cmp.AllowUnexported(namespace{})); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
}

func TestNamesHaveUsualPrefixes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"xmp:Rating", "darktable:history", "chemigram:origins", "dc:subject"} {
		if n, ok := ParseName(name); !ok || n.String() != name {
			t.Errorf("%s is %v, %t", name, n, ok)
		}
	}
	for _, name := range []string{"Rating", "nope:x", "xmp:", "xmp:a b", "rdf:about", "xml:lang", "", ":"} {
		if n, ok := ParseName(name); ok {
			t.Errorf("%q is %v", name, n)
		}
	}
}

func TestWhatIsNoRDFIsRefused(t *testing.T) {
	t.Parallel()
	const rdf = `<rdf:RDF xmlns:rdf="` + SpaceRDF + `">`
	for in, want := range map[string]fault.Kind{
		"<a/>":                 NotRDF,
		rdf + "<a/></rdf:RDF>": Unsupported,
		rdf + "<rdf:Description>text</rdf:Description></rdf:RDF>":                  NotRDF,
		rdf + "<rdf:Description><a>1</a><a>2</a></rdf:Description></rdf:RDF>":      BadValue,
		rdf + `<rdf:Description about="a"/><rdf:Description about="b"/></rdf:RDF>`: Unsupported,
	} {
		doc, err := Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = doc.Statements()
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != want || !strings.HasPrefix(e.Error(), "line 1: ") {
			t.Errorf("%s: %v, want %v", in, err, want)
		}
	}
}
