package iop_test

import (
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/chemigram/chemigram/xmp/iop"
)

// The bytes of a history entry become named fields, change by name, and become
// bytes again.
func Example() {
	blob, _ := hex.DecodeString("00000000000000003333333f00004842000080c00100000001000000")
	before, err := iop.Decode("exposure", 7, blob)
	if err != nil {
		panic(err)
	}
	after, err := before.With("exposure", iop.Number(1.5))
	if err != nil {
		panic(err)
	}
	for _, d := range iop.Diff(before, after) {
		fmt.Println(d.Name, d.Before, "→", d.After)
	}
	fmt.Printf("%x\n", after.Encode())
	// Output:
	// exposure 0.7 → 1.5
	// 00000000000000000000c03f00004842000080c00100000001000000
}

// What darktable would not accept is refused, with what it would.
func ExampleParams_With() {
	p, err := iop.Defaults("sigmoid", 3)
	if err != nil {
		panic(err)
	}
	_, err = p.With("middle_grey_contrast", iop.Number(12))
	fmt.Println(err)
	_, err = p.With("contrast", iop.Number(2))
	fmt.Println(err)
	if e, ok := errors.AsType[*iop.Error](err); ok {
		fmt.Println(e.Kind, e.Suggestions)
	}
	// Output:
	// sigmoid version 3: middle_grey_contrast = 12 is outside 0.1 to 10
	// sigmoid version 3: no field "contrast"; did you mean contrast_skewness, middle_grey_contrast?
	// unknown field [contrast_skewness middle_grey_contrast]
}

// A field says what it is for, how far it goes, and when it does nothing.
func ExampleField() {
	f, err := iop.Field("colorbalancergb", 5, "shadows_H")
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s: %s, %v to %v %s, matters while %s is not neutral\n", f.Name, f.Description, f.Min, f.Max, f.Unit, f.Gate)
	// Output:
	// shadows_H: hue, 0 to 360 °, matters while shadows_C is not neutral
}

// A second instance needs its place in the pipeline.
func ExampleOrder_Insert() {
	o, err := iop.ParseOrder("rawprepare,0,demosaic,0,exposure,0,colorin,0,gamma,0")
	if err != nil {
		panic(err)
	}
	o, err = o.Insert("exposure", 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(o)
	_, err = o.Insert("sharpen", 1)
	fmt.Println(err)
	// Output:
	// rawprepare,0,demosaic,0,exposure,0,exposure,1,colorin,0,gamma,0
	// sharpen: pipeline order: the module has no place in this order
}
