package xmp

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/xmp/iop"
)

func release(tb testing.TB, version string) iop.Release {
	tb.Helper()
	r, err := iop.ReleaseFor(version)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// li is a history entry as darktable writes it; its parameters are of no
// module's layout.
func li(num int, operation, params, name string, priority int) string {
	return fmt.Sprintf(`<rdf:li darktable:num="%d" darktable:operation="%s" darktable:enabled="1" darktable:modversion="1" `+
		`darktable:params="%s" darktable:multi_name="%s" darktable:multi_priority="%d" darktable:blendop_version="14" darktable:blendop_params="00"/>`,
		num, operation, params, name, priority)
}

// packet is a sidecar with attributes of the picture and history entries.
func packet(attributes string, entries ...string) []byte {
	return []byte(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
		`<rdf:Description xmlns:darktable="http://darktable.sf.net/" ` + attributes + `><darktable:history><rdf:Seq>` +
		strings.Join(entries, "\n") + `</rdf:Seq></darktable:history></rdf:Description></rdf:RDF></x:xmpmeta>`)
}

const v50 = `darktable:xmp_version="5" darktable:iop_order_version="4"`

func mustParse(tb testing.TB, data []byte) *Sidecar {
	tb.Helper()
	s, err := Parse(data)
	if err != nil {
		tb.Fatalf("%v in\n%s", err, data)
	}
	return s
}

func with(tb testing.TB, s *Sidecar, edits ...Edit) *Sidecar {
	tb.Helper()
	next, err := s.With(release(tb, "5.4.1"), edits...)
	if err != nil {
		tb.Fatal(err)
	}
	return next
}

// stack lists a sidecar's active entries in short.
func stack(s *Sidecar) []string {
	var out []string
	for _, e := range s.History() {
		out = append(out, fmt.Sprintf("%s,%d %q %x", e.Operation, e.MultiPriority, e.MultiName, e.Params))
	}
	return out
}

func put(operation, name string, params ...byte) Put {
	p := Put{Entry: Entry{Operation: operation, MultiName: name, Enabled: true, Modversion: 1, Params: params, BlendVersion: 14, Blend: []byte{0}}}
	if name != "" {
		p.Entry.Origins = []Origin{{Entry: name, Pack: "test", Version: "1", Layer: "L3"}}
	}
	return p
}

func TestCompactKeepsTheLastEntryOfEachInstanceInPipelineOrder(t *testing.T) {
	t.Parallel()
	s := mustParse(t, packet(v50+` darktable:history_end="5"`,
		li(0, "sigmoid", "01", "", 0), li(1, "exposure", "02", "", 0), li(2, "zz_new", "03", "", 0),
		li(3, "exposure", "04", "auto", 0), li(4, "rawprepare", "05", "", 0), li(5, "exposure", "06", "", 0)))
	s = with(t, s)
	want := []string{`rawprepare,0 "" 05`, `exposure,0 "auto" 04`, `sigmoid,0 "" 01`, `zz_new,0 "" 03`}
	if diff := cmp.Diff(want, stack(s)); diff != "" {
		t.Error(diff)
	}
	undone := s.Undone()
	if len(undone) != 1 || undone[0].Params[0] != 6 {
		t.Errorf("undone entries are %v, want the one with parameters 06", undone)
	}
	if again := mustParse(t, s.Canonical()); again.HistoryEnd() != 4 {
		t.Errorf("history_end is %d, want 4", again.HistoryEnd())
	}
}

func TestOrderOfPutsDoesNotMatter(t *testing.T) {
	t.Parallel()
	base := mustParse(t, packet(v50, li(0, "exposure", "02", "", 0), li(1, "rawprepare", "05", "", 0)))
	puts := []Edit{
		put("exposure", "lift", 1), put("exposure", "dim", 2), put("exposure", "a b", 3), put("sigmoid", "", 4),
		put("colorbalancergb", "warm", 5), put("colorbalancergb", "cool", 6), put("exposure", "", 7), put("grain", "", 8),
	}
	want := with(t, base, puts...).Canonical()
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		random.Shuffle(len(puts), func(i, j int) { puts[i], puts[j] = puts[j], puts[i] })
		if got := with(t, base, puts...).Canonical(); !bytes.Equal(want, got) {
			t.Fatalf("order %v in one edit:\n%s", puts, cmp.Diff(string(want), string(got)))
		}
		s := base
		for _, p := range puts {
			s = with(t, s, p)
			// As a history keeps it: without origins, which are put back.
			s = mustParse(t, s.Canonical()).WithOrigins(s.Origins())
		}
		if got := s.Canonical(); !bytes.Equal(want, got) {
			t.Fatalf("order %v, one by one:\n%s", puts, cmp.Diff(string(want), string(got)))
		}
	}
}

func TestPutThenRemoveGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	custom := `darktable:xmp_version="5" darktable:iop_order_version="0" darktable:iop_order_list="rawprepare,0,sigmoid,0,exposure,0,exposure,1,gamma,0"`
	for _, data := range [][]byte{
		packet(v50, li(0, "exposure", "02", "", 0), li(2, "sigmoid", "05", "", 0)),
		packet(custom, li(0, "exposure", "02", "", 0), li(1, "exposure", "03", "own", 1), li(2, "sigmoid", "05", "", 0)),
	} {
		base := with(t, mustParse(t, data))
		want := base.Canonical()
		s := with(t, base, put("exposure", "b", 1), put("exposure", "a", 2))
		s = with(t, s, put("colorbalancergb", "", 1))
		if bytes.Equal(want, s.Canonical()) {
			t.Errorf("three Puts change nothing")
		}
		s = with(t, s, Remove{"exposure", "a"}, Remove{"colorbalancergb", ""})
		s = with(t, s, Remove{"exposure", "b"})
		if got := s.Canonical(); !bytes.Equal(want, got) {
			t.Errorf("not the baseline again:\n%s", cmp.Diff(string(want), string(got)))
		}
	}
}

func TestPutOfTheSameChangesNothing(t *testing.T) {
	t.Parallel()
	odd := `<rdf:li darktable:operation="exposure" darktable:modversion="1" darktable:params="gz01eJxjYGBgAAAABAAB" darktable:future="7"/>`
	base := with(t, mustParse(t, packet(v50, odd, li(1, "sigmoid", "05", "preset", 0))))
	want := base.Canonical()
	for _, e := range base.History() {
		if got := with(t, base, Put{Entry: e}).Canonical(); !bytes.Equal(want, got) {
			t.Errorf("%s: %s", e.Operation, cmp.Diff(string(want), string(got)))
		}
		changed := e
		changed.Params, changed.Enabled = []byte{9, 9}, !e.Enabled
		s := with(t, base, Put{Entry: changed})
		if bytes.Equal(want, s.Canonical()) {
			t.Errorf("%s: a change changes nothing", e.Operation)
		}
		if got := with(t, s, Put{Entry: e}).Canonical(); !bytes.Equal(want, got) {
			t.Errorf("%s and back: %s", e.Operation, cmp.Diff(string(want), string(got)))
		}
	}
}

func TestOriginsComeBackFromTheFileAndFromTheRecord(t *testing.T) {
	t.Parallel()
	p := put("exposure", "lift", 1)
	p.Entry.Origins = []Origin{
		{Entry: "exposure", Pack: "starter", Version: "1.0", Layer: "L3"},
		{Entry: "odd/na@me #%", Pack: "my\tpack é", Version: "", Layer: "L2"},
	}
	s := with(t, mustParse(t, packet(v50, li(0, "exposure", "02", "", 0))), p)
	want := []InstanceOrigins{{"exposure", 1, p.Entry.Origins}}
	if diff := cmp.Diff(want, s.Origins()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, mustParse(t, s.Bytes()).Origins()); diff != "" {
		t.Errorf("after Bytes: %s", diff)
	}
	bare := mustParse(t, s.Canonical())
	if bare.Origins() != nil || bytes.Contains(s.Canonical(), []byte("chemigram")) {
		t.Errorf("canonical bytes have origins")
	}
	if !bare.WithOrigins(want).Equal(s) {
		t.Errorf("WithOrigins does not restore the sidecar")
	}
	if bare.WithOrigins(want).WithOrigins(nil).Origins() != nil {
		t.Errorf("WithOrigins does not clear")
	}
}

func TestFormsStayInForce(t *testing.T) {
	t.Parallel()
	form := func(num, id int) string {
		return fmt.Sprintf(`<rdf:li darktable:mask_num="%d" darktable:mask_id="%d" darktable:mask_points="00"/>`, num, id)
	}
	data := string(packet(v50+` darktable:history_end="3"`,
		li(0, "exposure", "01", "", 0), li(1, "exposure", "02", "", 0), li(2, "exposure", "03", "", 0), li(3, "sigmoid", "04", "", 0)))
	data = strings.Replace(data, "<darktable:history>", "<darktable:masks_history><rdf:Seq>"+
		form(0, 7)+form(1, 7)+form(1, 8)+form(3, 9)+"</rdf:Seq></darktable:masks_history><darktable:history>", 1)
	s := with(t, mustParse(t, []byte(data)), put("exposure", "x", 1))
	var got []string
	for _, f := range s.forms {
		got = append(got, fmt.Sprintf("%d:%d", f.num, f.id))
	}
	if diff := cmp.Diff([]string{"0:7", "0:8", "2:9"}, got); diff != "" {
		t.Errorf("num and id of forms: %s", diff)
	}
	if forms := s.Forms(); len(forms) != 2 || forms[1].ID != 8 {
		t.Errorf("forms in force: %v", forms)
	}
}

func TestUndoneNumbersAreNotUsedAgain(t *testing.T) {
	t.Parallel()
	s := mustParse(t, packet(v50+` darktable:history_end="1" darktable:iop_order_list="exposure,0,exposure,1,gamma,0"`,
		li(0, "exposure", "01", "", 0), li(1, "exposure", "02", "1", 1)))
	s = with(t, s, put("exposure", "x", 9))
	if diff := cmp.Diff([]string{`exposure,0 "" 01`, `exposure,2 "x" 09`}, stack(s)); diff != "" {
		t.Error(diff)
	}
	list, _ := s.Property("darktable:iop_order_list")
	if want := "exposure,0,exposure,1,exposure,2,"; !strings.Contains(list, want) {
		t.Errorf("order is %s, want %s in it", list, want)
	}
}

func TestEditErrors(t *testing.T) {
	t.Parallel()
	fine := packet(v50, li(0, "exposure", "02", "", 0))
	float := strings.Replace(string(fine), "darktable:num", `darktable:iop_order="21.0" darktable:num`, 1)
	bad := strings.Replace(string(fine), `params="02"`, `params="xx"`, 1)
	faulty, _ := mustParse(t, []byte(bad)).Find("exposure", "")
	for name, tt := range map[string]struct {
		data []byte
		edit Edit
		want Kind
	}{
		"no such instance":      {fine, Remove{"exposure", "lift"}, UnknownInstance},
		"no such module":        {fine, Remove{"sigmoid", ""}, UnknownInstance},
		"module without place":  {fine, put("nonsense", "", 1), NoPlace},
		"instance of the same":  {fine, put("nonsense", "x", 1), NoPlace},
		"no operation":          {fine, Put{}, BadValue},
		"a NUL in the name":     {fine, put("exposure", "a\x00", 1), BadValue},
		"too large":             {fine, put("exposure", "", make([]byte, MaxBlob+1)...), TooLarge},
		"undecoded":             {[]byte(bad), Put{Entry: faulty}, BadBlob},
		"darktable 2":           {packet(`darktable:xmp_version="2"`), put("exposure", "", 1), Unsupported},
		"darktable 2.6":         {[]byte(float), put("exposure", "", 1), Unsupported},
		"unknown order":         {packet(`darktable:iop_order_version="99"`), put("exposure", "", 1), Unsupported},
		"order is not a number": {packet(`darktable:iop_order_version="x"`), put("exposure", "", 1), BadValue},
		"broken order":          {packet(`darktable:iop_order_version="0" darktable:iop_order_list="exposure"`), put("exposure", "", 1), BadValue},
	} {
		_, err := mustParse(t, tt.data).With(release(t, "5.4.1"), tt.edit)
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != tt.want {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}

func TestModuleThatAnOlderListLacksGetsItsPlace(t *testing.T) {
	t.Parallel()
	s := mustParse(t, packet(`darktable:iop_order_version="0" darktable:iop_order_list="rawprepare,0,sigmoid,0,exposure,0,gamma,0"`, li(0, "exposure", "02", "", 0)))
	s = with(t, s, put("filmicrgb", "x", 1))
	list, _ := s.Property("darktable:iop_order_list")
	for _, want := range []string{"rawprepare,0,invert,0,", ",sigmoid,0,agx,0,filmicrgb,0,filmicrgb,1,lut3d,0,", ",exposure,0,", ",gamma,0"} {
		if !strings.Contains(list, want) {
			t.Errorf("order is %s, want %s in it", list, want)
		}
	}
	if strings.Index(list, "sigmoid,0") > strings.Index(list, "exposure,0") {
		t.Errorf("order is %s: what the list had has moved", list)
	}
}
