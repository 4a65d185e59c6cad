package xmp_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// developer develops one raw with one darktable.
type developer struct {
	*testing.T
	dt       testutil.Darktable
	dir, raw string
	runs     int
}

func newDeveloper(t *testing.T, dt testutil.Darktable) *developer {
	return newDeveloperOfLight(t, dt, 1)
}

// newDeveloperOfLight has a raw with so many times the light. From 4 on it clips.
func newDeveloperOfLight(t *testing.T, dt testutil.Darktable, times float32) *developer {
	testutil.AcquireDarktable(t)
	b := &developer{T: t, dt: dt, dir: t.TempDir()}
	b.raw = filepath.Join(b.dir, "raw.dng")
	f, err := os.Create(b.raw)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ramp := dng.Image{Width: 384, Height: 256, Row: func(y int, rgb []float32) {
		for x := range len(rgb) / 3 {
			rgb[3*x] = times * (0.02 + 0.3*float32(x)/384)
			rgb[3*x+1] = times * (0.02 + 0.3*float32(y)/256)
			rgb[3*x+2] = times * 0.1
		}
	}}
	if err := dng.Write(f, ramp, dng.Options{}); err != nil {
		t.Fatal(err)
	}
	return b
}

// export develops the raw, with a sidecar or with darktable's own defaults.
func (b *developer) export(sidecar []byte, format string) []byte {
	b.Helper()
	b.runs++
	name := filepath.Join(b.dir, "out"+strconv.Itoa(b.runs))
	args := []string{b.raw}
	if sidecar != nil {
		if err := os.WriteFile(name+".xmp", sidecar, 0o600); err != nil {
			b.Fatal(err)
		}
		args = append(args, name+".xmp")
	}
	args = append(args, name+"."+format, "--width", "192", "--height", "192", "--hq", "false", "--apply-custom-presets", "false",
		"--core", "--configdir", filepath.Join(b.dir, "config"), "--library", ":memory:", "--conf", "write_sidecar_files=never")
	ctx, cancel := context.WithTimeout(b.Context(), 2*time.Minute)
	defer cancel()
	log, err := exec.CommandContext(ctx, b.dt.CLI, args...).CombinedOutput()
	if err != nil {
		b.Fatalf("%v\n%s", err, log)
	}
	out, err := os.ReadFile(name + "." + format)
	if err != nil {
		b.Fatalf("%v\n%s", err, log)
	}
	return out
}

func (b *developer) develop(sidecar []byte) image.Image {
	b.Helper()
	img, err := png.Decode(bytes.NewReader(b.export(sidecar, "png")))
	if err != nil {
		b.Fatal(err)
	}
	return img
}

func (b *developer) baseline() *xmp.Sidecar {
	b.Helper()
	jpeg := b.export(nil, "jpg")
	from, to := bytes.Index(jpeg, []byte("<?xpacket begin")), bytes.Index(jpeg, []byte("<?xpacket end"))
	if from < 0 || to < from {
		b.Fatal("the export has no XMP packet")
	}
	s, err := xmp.Parse(jpeg[from : to+len(`<?xpacket end="w"?>`)])
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func same(a, b image.Image) bool {
	ra, ok := a.(*image.RGBA)
	rb, ok2 := b.(*image.RGBA)
	return ok && ok2 && ra.Rect == rb.Rect && bytes.Equal(ra.Pix, rb.Pix)
}

// mean is the mean of the green channel over a part of the picture, in 0..1 of
// its width.
func mean(img image.Image, from, to float64) float64 {
	var sum, n float64
	r := img.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X + int(from*float64(r.Dx())); x < r.Min.X+int(to*float64(r.Dx())); x++ {
			_, g, _, _ := img.At(x, y).RGBA()
			sum += float64(g)
			n++
		}
	}
	return sum / n / 0xffff
}

// brighter returns an entry of the exposure module one EV above another.
func brighter(e xmp.Entry, name string) xmp.Entry {
	const offset = 8 // of the field exposure, in modversions 6 and 7
	e.Params = bytes.Clone(e.Params)
	ev := math.Float32frombits(binary.LittleEndian.Uint32(e.Params[offset:]))
	if name != "" {
		ev = 0 // an instance of its own adds to the base instance
	}
	binary.LittleEndian.PutUint32(e.Params[offset:], math.Float32bits(ev+1))
	e.MultiName = name
	e.Origins = []xmp.Origin{{Entry: "exposure", Pack: "starter", Version: "1", Layer: "L3"}}
	return e
}

func TestDarktableRendersWhatWeWrite(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		t.Parallel()
		b := newDeveloper(t, dt)
		target, err := iop.ReleaseFor(dt.Name)
		if err != nil {
			t.Fatal(err)
		}
		base := b.baseline()
		compact, err := base.Compact(target)
		if err != nil {
			t.Fatal(err)
		}
		want := b.develop(nil)
		for name, written := range map[string][]byte{
			"Bytes": base.Bytes(), "Canonical": base.Canonical(), "Compact": compact.Canonical(),
		} {
			if !same(want, b.develop(written)) {
				t.Errorf("%s renders otherwise than the raw without a sidecar", name)
			}
		}

		exposure, ok := base.Find("exposure", "")
		if !ok {
			t.Fatal("no exposure in the baseline")
		}
		raised, err := compact.With(target, xmp.Put{Entry: brighter(exposure, "")})
		if err != nil {
			t.Fatal(err)
		}
		second, err := compact.With(target, xmp.Put{Entry: brighter(exposure, "lift")})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(second.Bytes()), "chemigram:origins=") {
			t.Fatal("no origins written")
		}
		bright, brightBase := b.develop(second.Bytes()), b.develop(raised.Bytes())
		if before, after := mean(want, 0, 1), mean(bright, 0, 1); after < before+0.05 {
			t.Errorf("a second instance of +1 EV: mean %.3f, was %.3f", after, before)
		}
		if before, after := mean(want, 0, 1), mean(brightBase, 0, 1); after < before+0.05 {
			t.Errorf("the base instance raised by 1 EV: mean %.3f, was %.3f", after, before)
		}
		if !same(bright, b.develop(second.Canonical())) {
			t.Error("origins change the pixels, or Canonical does")
		}

		masked := withEllipse(t, second, target)
		compacted, err := mustParse(t, masked).Compact(target)
		if err != nil {
			t.Fatal(err)
		}
		left := b.develop(masked)
		if inside, outside := mean(left, 0, 0.3)-mean(want, 0, 0.3), mean(left, 0.8, 1)-mean(want, 0.8, 1); inside < 0.02 || math.Abs(outside) > 0.001 {
			t.Errorf("an ellipse on the left brightens the left by %.3f and the right by %.3f", inside, outside)
		}
		if !same(left, b.develop(compacted.Canonical())) {
			t.Error("the mask changes when its forms move to the first entry")
		}
	})
}

// Sidecars of users, with masks, several instances, own and legacy pipeline
// orders, undone entries: their raws are not at hand, but whatever they make of
// ours must not change.
func TestCompactSidecarsOfUsersRenderAsBefore(t *testing.T) {
	t.Parallel()
	dir := testutil.SharedData(t, "xmp")
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		t.Parallel()
		b := newDeveloper(t, dt)
		target, err := iop.ReleaseFor(dt.Name)
		if err != nil {
			t.Fatal(err)
		}
		var last image.Image
		for _, pattern := range []string{"0081-*", "0087-*", "0033-*", "0035-*"} {
			paths, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil || len(paths) != 1 {
				t.Fatalf("%s: %v, %v", pattern, paths, err)
			}
			data, err := os.ReadFile(paths[0])
			if err != nil {
				t.Fatal(err)
			}
			compact, err := mustParse(t, data).Compact(target)
			if err != nil {
				t.Fatal(err)
			}
			img := b.develop(data)
			if !same(img, b.develop(compact.Canonical())) {
				t.Errorf("%s renders otherwise when compact", pattern)
			}
			if last != nil && same(img, last) {
				t.Errorf("%s renders like the one before it", pattern)
			}
			last = img
		}
	})
}

// Old sidecars of raws may say nothing of highlights. What becomes of these then
// depends on whether the picture was altered, which darktable's hashes say.
func TestHighlightsOfAnOldSidecarStayAsTheyWere(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		t.Parallel()
		b := newDeveloperOfLight(t, dt, 8)
		target, err := iop.ReleaseFor(dt.Name)
		if err != nil {
			t.Fatal(err)
		}
		open, err := b.baseline().With(target, xmp.Remove{Operation: "highlights"})
		if err != nil {
			t.Fatal(err)
		}
		pictures := map[string]image.Image{}
		for current, what := range map[string]string{"aa": "altered", "bb": "as darktable set it up"} {
			data := hashed(t, open, "bb", current)
			compact, err := mustParse(t, data).Compact(target)
			if err != nil {
				t.Fatal(err)
			}
			pictures[what] = b.develop(data)
			if !same(pictures[what], b.develop(compact.Canonical())) {
				t.Errorf("%s: it renders otherwise when compact", what)
			}
		}
		if dt.Name == "4.2.1" && same(pictures["altered"], pictures["as darktable set it up"]) {
			t.Error("the hashes change nothing: the raw does not clip")
		}
	})
}

// hashed is a sidecar with two of darktable's hashes.
func hashed(t *testing.T, s *xmp.Sidecar, basic, current string) []byte {
	t.Helper()
	before, after, ok := strings.Cut(string(s.Bytes()), "darktable:iop_order_version")
	if !ok {
		t.Fatal("no iop_order_version")
	}
	return []byte(before + `darktable:history_basic_hash="` + basic + `" darktable:history_current_hash="` + current + `" darktable:iop_order_version` + after)
}

// A hash stays only where it matters, and as long as it does.
func TestHashesAreBookkeepingExceptWhereTheyDecide(t *testing.T) {
	t.Parallel()
	target, err := iop.ReleaseFor("4.2.1")
	if err != nil {
		t.Fatal(err)
	}
	history := func(operations ...string) *xmp.Sidecar {
		var b strings.Builder
		for i, op := range operations {
			b.WriteString(`<rdf:li darktable:num="` + strconv.Itoa(i) + `" darktable:operation="` + op +
				`" darktable:enabled="1" darktable:modversion="1" darktable:params="00" darktable:multi_name="" darktable:multi_priority="0"/>`)
		}
		return mustParse(t, []byte(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
			<rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/" darktable:xmp_version="4" darktable:iop_order_version="2">
			<darktable:history><rdf:Seq>`+b.String()+`</rdf:Seq></darktable:history></rdf:Description></rdf:RDF></x:xmpmeta>`))
	}
	for _, c := range []struct {
		operations     []string
		basic, current string
		says           string
	}{
		{[]string{"rawprepare"}, "bb", "aa", "altered"},
		{[]string{"rawprepare"}, "", "aa", "altered"},
		{[]string{"rawprepare"}, "aa", "aa", "unaltered"},
		{[]string{"rawprepare"}, "bb", "", "unaltered"},
		{[]string{"rawprepare", "highlights"}, "bb", "aa", ""},
		{[]string{"exposure"}, "bb", "aa", ""}, // of no raw
	} {
		s := mustParse(t, hashed(t, history(c.operations...), c.basic, c.current))
		canonical := s.Canonical()
		if got := alteration(canonical); got != c.says {
			t.Errorf("%+v: the hashes say %q", c, got)
		}
		if again := mustParse(t, canonical).Canonical(); !bytes.Equal(again, canonical) {
			t.Errorf("%+v: canonical bytes change when they are read:\n%s\n%s", c, canonical, again)
		}
		compact, err := mustParse(t, canonical).Compact(target)
		if err != nil {
			t.Fatal(err)
		}
		if got := alteration(compact.Bytes()); got != c.says {
			t.Errorf("%+v: the hashes in the file say %q", c, got)
		}
		put, err := compact.With(target, xmp.Put{Entry: xmp.Entry{Operation: "highlights", Enabled: true, Modversion: 1, Params: []byte{0}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := alteration(put.Canonical()); got != "" {
			t.Errorf("%+v: the hashes say %q beside highlights", c, got)
		}
	}
}

// alteration is what the hashes in a sidecar say.
func alteration(sidecar []byte) string {
	switch basic, current := bytes.Contains(sidecar, []byte("history_basic_hash=")), bytes.Contains(sidecar, []byte("history_current_hash=")); {
	case basic && current:
		return "unaltered"
	case current:
		return "altered"
	case basic:
		return "nothing"
	}
	return ""
}

func mustParse(t *testing.T, data []byte) *xmp.Sidecar {
	t.Helper()
	s, err := xmp.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// withEllipse binds the instance "lift" to an ellipse on the left, with the
// forms listed at the last entry, as darktable does.
func withEllipse(t *testing.T, s *xmp.Sidecar, target iop.Release) []byte {
	t.Helper()
	const group, ellipse = 1001, 1002
	e, ok := s.Find("exposure", "lift")
	if !ok {
		t.Fatal("no instance lift")
	}
	blend := bytes.Clone(e.Blend)
	binary.LittleEndian.PutUint32(blend, 3)          // mask_mode: drawn
	binary.LittleEndian.PutUint32(blend[24:], group) // mask_id
	e.Blend = blend
	le := binary.LittleEndian
	member := le.AppendUint32(le.AppendUint32(le.AppendUint32(le.AppendUint32(nil, ellipse), group), 3), math.Float32bits(1))
	var points []byte
	for _, f := range []float32{0.15, 0.5, 0.2, 0.2, 0, 0.05} {
		points = le.AppendUint32(points, math.Float32bits(f))
	}
	points = le.AppendUint32(points, 0)
	s, err := s.With(target, xmp.Put{Entry: e, Forms: []mask.Form{
		{ID: ellipse, Type: mask.TypeEllipse, Name: "e", Version: 6, Points: points, Count: 1, Source: make([]byte, 8)},
		{ID: group, Type: mask.TypeGroup, Name: "g", Version: 6, Points: member, Count: 1, Source: make([]byte, 8)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	last := `mask_num="` + strconv.Itoa(s.HistoryEnd()-1) + `"`
	return bytes.ReplaceAll(s.Bytes(), []byte(`mask_num="0"`), []byte(last))
}
