package rdf

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
)

// realSidecars returns the sidecars of darktable's users that lie beside the
// repository.
func realSidecars(tb testing.TB) map[string][]byte {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(testutil.SharedData(tb, "xmp"), "*.xmp"))
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no sidecars found: %v", err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		files[filepath.Base(path)] = data
	}
	return files
}

// tokens lists what our scanner sees, one line a token.
func tokens(text string) ([]string, error) {
	s := scanner{src: text}
	var out []string
	for {
		t, err := s.next()
		if err != nil {
			return nil, err
		}
		line := func(parts ...string) { out = append(out, strings.Join(parts, "\x01")) }
		switch t.kind {
		case tokenEnd:
			return joinText(out), nil
		case tokenText:
			line("text", t.text)
		case tokenComment:
			line("comment", normalizeNewlines(t.text))
		case tokenPI:
			target, rest, _ := strings.Cut(normalizeNewlines(spaceless(t.text)), " ")
			line("pi", target, strings.TrimLeft(rest, " "))
		case tokenClose:
			line("close", t.name.prefix, t.name.local)
		case tokenOpen, tokenEmpty:
			parts := []string{"open", t.name.prefix, t.name.local}
			for _, a := range t.attrs {
				parts = append(parts, a.name.prefix, a.name.local, spaceless(a.value))
			}
			line(parts...)
			if t.kind == tokenEmpty {
				line("close", t.name.prefix, t.name.local)
			}
		}
	}
}

// libraryTokens lists what encoding/xml sees.
func libraryTokens(text string) ([]string, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	var out []string
	for {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return joinText(out), nil
		}
		if err != nil {
			return nil, err
		}
		line := func(parts ...string) { out = append(out, strings.Join(parts, "\x01")) }
		switch t := t.(type) {
		case xml.CharData:
			line("text", string(t))
		case xml.Comment:
			line("comment", string(t))
		case xml.ProcInst:
			line("pi", t.Target, strings.TrimLeft(spaceless(string(t.Inst)), " "))
		case xml.EndElement:
			line("close", t.Name.Space, t.Name.Local)
		case xml.StartElement:
			parts := []string{"open", t.Name.Space, t.Name.Local}
			for _, a := range t.Attr {
				parts = append(parts, a.Name.Space, a.Name.Local, spaceless(a.Value))
			}
			line(parts...)
		default:
			line("something else")
		}
	}
}

// spaceless forgets which white space it was: encoding/xml leaves out the
// normalisation of attribute values.
func spaceless(s string) string {
	return strings.NewReplacer("\n", " ", "\t", " ", "\r", " ").Replace(s)
}

// joinText joins texts that only a CDATA section's border parts.
func joinText(lines []string) []string {
	var out []string
	for _, l := range lines {
		if text, ok := strings.CutPrefix(l, "text\x01"); ok && len(out) > 0 && strings.HasPrefix(out[len(out)-1], "text\x01") {
			out[len(out)-1] += text
		} else if l != "text\x01" {
			out = append(out, l)
		}
	}
	return out
}

// FuzzScanner holds the scanner to encoding/xml: what ours accepts, the library
// accepts and sees alike.
func FuzzScanner(f *testing.F) {
	for _, seed := range []string{
		`<a/>`, `<a b="c" d:e='f&lt;&#65;&#x42;'>x<!-- y --><?z w?><![CDATA[<]]>&amp;</a >`,
		"<a\n\tb = \"1\r\n2\"\r>\r\r\n</a>", `<x:a xmlns:x="u"><x:b/></x:a>`, `<a>]]></a>`, `<a b="]]>"/>`,
		`<!DOCTYPE a>`, `<?xml version="1.0"?><a/>`, `<a b="&nope;"/>`, `<a b=c/>`, `<a:b:c/>`, "<a>\ufeffé</a>", `<a b="&#0;"/>`,
		`<?xpacket begin="" id=""?><a/><?xpacket end="w"?>`, `<a b="1"c="2"/>`, `<?a?>`, `<!---->`, `<!--->`, `<a>&#13;</a>`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if badChar(text) >= 0 {
			return
		}
		ours, err := tokens(text)
		if err != nil {
			return
		}
		theirs, err := libraryTokens(text)
		if err != nil {
			t.Fatalf("accepted, while encoding/xml says: %v", err)
		}
		if diff := cmp.Diff(theirs, ours); diff != "" {
			t.Fatalf("encoding/xml (-) and ours (+) differ:\n%s", diff)
		}
	})
}

func TestScannerSeesRealSidecarsAsEncodingXMLDoes(t *testing.T) {
	t.Parallel()
	for name, data := range realSidecars(t) {
		text, _, err := decodeText(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		ours, err := tokens(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		theirs, err := libraryTokens(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(theirs, ours); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
