package iop

import (
	"errors"
	"testing"
)

func TestErrorsAreRecognisedByTheirKind(t *testing.T) {
	t.Parallel()
	old, _ := ReleaseFor("4.2.1")
	fails := func(_ any, err error) error { return err }
	exposure := mustDefaults(t, "exposure", 7)
	for _, tt := range []struct {
		err  error
		kind Kind
		want string
	}{
		{fails(Decode("exposre", 7, nil)), UnknownModule, `no module "exposre" with parameters; did you mean exposure?`},
		{fails(old.Defaults("agx")), UnknownModule, `no module "agx" with parameters: darktable 4.2.1 does not have it`},
		{fails(Decode("exposure", 99, nil)), UnknownModversion, "exposure version 99: this version of the module's parameters is not known"},
		{fails(Decode("exposure", 7, nil)), SizeMismatch, "exposure version 7: 0 bytes of parameters where the layout has 28"},
		{fails(exposure.With("exposure", Number(25))), OutOfRange, "exposure version 7: exposure = 25 is outside -18 to 18"},
		{fails(exposure.With("exposure", Text("x"))), BadValue, `exposure version 7: exposure cannot be "x": want a number`},
		{fails(mustDefaults(t, "rgbcurve", 1).Get("curve_num_nodes")), UnknownField, `rgbcurve version 1: no field "curve_num_nodes": it is an array of 3; did you mean curve_num_nodes[0]?`},
		{fails(ReleaseFor("five")), UnknownRelease, `darktable "five": want a version such as 5.4.1`},
		{fails(ParseOrder("exposure")), BadOrder, "pipeline order: want pairs of module and instance"},
	} {
		if !errors.Is(tt.err, tt.kind) || tt.err.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", tt.err, tt.want)
		}
	}
}
