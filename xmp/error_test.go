package xmp

import (
	"errors"
	"testing"

	"github.com/chemigram/chemigram/xmp/iop"
)

func TestErrorsAreRecognisedByTheirKind(t *testing.T) {
	t.Parallel()
	_, err := Parse([]byte("<a>\n<b></a>"))
	if want := "line 2: </a> where </b> should be"; !errors.Is(err, NotXML) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = mustParse(t, packet(v50)).With(release(t, "5.4.1"), Remove{"exposure", "lift"})
	if want := `exposure "lift": the history has no such module instance`; !errors.Is(err, UnknownInstance) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = mustParse(t, packet(`darktable:iop_order_version="0" darktable:iop_order_list="exposure"`)).Compact(release(t, "5.4.1"))
	if want := "darktable:iop_order_list: pipeline order: want pairs of module and instance"; !errors.Is(err, BadValue) || !errors.Is(err, iop.BadOrder) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
