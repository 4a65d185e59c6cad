package rdf

import "cmp"

// Namespaces that XMP itself is made of.
const (
	SpaceXML  = "http://www.w3.org/XML/1998/namespace"
	SpaceRDF  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	SpaceMeta = "adobe:ns:meta/"
)

// usualPrefixes are the prefixes of well-known namespaces. Writing always uses
// them, so that the choice of prefix in the input does not show in the bytes.
var usualPrefixes = map[string]string{
	SpaceXML:                   "xml",
	SpaceRDF:                   "rdf",
	SpaceMeta:                  "x",
	"http://darktable.sf.net/": "darktable",
	"https://github.com/chemigram/chemigram/ns/1.0/":   "chemigram",
	"http://ns.adobe.com/xap/1.0/":                     "xmp",
	"http://ns.adobe.com/xap/1.0/mm/":                  "xmpMM",
	"http://ns.adobe.com/xap/1.0/bj/":                  "xmpBJ",
	"http://ns.adobe.com/xap/1.0/rights/":              "xmpRights",
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

var spacesByPrefix = func() map[string]string {
	spaces := make(map[string]string, len(usualPrefixes))
	for space, prefix := range usualPrefixes {
		spaces[prefix] = space
	}
	return spaces
}()

// Name is a name with its namespace, or with none.
type Name struct{ Space, Local string }

func compareNames(a, b Name) int {
	if c := cmp.Compare(a.Space, b.Space); c != 0 {
		return c
	}
	return cmp.Compare(a.Local, b.Local)
}

// ParseName reads a property's name with a usual prefix, such as "xmp:Rating". It
// is false for any other, and for names of XML and RDF themselves.
func ParseName(qualified string) (Name, bool) {
	s := scanner{src: qualified}
	raw, err := s.name()
	space, ok := spacesByPrefix[raw.prefix]
	if err != nil || !ok || s.pos != len(qualified) || space == SpaceRDF || space == SpaceXML {
		return Name{}, false
	}
	return Name{space, raw.local}, true
}

// String returns the name with its usual prefix, or without any.
func (n Name) String() string {
	if p := usualPrefixes[n.Space]; p != "" {
		return p + ":" + n.Local
	}
	return n.Local
}
