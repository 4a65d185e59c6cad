package iop

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func mustDefaults(t testing.TB, operation string, modversion int) Params {
	t.Helper()
	p, err := Defaults(operation, modversion)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFieldsAreSetAndRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		operation  string
		modversion int
		field      string
		set        Value
		want       string // as text after setting
	}{
		{"exposure", 7, "exposure", Number(0.7), "0.7"},
		{"exposure", 7, "exposure", Number(-18), "-18"},
		{"exposure", 7, "mode", Text("EXPOSURE_MODE_DEFLICKER"), "EXPOSURE_MODE_DEFLICKER"},
		{"exposure", 7, "mode", Number(1), "EXPOSURE_MODE_DEFLICKER"},
		{"exposure", 7, "compensate_exposure_bias", Bool(true), "true"},
		{"exposure", 7, "compensate_exposure_bias", Number(1), "true"},
		{"demosaic", 6, "cs_iter", Number(25), "25"},
		{"demosaic", 3, "color_smoothing", Number(4294967295), "4294967295"},
		{"rawprepare", 2, "raw_black_level_separate[3]", Number(65535), "65535"},
		{"rawprepare", 2, "left", Number(4), "4"},
		{"rawprepare", 2, "x", Number(8), "8"}, // left's name before 5.0
		{"rgbcurve", 1, "curve_nodes[2][19].y", Number(0.25), "0.25"},
		{"vignette", 4, "center.y", Number(-1), "-1"},
		{"liquify", 1, "nodes[99].warp.point.im", Number(12.5), "12.5"},
		{"liquify", 1, "nodes[0].header.prev", Number(-1), "-1"},
		{"watermark", 7, "text", Text("© Söhne"), "© Söhne"},
		{"overlay", 1, "dummy0", Text("0102030405060708"), "0102030405060708"},
		{"borders", 4, "aspect", Number(-1), "-1"}, // the default, outside the range
	}
	for _, tt := range tests {
		t.Run(tt.operation+"."+tt.field, func(t *testing.T) {
			t.Parallel()
			p := mustDefaults(t, tt.operation, tt.modversion)
			before := p.Encode()
			q, err := p.With(tt.field, tt.set)
			if err != nil {
				t.Fatal(err)
			}
			got, err := q.Get(tt.field)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if !bytes.Equal(p.Encode(), before) {
				t.Error("the receiver changed")
			}
			if again, err := Decode(tt.operation, tt.modversion, q.Encode()); err != nil || !again.Equal(q) {
				t.Errorf("encoding and decoding gave %v, %v", again, err)
			}
		})
	}
}

func TestWrongValuesAreRefusedWithWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		field   string
		set     Value
		kind    Kind
		message string
	}{
		{"above the range", "exposure", Number(25), OutOfRange, "exposure = 25 is outside -18 to 18"},
		{"below the range", "black", Number(-1.5), OutOfRange, "black = -1.5 is outside -1 to 1"},
		{"NaN", "exposure", Number(math.NaN()), BadValue, "want a finite number"},
		{"infinite", "exposure", Number(math.Inf(1)), BadValue, "want a finite number"},
		{"text for a number", "exposure", Text("bright"), BadValue, `cannot be "bright": want a number`},
		{"bool for a number", "exposure", Bool(true), BadValue, "want a number"},
		{"no value", "exposure", Value{}, BadValue, "want a number"},
		{"unknown constant", "mode", Text("EXPOSURE_MODE_MANUEL"), BadValue, "did you mean EXPOSURE_MODE_MANUAL?"},
		{"unknown constant's number", "mode", Number(7), BadValue, "want one of EXPOSURE_MODE_MANUAL, EXPOSURE_MODE_DEFLICKER"},
		{"half a bool", "compensate_exposure_bias", Number(0.5), BadValue, "want true or false"},
		{"misspelt field", "exposur", Number(1), UnknownField, "did you mean exposure"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := mustDefaults(t, "exposure", 7).With(tt.field, tt.set)
			e, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("got %v, want an *Error", err)
			}
			if e.Kind != tt.kind || !strings.Contains(e.Error(), tt.message) {
				t.Errorf("got %v: %v\nwant %v: %s", e.Kind, e, tt.kind, tt.message)
			}
			if e.Operation != "exposure" || e.Modversion != 7 || e.Field != tt.field {
				t.Errorf("the error names %q %d %q", e.Operation, e.Modversion, e.Field)
			}
		})
	}
}

func TestWrongIndexesAndPathsAreUnknownFields(t *testing.T) {
	t.Parallel()
	p := mustDefaults(t, "rgbcurve", 1)
	for _, name := range []string{
		"", ".", "[0]", "curve_nodes", "curve_nodes[0]", "curve_nodes[0][0]", "curve_nodes[3][0].x", "curve_nodes[0][20].x",
		"curve_nodes[-1][0].x", "curve_nodes[00][0].x", "curve_nodes[0][0].z", "curve_nodes[0][0].", "curve_nodes[0][0]x",
		"curve_nodes[0][0].x.x", "curve_nodes[0][0].x[0]", "curve_nodes.x", "curve_num_nodes", "curve_nodes[0", "curve_nodes[+1][0].x",
	} {
		if v, err := p.Get(name); err == nil {
			t.Errorf("%q is %s", name, v)
		}
	}
}

func TestUnknownLayoutsAreOpaque(t *testing.T) {
	t.Parallel()
	tests := []struct {
		operation  string
		modversion int
		size       int
		want       Kind
	}{
		{"exposre", 7, 28, UnknownModule},
		{"exposure", 8, 28, UnknownModversion},
		{"exposure", 0, 28, UnknownModversion},
		{"exposure", 7, 27, SizeMismatch},
		{"exposure", 7, 0, SizeMismatch},
	}
	for _, tt := range tests {
		_, err := Decode(tt.operation, tt.modversion, make([]byte, tt.size))
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Kind != tt.want {
			t.Errorf("%s %d with %d bytes: got %v, want %v", tt.operation, tt.modversion, tt.size, err, tt.want)
		}
	}
	if _, err := Decode("exposre", 1, nil); !strings.Contains(err.Error(), "exposure") {
		t.Errorf("no suggestion in %q", err)
	}
}

// A field that holds a NaN uses it as a marker: temperature's second green of a
// camera that has none.
func TestMarkersMayBeSetWhereTheyAreUsed(t *testing.T) {
	t.Parallel()
	p := mustDefaults(t, "temperature", 4)
	if _, err := p.With("various", Number(math.NaN())); err == nil {
		t.Error("NaN is accepted where no marker was")
	}
	blob := p.Encode()
	f, at, _, err := p.lookup("various")
	if err != nil || f.kind != kindFloat {
		t.Fatal(err)
	}
	copy(blob[at:], []byte{0x34, 0x12, 0xc0, 0xff}) // a NaN with a payload
	p, err = Decode("temperature", 4, blob)
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Get("various")
	if err != nil {
		t.Fatal(err)
	}
	if same, _ := p.Get("various"); !v.Equal(same) || v.String() != "NaN" {
		t.Errorf("read as %s", v)
	}
	q, err := p.With("red", Number(2))
	if err != nil {
		t.Fatal(err)
	}
	if q, err = q.With("various", v); err != nil {
		t.Fatal(err)
	}
	if got := q.Encode()[at : at+4]; !bytes.Equal(got, blob[at:at+4]) {
		t.Errorf("the payload became %x", got)
	}
	if d := Diff(p, q); len(d) != 1 || d[0].Name != "red" {
		t.Errorf("differences: %v", d)
	}
	if _, err := q.With("various", Number(math.NaN())); err != nil {
		t.Error(err)
	}
}

func TestTextKeepsWhatFollowsItsEnd(t *testing.T) {
	t.Parallel()
	blob := mustDefaults(t, "watermark", 7).Encode()
	copy(blob[292:], "new\x00old rest")
	p, err := Decode("watermark", 7, blob)
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := p.Get("text"); v.String() != "new" {
		t.Errorf("read %q", v)
	}
	if p, err = p.With("text", Text("new")); err != nil || !bytes.Equal(p.Encode(), blob) {
		t.Error("setting the same text changed the bytes", err)
	}
	if p, err = p.With("text", Text("n")); err != nil {
		t.Fatal(err)
	}
	if got := p.Encode()[292:302]; !bytes.Equal(got, []byte("n\x00\x00\x00\x00\x00\x00\x00\x00\x00")) {
		t.Errorf("bytes %q", got)
	}
	if _, err := p.With("text", Text(strings.Repeat("x", 512))); err == nil {
		t.Error("a text without room for its end is accepted")
	}
	if _, err := p.With("text", Text("a\x00b")); err == nil {
		t.Error("a text with an end inside is accepted")
	}
}

func TestArraysAreSetAtOnce(t *testing.T) {
	t.Parallel()
	p := mustDefaults(t, "channelmixerrgb", 3)
	q, err := p.WithArray("red", []Value{Number(0.5), Number(0.25), Number(0.125)})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range Diff(p, q) {
		got = append(got, d.Name+"="+d.After.String())
	}
	if diff := cmp.Diff([]string{"red[0]=0.5", "red[1]=0.25", "red[2]=0.125"}, got); diff != "" {
		t.Error(diff)
	}
	a := mustDefaults(t, "atrous", 2)
	a, err = a.WithArray("y[2]", []Value{Number(1), Number(0)})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := a.Get("y[2][0]"); v.String() != "1" {
		t.Errorf("y[2][0] = %s", v)
	}
	if _, err := p.WithArray("red", make([]Value, 5)); err == nil {
		t.Error("more values than elements are accepted")
	}
	if _, err := p.WithArray("red", []Value{Number(1000)}); err == nil || !strings.Contains(err.Error(), "red") {
		t.Errorf("out of range: %v", err)
	}
}

func TestDiffComparesModversionsByName(t *testing.T) {
	t.Parallel()
	a, b := mustDefaults(t, "exposure", 6), mustDefaults(t, "exposure", 7)
	if d := Diff(a, b); len(d) != 0 {
		t.Errorf("equal defaults differ: %v", d)
	}
	b, err := b.With("exposure", Number(1))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Difference{{"exposure", Number(0), Number(1)}}, Diff(a, b)); diff != "" {
		t.Error(diff)
	}
}

func TestValuesInJSON(t *testing.T) {
	t.Parallel()
	p := mustDefaults(t, "exposure", 7)
	p, err := p.With("exposure", Number(0.7))
	if err != nil {
		t.Fatal(err)
	}
	got := maps.Collect(p.All())
	got["nan"], got["inf"], got["big"], got["none"] = Number(math.NaN()), Number(math.Inf(-1)), Number(1e300), Value{}
	data, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"big":1e+300,"black":0,"compensate_exposure_bias":false,"compensate_hilite_pres":true,` +
		`"deflicker_percentile":50,"deflicker_target_level":-4,"exposure":0.7,"inf":"-Inf","mode":"EXPOSURE_MODE_MANUAL","nan":"NaN","none":null}`
	if string(data) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}
	var back map[string]Value
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	delete(back, "nan")
	delete(back, "inf")
	delete(back, "big")
	delete(back, "none")
	q := mustDefaults(t, "exposure", 7)
	for name, v := range back {
		if q, err = q.With(name, v); err != nil {
			t.Error(err)
		}
	}
	if !q.Equal(p) {
		t.Errorf("read back differently: %v", Diff(p, q))
	}
}

func TestEqualIsBitForBit(t *testing.T) {
	t.Parallel()
	p := mustDefaults(t, "exposure", 7)
	p, _ = p.With("exposure", Number(0.7))
	stored, _ := p.Get("exposure")
	for _, tt := range []struct {
		a, b Value
		want bool
	}{
		{stored, Number(0.7), true},
		{Number(0.7), stored, true},
		{stored, Number(0.7000001), false},
		{Number(0), Number(math.Copysign(0, -1)), false},
		{Number(math.NaN()), Number(math.NaN()), true},
		{Bool(true), Number(1), false},
		{Text("a"), Text("a"), true},
		{Text("a"), Text("b"), false},
		{Value{}, Value{}, true},
		{Value{}, Number(0), false},
	} {
		if got := tt.a.Equal(tt.b); got != tt.want {
			t.Errorf("%v = %v: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
