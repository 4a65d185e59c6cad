package render

import (
	"errors"
	"path/filepath"
	"regexp"

	"github.com/chemigram/chemigram/render/internal/imagefile"
	"github.com/chemigram/chemigram/xmp"
)

// stateAttributes are the property chemigram:state as [Job.State] has it in XMP.
func stateAttributes(state string) string {
	return ` xmlns:chemigram="` + xmp.OriginNamespace + `" chemigram:state="` + state + `"`
}

var stateAttribute = regexp.MustCompile(`chemigram:state="([0-9a-f]*)"`)

// Inspect reads a picture that was rendered before: what it is, and the state
// that it carries; "" when it carries none. It fails with an *Error of
// kind BadInput when the name is that of no format, BadOutput when the file is
// of another format than its name says or not whole.
func Inspect(path string) (p Picture, state string, err error) {
	const op = "inspect"
	form := formatOf(path)
	if form == nil {
		return p, "", newError(op, BadInput, path, filepath.Ext(path)+" names no picture format", nil)
	}
	if p, err = checkPicture(path, form, 0); err != nil {
		if _, wrong := errors.AsType[*Error](err); wrong {
			return p, "", newError(op, BadOutput, path, "it is not a whole "+string(form.name), err)
		}
		return p, "", inputError(op, path, err)
	}
	p.Path = path
	packet, err := imagefile.FindPacket(path)
	if err != nil {
		return p, "", inputError(op, path, err)
	}
	if found := stateAttribute.FindSubmatch(packet); found != nil {
		state = string(found[1])
	}
	return p, state, nil
}
