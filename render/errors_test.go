package render_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/chemigram/chemigram/render"
)

func TestAnErrorIsOfItsKindAndItsCause(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("exporting: %w", &render.Error{Op: "publish", Kind: render.Exists, Message: "the output exists", Path: "/a.jpg", Err: fs.ErrExist})
	if !errors.Is(err, render.Exists) || errors.Is(err, render.System) || !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v: exists %t, system %t, cause %t", err,
			errors.Is(err, render.Exists), errors.Is(err, render.System), errors.Is(err, fs.ErrExist))
	}
}

func TestAnErrorsTextNamesItsPathOnce(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]*render.Error{
		"load: cannot read the picture: /a.jpg: file does not exist": {Op: "load", Message: "cannot read the picture", Path: "/a.jpg", Err: fs.ErrNotExist},
		"find: /a is darktable 4.0.0":                                {Op: "find", Message: "/a is darktable 4.0.0", Path: "/a"},
		"sheet: too many pictures":                                   {Op: "sheet", Message: "too many pictures"},
	} {
		if got := err.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
