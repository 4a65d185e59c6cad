package iop

import (
	"errors"
	"testing"
)

// TestEveryTextFieldIsKnownToNameAFileOrNot makes whoever adds a layout say whether
// its texts name files.
func TestEveryTextFieldIsKnownToNameAFileOrNot(t *testing.T) {
	t.Parallel()
	harmless := map[string]bool{
		"borders.aspect_text": true, "borders.pos_h_text": true, "borders.pos_v_text": true,
		"lens.camera": true, "lens.lens": true, "lut3d.lutname": true, "lut3d.c_clut": true,
		"watermark.text": true, "watermark.font": true,
		// Compared with the names of the profiles that darktable has.
		"colorin.filename": true, "colorin.filename_work": true, "colorout.filename": true,
	}
	checked := 0
	for op, version := range Layouts() {
		fields, err := Fields(op, version)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fields {
			if f.Kind != "text" || harmless[op+"."+f.Name] {
				continue
			}
			checked++
			p, err := Defaults(op, version)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"../x.svg", "/etc/x.svg", `..\x.svg`, `C:x.svg`, "..", "a/b"} {
				if _, err := p.With(f.Name, Text(name)); !errors.Is(err, NamesPath) {
					t.Errorf("%s %d: %s = %q is %v, want a refusal", op, version, f.Name, name, err)
				}
				blob := p.Encode()
				field, at, _, _ := lookup(p.layout.fields, f.Name)
				copy(blob[at:at+field.size], name+"\x00")
				if err := CheckFiles(op, version, blob); !errors.Is(err, NamesPath) {
					t.Errorf("%s %d: parameters with %s = %q are %v, want a refusal", op, version, f.Name, name, err)
				}
			}
			for _, name := range []string{"", "promo.svg", "..logo.svg", "a b (1).png", "ä.cube"} {
				named, err := p.With(f.Name, Text(name))
				if err != nil {
					t.Errorf("%s %d: %s = %q: %v", op, version, f.Name, name, err)
					continue
				}
				if err := CheckFiles(op, version, named.Encode()); err != nil {
					t.Errorf("%s %d: parameters with %s = %q: %v", op, version, f.Name, name, err)
				}
			}
		}
	}
	if checked == 0 {
		t.Error("no layout names a file")
	}
}

func TestAPictureOfAnotherLibraryIsRefused(t *testing.T) {
	t.Parallel()
	p, err := Defaults("overlay", 1)
	if err == nil {
		p, err = p.With("imgid", Number(2))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckFiles("overlay", 1, p.Encode()); !errors.Is(err, NamesPath) {
		t.Errorf("%v, want a refusal", err)
	}
}

func TestParametersThatCannotBeReadAreRefusedWhereTheyMayNameAFile(t *testing.T) {
	t.Parallel()
	if err := CheckFiles("watermark", 99, []byte("../x")); !errors.Is(err, NamesPath) {
		t.Errorf("%v, want a refusal", err)
	}
	if err := CheckFiles("exposure", 99, []byte("../x")); err != nil {
		t.Errorf("another module: %v", err)
	}
}
