package iop

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/xmp/mask"
)

// darktable has no complaint about the parameters of any of its modules, and
// keeps them as they are.
func TestDarktableAcceptsEveryModulesDefaults(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		release, err := ReleaseFor(dt.Name)
		if err != nil {
			t.Fatal(err)
		}
		d := newDeveloper(t, dt)
		baseline, stderr := d.develop(t, "")
		refuseComplaints(t, stderr)
		own := map[string]bool{} // what darktable sets up for this raw
		for _, e := range history(t, baseline) {
			own[e.operation] = true
			p, err := release.Decode(e.operation, e.modversion, e.params)
			if err != nil {
				t.Errorf("darktable's own entry: %v", err)
				continue
			}
			if newest, _ := release.Modversion(e.operation); newest != p.Modversion() {
				t.Errorf("%s writes %s %d, the table says %d", dt.Name, e.operation, p.Modversion(), newest)
			}
		}
		var todo []Params
		for _, m := range release.Modules() {
			p, err := release.Defaults(m.Operation)
			if err != nil || own[m.Operation] || m.Hidden() || m.NoHistory() {
				continue
			}
			todo = append(todo, p)
		}
		t.Logf("%d modules with defaults, %d in the baseline", len(todo), len(own))
		blend, err := mask.DefaultBlend(release.BlendVersion())
		if err != nil {
			t.Fatal(err)
		}
		unblended := blendAttributes(release.BlendVersion(), blend)
		for group := range slices.Chunk(todo, 16) {
			packet, stderr := d.develop(t, withEntries(t, baseline, unblended, group...))
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
	})
}

// The test above can fail: darktable does complain when it should.
func TestDarktableComplainsOfAnUnknownVersion(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		d := newDeveloper(t, dt)
		baseline, _ := d.develop(t, "")
		p := mustDefaults(t, "sharpen", 1)
		sidecar := strings.Replace(withEntries(t, baseline, "", p),
			`darktable:operation="sharpen" darktable:enabled="1" darktable:modversion="1"`,
			`darktable:operation="sharpen" darktable:enabled="1" darktable:modversion="99"`, 1)
		if _, stderr := d.develop(t, sidecar); !complaint.MatchString(stderr) {
			t.Errorf("no complaint in %s", stderr)
		}
	})
}

// An entry with mask.DefaultBlend gives the pixels that it gives without any
// blend parameters and with those of its own colour space, and others than no
// entry at all.
func TestDefaultBlendIsDarktablesOwn(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		release, err := ReleaseFor(dt.Name)
		if err != nil {
			t.Fatal(err)
		}
		d := newDeveloper(t, dt)
		baseline, plain, _ := d.picture(t, "")
		p, err := release.Defaults("velvia") // blends in display RGB or Lab by workflow
		if err != nil {
			t.Fatal(err)
		}
		if p, err = p.With("strength", Number(100)); err != nil {
			t.Fatal(err)
		}
		_, want, _ := d.picture(t, withEntries(t, baseline, "", p))
		if bytes.Equal(want, plain) {
			t.Fatal("the entry changes nothing")
		}
		version := release.BlendVersion()
		for _, space := range []mask.ColorSpace{mask.ColorSpaceNone, mask.ColorSpaceRGBDisplay} {
			b, err := mask.NewBlend(version, space)
			if err != nil {
				t.Fatal(err)
			}
			blob, err := b.Encode()
			if err != nil {
				t.Fatal(err)
			}
			_, got, stderr := d.picture(t, withEntries(t, baseline, blendAttributes(version, blob), p))
			refuseComplaints(t, stderr)
			if !bytes.Equal(got, want) {
				t.Errorf("colour space %d: other pixels", space)
			}
		}
	})
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
	dt  testutil.Darktable
	dir string
	n   int
}

func newDeveloper(t *testing.T, dt testutil.Darktable) *developer {
	t.Helper()
	d := &developer{dt: dt, dir: t.TempDir()}
	f, err := os.Create(filepath.Join(d.dir, "raw.dng"))
	if err != nil {
		t.Fatal(err)
	}
	ramp := dng.Image{Width: 480, Height: 320, Row: func(y int, rgb []float32) {
		for i := range rgb {
			rgb[i] = float32(i/3+y+1) / 800
		}
	}}
	if err := dng.Write(f, ramp, dng.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return d
}

// develop exports the raw with a sidecar ("" for darktable's own history), and
// gives the picture's XMP packet.
func (d *developer) develop(t *testing.T, sidecar string) (packet, stderr string) {
	t.Helper()
	packet, _, stderr = d.picture(t, sidecar)
	return packet, stderr
}

// picture does the same and gives the pixels too.
func (d *developer) picture(t *testing.T, sidecar string) (packet string, pixels []byte, stderr string) {
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
	out := filepath.Join(d.dir, fmt.Sprintf("%d.jpg", d.n))
	args = append(args, out, "--width", "120", "--height", "120", "--hq", "false", "--apply-custom-presets", "false",
		"--core", "--configdir", t.TempDir(), "--cachedir", t.TempDir(), "--library", ":memory:", "--conf", "write_sidecar_files=never")
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
	decoded, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := bytes.Cut(data, []byte("http://ns.adobe.com/xap/1.0/\x00"))
	end := bytes.Index(rest, []byte("</x:xmpmeta>"))
	if !ok || end < 0 {
		t.Fatal("the picture has no XMP packet")
	}
	return string(rest[:end]) + "</x:xmpmeta>", decoded.(*image.YCbCr).Y, words.String()
}

var (
	historyEnd = regexp.MustCompile(`(?s)</rdf:Seq>\s*</darktable:history>`)
	endNumber  = regexp.MustCompile(`darktable:history_end="\d+"`)
)

// blendAttributes are an entry's blend parameters.
func blendAttributes(version int, params []byte) string {
	return fmt.Sprintf(`darktable:blendop_version="%d" darktable:blendop_params="%x"`, version, params)
}

// withEntries appends enabled entries to a sidecar's history, all with the
// same blend attributes ("" for none).
func withEntries(t *testing.T, sidecar, blend string, entries ...Params) string {
	t.Helper()
	n := len(history(t, sidecar))
	var li strings.Builder
	for _, p := range entries {
		fmt.Fprintf(&li, `<rdf:li darktable:num="%d" darktable:operation="%s" darktable:enabled="1" darktable:modversion="%d" darktable:params="%s" darktable:multi_name="" darktable:multi_priority="0" %s/>`,
			n, p.Operation(), p.Modversion(), hex.EncodeToString(p.Encode()), blend)
		n++
	}
	place := historyEnd.FindStringIndex(sidecar)
	if place == nil || !endNumber.MatchString(sidecar) {
		t.Fatalf("the sidecar has no history: %s", sidecar)
	}
	sidecar = sidecar[:place[0]] + li.String() + sidecar[place[0]:]
	return endNumber.ReplaceAllString(sidecar, fmt.Sprintf(`darktable:history_end="%d"`, n))
}

func history(t *testing.T, sidecar string) []historyEntry {
	t.Helper()
	entries, _ := readSidecar(t, "packet", []byte(sidecar))
	return entries
}
