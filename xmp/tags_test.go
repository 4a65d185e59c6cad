package xmp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/xmp"
)

const tagged = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
 xmlns:darktable="http://darktable.sf.net/" darktable:xmp_version="5">
<lr:hierarchicalSubject><rdf:Bag>TAGS</rdf:Bag></lr:hierarchicalSubject>
<dc:subject><rdf:Bag>WORDS</rdf:Bag></dc:subject>
</rdf:Description></rdf:RDF></x:xmpmeta>`

func TestDarktablesOwnTagsAreLeftOut(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ tags, words, wantTags, wantWords string }{
		"none":            {"", "", "", ""},
		"own alone":       {"darktable|format|dng", "darktable dng format", "", ""},
		"beside others":   {"darktable|format|dng places|alps sea", "alps darktable dng format places sea", "places|alps sea", "alps places sea"},
		"a word of both":  {"darktable|format|dng files|dng", "darktable dng files format", "files|dng", "dng files"},
		"not of its kind": {"darktable darktable2|x", "darktable darktable2 x", "darktable darktable2|x", "darktable darktable2 x"},
	} {
		list := func(words string) string {
			return strings.ReplaceAll("<rdf:li>"+strings.Join(strings.Fields(words), "</rdf:li><rdf:li>")+"</rdf:li>", "<rdf:li></rdf:li>", "")
		}
		s, err := xmp.Parse([]byte(strings.NewReplacer("TAGS", list(tt.tags), "WORDS", list(tt.words)).Replace(tagged)))
		if err != nil {
			t.Fatal(err)
		}
		got := s.WithoutOwnTags()
		if diff := cmp.Diff(strings.Fields(tt.wantTags), got.List("lr:hierarchicalSubject")); len(tt.wantTags) > 0 && diff != "" || len(tt.wantTags) == 0 && len(got.List("lr:hierarchicalSubject")) > 0 {
			t.Errorf("%s: hierarchical keywords %s", name, diff)
		}
		if diff := cmp.Diff(strings.Fields(tt.wantWords), got.List("dc:subject")); len(tt.wantWords) > 0 && diff != "" || len(tt.wantWords) == 0 && len(got.List("dc:subject")) > 0 {
			t.Errorf("%s: keywords %s", name, diff)
		}
		if len(tt.tags) > 0 && len(s.List("dc:subject")) != len(strings.Fields(tt.words)) {
			t.Errorf("%s: the original has changed", name)
		}
	}
}
