package xmp

import (
	"slices"
	"strings"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
)

// ownTag begins the names of the tags that darktable gives to pictures for itself,
// such as darktable|format|dng.
const ownTag = "darktable|"

// WithoutOwnTags returns the sidecar without the tags that darktable gives to
// pictures for itself, which it writes into sidecars and never into pictures:
// neither among the hierarchical keywords nor, as their words, among the flat ones.
func (s *Sidecar) WithoutOwnTags() *Sidecar {
	tags := s.props.List(nameSubjects)
	isOwn := func(tag string) bool { return strings.HasPrefix(tag, ownTag) }
	if !slices.ContainsFunc(tags, isOwn) {
		return s
	}
	var own, others []string
	for _, tag := range tags {
		if isOwn(tag) {
			own = append(own, strings.Split(tag, "|")...)
		} else {
			others = append(others, strings.Split(tag, "|")...)
		}
	}
	words := slices.DeleteFunc(s.props.List(nameSubject), func(word string) bool {
		return slices.Contains(own, word) && !slices.Contains(others, word)
	})
	next := *s
	next.props = withBag(next.props, nameSubjects, slices.DeleteFunc(tags, isOwn))
	next.props = withBag(next.props, nameSubject, words)
	return &next
}

// ofPicture are the properties besides its own that every darktable writes both into
// sidecars and into pictures.
var ofPicture = map[string][]string{
	"http://purl.org/dc/elements/1.1/": {"subject", "creator", "publisher", "title", "description", "rights"},
	nsXMP:                              {"Rating"},
	nsMedia:                            {"DerivedFrom"},
	"http://ns.adobe.com/exif/1.0/":    {"GPSVersionID", "GPSLatitude", "GPSLongitude", "GPSAltitude", "GPSAltitudeRef"},
	"http://ns.acdsee.com/iptc/1.0/":   {"notes"},
}

// OfDarktable returns the sidecar with what every darktable itself writes both into
// sidecars and into pictures: the history, and rating, keywords, place, author, rights, title and
// description. What else they say is in the file that the picture was developed of.
func (s *Sidecar) OfDarktable() *Sidecar {
	next := *s.WithoutOwnTags()
	next.props = slices.DeleteFunc(slices.Clone(next.props), func(p rdf.Property) bool {
		return p.Name.Space != Namespace && !slices.Contains(ofPicture[p.Name.Space], p.Name.Local)
	})
	return &next
}

// withBag returns the properties with a bag of texts, or without it when there are
// none.
func withBag(props rdf.Properties, name rdf.Name, texts []string) rdf.Properties {
	if len(texts) == 0 {
		return props.Without(name)
	}
	return props.With(rdf.Property{Name: name, Node: rdf.NewBag(name, texts)})
}
