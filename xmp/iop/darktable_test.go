package iop

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/xmp/mask"
)

// What is claimed about darktable, on every darktable there is.
func TestOnDarktable(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		d := newDeveloper(t, dt)
		t.Run("accepts every module's defaults", d.acceptsDefaults)
		t.Run("complains of an unknown version", d.complains)
		t.Run("has the default blend parameters", d.blendsByDefault)
		t.Run("leaves the picture alone at neutral", d.neutralMeansNoChange)
	})
}

// darktable has no complaint about the parameters of any of its modules, and
// keeps them as they are.
func (d *developer) acceptsDefaults(t *testing.T) {
	own := map[string]bool{} // what darktable sets up for this raw
	for _, e := range history(t, d.baseline) {
		own[e.operation] = true
		p, err := d.release.Decode(e.operation, e.modversion, e.params)
		if err != nil {
			t.Errorf("darktable's own entry: %v", err)
			continue
		}
		if newest, _ := d.release.Modversion(e.operation); newest != p.Modversion() {
			t.Errorf("it writes %s %d, the table says %d", e.operation, p.Modversion(), newest)
		}
	}
	var todo []Params
	for _, m := range d.release.Modules() {
		p, err := d.release.Defaults(m.Operation)
		if err != nil || own[m.Operation] || m.Hidden() || m.NoHistory() {
			continue
		}
		todo = append(todo, p)
	}
	t.Logf("%d modules with defaults, %d in the baseline", len(todo), len(own))
	blend, err := mask.DefaultBlend(d.release.BlendVersion())
	if err != nil {
		t.Fatal(err)
	}
	unblended := blendAttributes(d.release.BlendVersion(), blend)
	for group := range slices.Chunk(todo, 30) {
		packet, stderr := d.develop(t, d.withEntries(t, d.baseline, unblended, group...))
		refuseComplaints(t, stderr)
		found := map[string]historyEntry{}
		for _, e := range history(t, packet) {
			found[e.operation] = e
		}
		for _, p := range group {
			e := found[p.Operation()]
			if e.modversion != p.Modversion() || !bytes.Equal(e.params, p.Encode()) {
				t.Errorf("%s %d came back as version %d, %d bytes", p.Operation(), p.Modversion(), e.modversion, len(e.params))
			}
		}
	}
}

// The test above can fail: darktable does complain when it should.
func (d *developer) complains(t *testing.T) {
	p := mustDefaults(t, "sharpen", 1)
	sidecar := strings.Replace(d.withEntries(t, d.baseline, "", p),
		`darktable:operation="sharpen" darktable:enabled="1" darktable:modversion="1"`,
		`darktable:operation="sharpen" darktable:enabled="1" darktable:modversion="99"`, 1)
	if _, stderr := d.develop(t, sidecar); !complaint.MatchString(stderr) {
		t.Errorf("no complaint in %s", stderr)
	}
}

// An entry with mask.DefaultBlend gives the pixels that it gives without any
// blend parameters and with those of its own colour space, and others than no
// entry at all.
func (d *developer) blendsByDefault(t *testing.T) {
	p, err := d.release.Defaults("velvia")
	if err != nil {
		t.Fatal(err)
	}
	if p, err = p.With("strength", Number(100)); err != nil {
		t.Fatal(err)
	}
	want := d.picture(t, d.withEntries(t, d.baseline, "", p))
	if apart(t, want, d.before).Max == 0 {
		t.Fatal("the entry changes nothing")
	}
	version := d.release.BlendVersion()
	for _, space := range []mask.ColorSpace{mask.ColorSpaceNone, mask.ColorSpaceRGBDisplay} {
		b, err := mask.NewBlend(version, space)
		if err != nil {
			t.Fatal(err)
		}
		blob, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got := d.picture(t, d.withEntries(t, d.baseline, blendAttributes(version, blob), p))
		if apart(t, got, want).Max != 0 {
			t.Errorf("colour space %d: other pixels", space)
		}
	}
}

var complaint = regexp.MustCompile(`(?i)legacy_params|version mismatch|mismatch|cannot get iop-order|not found`)

func refuseComplaints(t *testing.T, stderr string) {
	t.Helper()
	for line := range strings.Lines(stderr) {
		if complaint.MatchString(line) {
			t.Errorf("darktable says: %s", line)
		}
	}
}

// developer renders one small synthetic raw.
type developer struct {
	dt      testutil.Darktable
	release Release
	dir     string
	n       int

	baseline string       // darktable's own sidecar for the raw
	before   *pixel.Image // what it looks like
}

func newDeveloper(t *testing.T, dt testutil.Darktable) *developer {
	t.Helper()
	release, err := ReleaseFor(dt.Name)
	if err != nil {
		t.Fatal(err)
	}
	d := &developer{dt: dt, release: release, dir: t.TempDir()}
	f, err := os.Create(filepath.Join(d.dir, "raw.dng"))
	if err != nil {
		t.Fatal(err)
	}
	if err := dng.Write(f, patches, dng.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	var stderr string
	d.baseline, stderr = d.develop(t, "")
	refuseComplaints(t, stderr)
	d.before = d.picture(t, d.baseline)
	return d
}

// patches has twelve columns of moderate colours and a grey one, from dark to
// bright.
var patches = dng.Image{Width: 480, Height: 320, Row: func(y int, rgb []float32) {
	light := 0.02 + 0.6*float64(y)/320
	for x := range 480 {
		hue, chroma := 2*math.Pi*float64(x/37)/12, 0.35
		if x/37 == 12 {
			chroma = 0
		}
		for c := range 3 {
			rgb[3*x+c] = float32(light * (1 + chroma*math.Cos(hue+2*math.Pi*float64(c)/3)))
		}
	}
}}

// develop exports the raw with a sidecar ("" for darktable's own history), and
// gives the picture's XMP packet.
func (d *developer) develop(t *testing.T, sidecar string) (packet, stderr string) {
	t.Helper()
	data, stderr := d.export(t, sidecar, "jpg")
	_, rest, ok := bytes.Cut(data, []byte("http://ns.adobe.com/xap/1.0/\x00"))
	before, _, ok0 := bytes.Cut(rest, []byte("</x:xmpmeta>"))
	if !ok || !ok0 {
		t.Fatal("the picture has no XMP packet")
	}
	return string(before) + "</x:xmpmeta>", stderr
}

// picture does the same and gives the pixels, in 16 bits.
func (d *developer) picture(t *testing.T, sidecar string) *pixel.Image {
	t.Helper()
	data, stderr := d.export(t, sidecar, "png")
	refuseComplaints(t, stderr)
	p, err := pixel.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (d *developer) export(t *testing.T, sidecar, extension string) (data []byte, stderr string) {
	t.Helper()
	defer testutil.AcquireDarktable(t)()
	d.n++
	args := []string{filepath.Join(d.dir, "raw.dng")}
	if sidecar != "" {
		path := filepath.Join(d.dir, fmt.Sprintf("%d.xmp", d.n))
		if err := os.WriteFile(path, []byte(sidecar), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	out := filepath.Join(d.dir, fmt.Sprintf("%d.%s", d.n, extension))
	args = append(args, out, "--width", "120", "--height", "120", "--hq", "false", "--apply-custom-presets", "false",
		"--core", "--configdir", t.TempDir(), "--cachedir", t.TempDir(), "--library", ":memory:",
		"--conf", "write_sidecar_files=never", "--conf", "plugins/imageio/format/png/bpp=16")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, d.dt.CLI, args...)
	var words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &words, &words
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, words.String())
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatalf("%v: %s", err, words.String())
	}
	return data, words.String()
}

var (
	historyEnd   = regexp.MustCompile(`(?s)</rdf:Seq>\s*</darktable:history>`)
	orderVersion = regexp.MustCompile(`darktable:iop_order_version="(\d+)"`)
	endNumber    = regexp.MustCompile(`darktable:history_end="\d+"`)
)

// blendAttributes are an entry's blend parameters.
func blendAttributes(version int, params []byte) string {
	return fmt.Sprintf(`darktable:blendop_version="%d" darktable:blendop_params="%x"`, version, params)
}

func apart(t *testing.T, a, b *pixel.Image) pixel.Difference {
	t.Helper()
	d, err := pixel.Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// withEntries appends enabled entries to a sidecar's history, all with the same
// blend attributes ("" for none). What is in the history already gets a second
// instance, and the pipeline order is written out.
func (d *developer) withEntries(t *testing.T, sidecar, blend string, entries ...Params) string {
	t.Helper()
	there := history(t, sidecar)
	version := orderVersion.FindStringSubmatch(sidecar)
	place := historyEnd.FindStringIndex(sidecar)
	if place == nil || version == nil || !endNumber.MatchString(sidecar) {
		t.Fatalf("the sidecar has no history: %s", sidecar)
	}
	number, _ := strconv.Atoi(version[1])
	order, ok := d.release.BuiltinOrder(number)
	if !ok {
		t.Fatalf("no pipeline order %d", number)
	}
	var li strings.Builder
	for i, p := range entries {
		instance := 0
		if slices.ContainsFunc(there, func(e historyEntry) bool { return e.operation == p.Operation() }) {
			instance = 1
			var err error
			if order, err = order.Insert(p.Operation(), instance); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Fprintf(&li, `<rdf:li darktable:num="%d" darktable:operation="%s" darktable:enabled="1" darktable:modversion="%d" darktable:params="%s" darktable:multi_name="" darktable:multi_priority="%d" %s/>`,
			len(there)+i, p.Operation(), p.Modversion(), hex.EncodeToString(p.Encode()), instance, blend)
	}
	sidecar = sidecar[:place[0]] + li.String() + sidecar[place[0]:]
	if order.HasInstances() {
		sidecar = strings.Replace(sidecar, version[0], version[0]+` darktable:iop_order_list="`+order.String()+`"`, 1)
	}
	return endNumber.ReplaceAllString(sidecar, fmt.Sprintf(`darktable:history_end="%d"`, len(there)+len(entries)))
}

func history(t *testing.T, sidecar string) []historyEntry {
	t.Helper()
	entries, _ := readSidecar(t, "packet", []byte(sidecar))
	return entries
}

// mustNotChange develops with all entries at once; when that is not the
// picture before, it finds out which ones are to blame.
func (d *developer) mustNotChange(t *testing.T, limit float64, entries ...Params) {
	t.Helper()
	mean := apart(t, d.before, d.picture(t, d.withEntries(t, d.baseline, "", entries...))).Mean
	t.Logf("%d modules together: mean ΔE2000 %.3f", len(entries), mean)
	if mean < limit {
		return
	}
	t.Errorf("%d modules together change the picture by %.3f, allowed is %v", len(entries), mean, limit)
	if len(entries) == 1 {
		return
	}
	for _, p := range entries {
		mean := apart(t, d.before, d.picture(t, d.withEntries(t, d.baseline, "", p))).Mean
		t.Logf("%s alone: mean ΔE2000 %.3f", p.Operation(), mean)
	}
}
