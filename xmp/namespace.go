package xmp

import (
	"cmp"
	"slices"
	"strconv"
)

// OriginNamespace is the namespace of the one attribute that Chemigram adds to
// history entries, and that darktable ignores: chemigram:origins, which tells
// what made the entry.
const OriginNamespace = "https://github.com/chemigram/chemigram/ns/1.0/"

const (
	nsXML       = "http://www.w3.org/XML/1998/namespace"
	nsRDF       = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	nsMeta      = "adobe:ns:meta/"
	nsDarktable = "http://darktable.sf.net/"
	nsXMP       = "http://ns.adobe.com/xap/1.0/"
	nsMM        = "http://ns.adobe.com/xap/1.0/mm/"
)

// prefixes are the usual prefixes. Writing always uses them, so that the choice
// of prefix in the input does not show in the bytes.
var prefixes = map[string]string{
	nsXML:                                 "xml",
	nsRDF:                                 "rdf",
	nsMeta:                                "x",
	nsDarktable:                           "darktable",
	OriginNamespace:                       "chemigram",
	nsXMP:                                 "xmp",
	nsMM:                                  "xmpMM",
	"http://ns.adobe.com/xap/1.0/bj/":     "xmpBJ",
	"http://ns.adobe.com/xap/1.0/rights/": "xmpRights",
	"http://ns.adobe.com/xap/1.0/sType/ResourceEvent#": "stEvt",
	"http://ns.adobe.com/xap/1.0/sType/ResourceRef#":   "stRef",
	"http://purl.org/dc/elements/1.1/":                 "dc",
	"http://ns.adobe.com/exif/1.0/":                    "exif",
	"http://ns.adobe.com/exif/1.0/aux/":                "aux",
	"http://cipa.jp/exif/1.0/":                         "exifEX",
	"http://ns.adobe.com/tiff/1.0/":                    "tiff",
	"http://ns.adobe.com/lightroom/1.0/":               "lr",
	"http://ns.adobe.com/photoshop/1.0/":               "photoshop",
	"http://ns.adobe.com/camera-raw-settings/1.0/":     "crs",
	"http://ns.acdsee.com/iptc/1.0/":                   "acdsee",
	"http://www.digikam.org/ns/1.0/":                   "digiKam",
	"http://ns.microsoft.com/photo/1.0/":               "MicrosoftPhoto",
	"http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/":      "Iptc4xmpCore",
	"http://iptc.org/std/Iptc4xmpExt/2008-02-29/":      "Iptc4xmpExt",
	"http://ns.google.com/photos/1.0/panorama/":        "GPano",
	"http://ns.useplus.org/ldf/xmp/1.0/":               "plus",
}

var takenPrefixes = func() map[string]bool {
	taken := map[string]bool{"": true, "xmlns": true}
	for _, p := range prefixes {
		taken[p] = true
	}
	return taken
}()

// name is a name with its namespace, or with none.
type name struct{ space, local string }

func compareNames(a, b name) int {
	if c := cmp.Compare(a.space, b.space); c != 0 {
		return c
	}
	return cmp.Compare(a.local, b.local)
}

// A hint is the prefix that the input had for a namespace without a usual one.
type hint struct{ space, prefix string }

// settle makes the hints unambiguous: sorted by namespace, no prefix twice, none
// that stands for something else. Settled hints stay as they are.
func settle(hints []hint) []hint {
	slices.SortStableFunc(hints, func(a, b hint) int { return cmp.Compare(a.space, b.space) })
	hints = slices.CompactFunc(hints, func(a, b hint) bool { return a.space == b.space })
	used := make(map[string]bool, len(hints))
	number := 0
	for i := range hints {
		p := hints[i].prefix
		for takenPrefixes[p] || used[p] {
			number++
			p = "ns" + strconv.Itoa(number)
		}
		used[p] = true
		hints[i].prefix = p
	}
	return hints
}
