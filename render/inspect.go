package render

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/chemigram/chemigram/render/internal/imagefile"
	"github.com/chemigram/chemigram/xmp"
)

// Stamp says what a picture was developed of, as its file carries it; see
// [Job.State]. A field is "" when the file does not say.
type Stamp struct {
	// State is the hash of the edit, Raw the digest of the raw's content, and
	// Darktable the identity of the one that developed it.
	State, Raw, Darktable string
}

// attributes are the stamp's properties in XMP.
func (s Stamp) attributes() string {
	var all strings.Builder
	all.WriteString(` xmlns:chemigram="` + xmp.OriginNamespace + `"`)
	for _, p := range []struct{ name, value string }{{"state", s.State}, {"raw", s.Raw}, {"darktable", s.Darktable}} {
		if p.value != "" {
			all.WriteString(" chemigram:" + p.name + `="` + p.value + `"`)
		}
	}
	return all.String()
}

var stampAttribute = regexp.MustCompile(`chemigram:(state|raw|darktable)="([0-9a-f]*)"`)

// parseStamp reads the stamp in an XMP packet.
func parseStamp(packet []byte) (s Stamp) {
	for _, found := range stampAttribute.FindAllSubmatch(packet, -1) {
		at := map[string]*string{"state": &s.State, "raw": &s.Raw, "darktable": &s.Darktable}[string(found[1])]
		if *at == "" {
			*at = string(found[2])
		}
	}
	return s
}

// Inspect reads a picture that was rendered before: what it is, and the state
// that it carries; "" when it carries none. It fails as [InspectStamp] does.
func Inspect(path string) (p Picture, state string, err error) {
	p, s, err := InspectStamp(path)
	return p, s.State, err
}

// InspectStamp reads a picture that was rendered before: what it is, and what it
// says that it was developed of. It fails with an *Error of kind BadInput when the name is
// that of no format, BadOutput when the file is of another format than its name says
// or not whole.
func InspectStamp(path string) (p Picture, s Stamp, err error) {
	const op = "inspect"
	form := formatOf(path)
	if form == nil {
		return p, s, newError(op, BadInput, path, filepath.Ext(path)+" names no picture format", nil)
	}
	if p, err = checkPicture(path, form, 0); err != nil {
		if _, wrong := errors.AsType[*Error](err); wrong {
			return p, s, newError(op, BadOutput, path, "it is not a whole "+string(form.name), err)
		}
		return p, s, inputError(op, path, err)
	}
	p.Path = path
	packet, err := imagefile.FindPacket(path)
	if err != nil {
		return p, s, inputError(op, path, err)
	}
	return p, parseStamp(packet), nil
}
