package render

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
)

var stamped = regexp.MustCompile(`chemigram:state="([0-9a-f]*)"`)

// Inspect looks at a picture that was rendered before: what it is, and the
// state that it carries; "" when it carries none. It fails with an *Error of
// kind BadInput when the name is that of no format, BadOutput when the file is
// of another format than its name says or not whole.
func Inspect(path string) (p Picture, state string, err error) {
	const op = "inspect"
	form := formatOf(path)
	if form == nil {
		return p, "", &Error{Op: op, Kind: BadInput, Path: path, ExitCode: -1, Message: filepath.Ext(path) + " names no picture format"}
	}
	if p, err = look(path, form, 0); err != nil {
		if _, told := errors.AsType[*Error](err); told {
			return p, "", &Error{Op: op, Kind: BadOutput, Path: path, ExitCode: -1, Message: "it is not a whole " + form.name, Err: err}
		}
		return p, "", inputError(op, path, err)
	}
	p.Path = path
	f, err := os.Open(path)
	if err != nil {
		return p, "", inputError(op, path, err)
	}
	defer f.Close()
	from, to, err := findPacket(f)
	if errors.Is(err, errNoRoom) {
		return p, "", nil
	}
	packet := make([]byte, max(0, to-from))
	if err == nil {
		_, err = f.ReadAt(packet, from)
	}
	if err != nil {
		return p, "", inputError(op, path, err)
	}
	if found := stamped.FindSubmatch(packet); found != nil {
		state = string(found[1])
	}
	return p, state, nil
}
