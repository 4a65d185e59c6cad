package xmp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/xmp/mask"
)

// blendOf are blend parameters that use a form.
func blendOf(tb testing.TB, id uint32) []byte {
	tb.Helper()
	b, err := mask.NewBlend(14, mask.ColorSpaceRGBScene)
	if err != nil {
		tb.Fatal(err)
	}
	b.MaskMode, b.MaskID = mask.Uniform|mask.Drawn, id
	data, err := b.Encode()
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// masked puts a managed instance of exposure whose mask is a group of circles.
func masked(tb testing.TB, name string, circles int) Put {
	tb.Helper()
	g := mask.Group{}
	forms := []mask.Form{{}}
	for i := range circles {
		id := uint32(i + 2)
		g.Members = append(g.Members, mask.GroupMember{ID: id, Parent: 1, State: 3, Opacity: 1})
		forms = append(forms, mask.NewForm(id, name, mask.Circle{X: float32(i) / 10, Y: 0.5, Radius: 0.1}))
	}
	forms[0] = mask.NewForm(1, name, g)
	return Put{
		Entry: Entry{
			Operation: "exposure", MultiName: name, Enabled: true, Modversion: 7, Params: []byte{1},
			BlendVersion: 14, Blend: blendOf(tb, 1), Origins: []Origin{{Entry: name}},
		},
		Forms: forms,
	}
}

// drawnLi is a form as darktable writes it.
func drawnLi(num int, f mask.Form) string {
	return fmt.Sprintf(`<rdf:li darktable:mask_num="%d" darktable:mask_id="%d" darktable:mask_type="%d" darktable:mask_name="%s" `+
		`darktable:mask_version="6" darktable:mask_points="%x" darktable:mask_nb="%d" darktable:mask_src="0000000000000000"/>`,
		num, f.ID, f.Type, f.Name, f.Points, f.Count)
}

// drawnPacket is a sidecar whose first entry has a mask, a group of one circle;
// a second circle is in stock.
func drawnPacket(tb testing.TB) []byte {
	tb.Helper()
	group := mask.NewForm(71, "group", mask.Group{Members: []mask.GroupMember{{ID: 72, Parent: 71, State: 3, Opacity: 0.5}}})
	forms := drawnLi(0, group) + drawnLi(0, mask.NewForm(72, "used", mask.Circle{X: 0.5, Y: 0.5, Radius: 0.1})) +
		drawnLi(0, mask.NewForm(73, "stock", mask.Circle{X: 0.1, Y: 0.1, Radius: 0.1}))
	entry := strings.Replace(li(0, "exposure", "01", "", 0), `blendop_params="00"`, fmt.Sprintf(`blendop_params="%x"`, blendOf(tb, 71)), 1)
	text := string(packet(v50+` darktable:history_end="2"`, entry, li(1, "grain", "02", "", 0)))
	return []byte(strings.Replace(text, `<darktable:history>`, `<darktable:masks_history><rdf:Seq>`+forms+`</rdf:Seq></darktable:masks_history><darktable:history>`, 1))
}

// usedForms follows an instance's blend parameters to the circles.
func usedForms(tb testing.TB, s *Sidecar, name string) []mask.Shape {
	tb.Helper()
	e, ok := s.Find("exposure", name)
	if !ok {
		tb.Fatalf("no instance %q", name)
	}
	b, err := mask.DecodeBlend(e.BlendVersion, e.Blend)
	if err != nil {
		tb.Fatal(err)
	}
	byID := map[uint32]mask.Shape{}
	for _, f := range s.Forms() {
		shape, err := f.Shape()
		if err != nil {
			tb.Fatal(err)
		}
		if byID[f.ID] != nil || f.ID == 0 || f.ID >= 1<<31 {
			tb.Errorf("form %d is not unique, or no positive number of 31 bits", f.ID)
		}
		byID[f.ID] = shape
	}
	group, ok := byID[b.MaskID].(mask.Group)
	if !ok {
		tb.Fatalf("%s: the mask is %v, no group", name, byID[b.MaskID])
	}
	var shapes []mask.Shape
	for _, m := range group.Members {
		if m.Parent != b.MaskID || byID[m.ID] == nil {
			tb.Errorf("%s: member %+v of group %d leads nowhere", name, m, b.MaskID)
		}
		shapes = append(shapes, byID[m.ID])
	}
	return shapes
}

func TestMaskedEditsLiveSideBySide(t *testing.T) {
	t.Parallel()
	base := with(t, mustParse(t, drawnPacket(t)))
	for _, n := range []int{2, 5, 20} {
		s := base
		for i := range n {
			s = with(t, s, masked(t, fmt.Sprint("m", i), 1+i%3))
		}
		for i := range n {
			if got := usedForms(t, s, fmt.Sprint("m", i)); len(got) != 1+i%3 || got[0] != (mask.Circle{Y: 0.5, Radius: 0.1}) {
				t.Errorf("of %d, mask %d is %v", n, i, got)
			}
		}
		if got := usedForms(t, s, ""); !cmp.Equal(got, []mask.Shape{mask.Circle{X: 0.5, Y: 0.5, Radius: 0.1}}) {
			t.Errorf("the mask that was there is %v", got)
		}
	}
}

func TestTheOrderOfMaskedEditsDoesNotMatter(t *testing.T) {
	t.Parallel()
	base := with(t, mustParse(t, drawnPacket(t)))
	rng := rand.New(rand.NewPCG(3, 4))
	var puts []Edit
	for i := range 8 {
		puts = append(puts, masked(t, fmt.Sprint("m", i), 1+i%3))
	}
	want := with(t, base, puts[:5]...).Canonical()
	for range 20 {
		s := base
		rng.Shuffle(len(puts), func(i, j int) { puts[i], puts[j] = puts[j], puts[i] })
		for _, p := range puts {
			s = with(t, s, p, p)
		}
		for _, i := range rng.Perm(3) {
			s = with(t, s, Remove{"exposure", fmt.Sprint("m", 5+i)})
		}
		if got := s.Canonical(); !bytes.Equal(want, got) {
			t.Fatalf("in another order:\n%s", cmp.Diff(string(want), string(got)))
		}
	}
}

func TestAMaskGoesWithItsEdit(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string][]byte{"no masks": packet(v50, li(0, "exposure", "01", "", 0)), "masks": drawnPacket(t)} {
		base := with(t, mustParse(t, raw))
		first := with(t, base, masked(t, "a", 2), masked(t, "b", 1))
		if got := with(t, first, Remove{"exposure", "a"}, Remove{"exposure", "b"}).Canonical(); !bytes.Equal(got, base.Canonical()) {
			t.Errorf("%s: removed again:\n%s", name, cmp.Diff(string(base.Canonical()), string(got)))
		}
		other := masked(t, "a", 3)
		if got, want := with(t, first, other), with(t, base, other, masked(t, "b", 1)); !bytes.Equal(got.Canonical(), want.Canonical()) {
			t.Errorf("%s: a replaced mask leaves something behind", name)
		}
		plain := other
		plain.Forms, plain.Entry.Blend = nil, make([]byte, 420)
		if got := with(t, first, plain, Remove{"exposure", "b"}); len(got.Forms()) != len(base.Forms()) {
			t.Errorf("%s: taking the mask off leaves %d forms, want %d", name, len(got.Forms()), len(base.Forms()))
		}
	}
}

func TestAMaskThatWasThereComesBack(t *testing.T) {
	t.Parallel()
	base := with(t, mustParse(t, drawnPacket(t)))
	original, _ := base.Find("exposure", "")
	plain := original
	plain.Blend = make([]byte, 420)
	if got := with(t, with(t, base, Put{Entry: plain}), Put{Entry: original}); !bytes.Equal(got.Canonical(), base.Canonical()) {
		t.Errorf("put back:\n%s", cmp.Diff(string(base.Canonical()), string(got.Canonical())))
	}
	adopted := original
	adopted.Params, adopted.Origins = []byte{7}, []Origin{{Entry: "e"}}
	if got := with(t, with(t, base, Put{Entry: adopted}, masked(t, "a", 1)), Put{Entry: original}, Remove{"exposure", "a"}); !bytes.Equal(got.Canonical(), base.Canonical()) {
		t.Errorf("put back after another edit under the same mask:\n%s", cmp.Diff(string(base.Canonical()), string(got.Canonical())))
	}
	ours := masked(t, "", 2)
	masked := with(t, base, ours)
	if got := usedForms(t, masked, ""); len(got) != 2 {
		t.Errorf("our mask in its place is %v", got)
	}
	if got := with(t, masked, Put{Entry: original}); !bytes.Equal(got.Canonical(), base.Canonical()) {
		t.Errorf("put back after ours:\n%s", cmp.Diff(string(base.Canonical()), string(got.Canonical())))
	}
}

func TestAMaskMovesToAnotherSidecar(t *testing.T) {
	t.Parallel()
	from := with(t, mustParse(t, drawnPacket(t)), masked(t, "a", 3))
	to := with(t, mustParse(t, packet(v50, li(0, "exposure", "01", "", 0))))
	e, _ := from.Find("exposure", "a")
	moved := with(t, to, Put{Entry: e, Forms: from.FormsOf("exposure", "a")})
	if diff := cmp.Diff(usedForms(t, from, "a"), usedForms(t, moved, "a")); diff != "" {
		t.Error(diff)
	}
	if got := from.FormsOf("exposure", "b"); got != nil {
		t.Errorf("an instance that is not there has the forms %v", got)
	}
}

func TestAModuleThatDoesNotBlendHasNoMask(t *testing.T) {
	t.Parallel()
	p := masked(t, "a", 1)
	p.Entry.Operation = "demosaic"
	_, err := mustParse(t, drawnPacket(t)).With(release(t, "5.4.1"), p)
	if e, ok := errors.AsType[*mask.Error](err); !ok || e.Kind != mask.NoBlending {
		t.Errorf("err = %v, want one of kind %v", err, mask.NoBlending)
	}
}

func TestAnEntryKeepsItsMaskWhenItIsPutAgain(t *testing.T) {
	t.Parallel()
	s := with(t, mustParse(t, drawnPacket(t)), masked(t, "a", 2))
	e, _ := s.Find("exposure", "a")
	e.Params = []byte{2}
	next := with(t, s, Put{Entry: e})
	if len(usedForms(t, next, "a")) != 2 || !cmp.Equal(next.Forms(), s.Forms()) {
		t.Errorf("forms = %v, want %v", next.Forms(), s.Forms())
	}
	e.Origins = nil
	if unmanaged := with(t, next, Put{Entry: e}); !cmp.Equal(unmanaged.Forms(), s.Forms()) {
		t.Errorf("without origins: forms = %v, want %v", unmanaged.Forms(), s.Forms())
	}
}

func TestANumberThatIsTakenIsLeftAlone(t *testing.T) {
	t.Parallel()
	number := formNumber(instance{"exposure", "a"}, 0)
	raw := bytes.ReplaceAll(drawnPacket(t), []byte(`mask_id="73"`), fmt.Appendf(nil, `mask_id="%d"`, number))
	s := with(t, mustParse(t, raw), masked(t, "a", 1))
	usedForms(t, s, "a")
	stock := slices.ContainsFunc(s.Forms(), func(f mask.Form) bool { return f.ID == number && f.Name == "stock" })
	if !stock {
		t.Errorf("form %d is not the one that was there: %v", number, s.Forms())
	}
}

func TestUndoneEntriesKeepTheirForms(t *testing.T) {
	t.Parallel()
	text := string(drawnPacket(t))
	late := drawnLi(2, mask.NewForm(90, "undone", mask.Circle{Radius: 0.2}))
	text = strings.Replace(text, `</rdf:Seq></darktable:masks_history>`, late+`</rdf:Seq></darktable:masks_history>`, 1)
	text = strings.Replace(text, `</rdf:Seq></darktable:history>`, li(2, "sharpen", "02", "", 0)+`</rdf:Seq></darktable:history>`, 1)
	s := with(t, mustParse(t, []byte(text)), masked(t, "a", 1))
	if got := len(s.Forms()); got != 5 {
		t.Errorf("%d forms in force, want 3 and 2", got)
	}
	if !bytes.Contains(s.Canonical(), []byte(`mask_num="3" darktable:mask_id="90"`)) {
		t.Errorf("the undone entry's list did not follow it:\n%s", s.Canonical())
	}
}

func TestRetouchParametersFollowTheirForms(t *testing.T) {
	t.Parallel()
	p := masked(t, "spots", 2)
	p.Entry.Operation, p.Entry.Modversion = "retouch", 3
	p.Entry.Params = make([]byte, 13260)
	for i := range 2 {
		binary.LittleEndian.PutUint32(p.Entry.Params[44*i:], uint32(i+2))
	}
	s := with(t, mustParse(t, drawnPacket(t)), p)
	e, _ := s.Find("retouch", "spots")
	circles := map[uint32]bool{}
	for _, f := range s.Forms() {
		if f.Name == "spots" && f.Type == mask.TypeCircle {
			circles[f.ID] = true
		}
	}
	for i := range 3 {
		if id := binary.LittleEndian.Uint32(e.Params[44*i:]); circles[id] != (i < 2) {
			t.Errorf("form %d of the parameters is %d, among %v", i, id, circles)
		}
	}
}

func TestMasksThatDoNotHangTogetherAreRefused(t *testing.T) {
	t.Parallel()
	change := func(f func(p *Put)) Put {
		p := masked(t, "a", 2)
		f(&p)
		return p
	}
	s := mustParse(t, drawnPacket(t))
	for name, p := range map[string]Put{
		"the blend names no form":          change(func(p *Put) { p.Entry.Blend = blendOf(t, 9) }),
		"the blend names none":             change(func(p *Put) { p.Entry.Blend = blendOf(t, 0) }),
		"a blend of no known layout":       change(func(p *Put) { p.Entry.Blend = []byte{0} }),
		"two forms of one number":          change(func(p *Put) { p.Forms[1].ID = 3 }),
		"a form without a number":          change(func(p *Put) { p.Forms[2].ID = 0 }),
		"a member that is not there":       change(func(p *Put) { p.Forms = p.Forms[:2] }),
		"a name that XML cannot hold":      change(func(p *Put) { p.Forms[1].Name = "\x01" }),
		"a mask that is in no list":        change(func(p *Put) { p.Forms, p.Entry.Blend = nil, blendOf(t, 9) }),
		"a new instance of nothing's form": change(func(p *Put) { p.Forms, p.Entry.MultiName = nil, "new" }),
		"no colour space":                  change(func(p *Put) { p.Entry.Blend = bytes.Clone(p.Entry.Blend); p.Entry.Blend[4] = 0 }),
		"a raw mask on exposure":           change(func(p *Put) { p.Entry.Blend = bytes.Clone(p.Entry.Blend); p.Entry.Blend[4] = 1 }),
		"a mask in RGB on a raw module":    change(func(p *Put) { p.Entry.Operation = "hotpixels" }),
	} {
		_, err := s.With(release(t, "5.4.1"), p)
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != BadValue {
			t.Errorf("%s: err = %v, want kind %v", name, err, BadValue)
		}
	}
}
