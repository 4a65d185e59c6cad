package vocab

import (
	"io/fs"

	"github.com/chemigram/chemigram/xmp"
)

// styleOp is one module instance of a captured style.
type styleOp struct{ entry xmp.Entry }

func (d *decoder) loadStyle(fsys fs.FS, e *Entry) {
	d.entry = e.Name
	d.fail(nil, "style", "styles are not supported yet")
}

func (e *Entry) compileStyle(a Application, strength float64) ([]xmp.Edit, error) {
	return nil, &Error{Kind: Unavailable, Entry: e.Name, Message: "styles are not supported yet"}
}
