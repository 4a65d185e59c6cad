package chemigram

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// cli runs darktable-cli as a person would, and gives the picture.
func cli(t *testing.T, dt testutil.Darktable, args ...string) *pixel.Image {
	t.Helper()
	output := filepath.Join(t.TempDir(), "out.jpg")
	args = append(args, output, "--width", "320", "--height", "320", "--hq", "false", "--apply-custom-presets", "false",
		"--core", "--configdir", t.TempDir(), "--library", ":memory:", "--conf", "write_sidecar_files=never",
		"--conf", "plugins/imageio/format/jpeg/quality=97")
	if out, err := exec.CommandContext(t.Context(), dt.CLI, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	picture, err := pixel.Load(output)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// A sidecar beside the raw is what darktable itself develops, and what was
// changed in darktable comes back with the same pixels.
func TestAnEditGoesToDarktableAndBack(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, raw := openWith(t, dt, scene.Landscape{})
		ingest(t, e, raw)
		apply(t, e, "exposure", 0.7)
		apply(t, e, "warmth", 30) // an instance of its own
		apply(t, e, "black_and_white", 0.5)
		darker := -1.5
		if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{
			ImageID: "a", PrimitiveName: "exposure", Value: &darker,
			Mask: &Mask{Shapes: []MaskShape{{Kind: "circle", Radius: 0.3}}},
		}); err != nil {
			t.Fatal(err)
		}
		stars := Rating(4)
		if _, err := e.SetRating(t.Context(), SetRatingParams{ImageID: "a", Rating: &stars, ColorLabels: []ColorLabel{"blue", "red"}}); err != nil {
			t.Fatal(err)
		}
		out, err := e.ExportSidecar(t.Context(), ExportSidecarParams{ImageID: "a", BesideRaw: true})
		if err != nil {
			t.Fatal(err)
		}
		if want := raw + ".xmp"; out.OutputPath != want {
			t.Errorf("written to %s, want %s", out.OutputPath, want)
		}
		elsewhere, err := e.ExportSidecar(t.Context(), ExportSidecarParams{ImageID: "a"})
		if err != nil {
			t.Fatal(err)
		}
		bare := filepath.Join(t.TempDir(), "bare.dng") // without a sidecar
		if err := os.Link(raw, bare); err != nil {
			t.Fatal(err)
		}
		imported, given := cli(t, dt, raw), cli(t, dt, bare, elsewhere.OutputPath)
		if d := distance(t, imported, given); d.Max != 0 {
			t.Errorf("darktable develops the sidecar beside the raw otherwise: ΔE %.3f, at most %.3f", d.Mean, d.Max)
		}
		if d := distance(t, imported, cli(t, dt, bare)); d.Mean < 1 {
			t.Errorf("the edit changes next to nothing: ΔE %.3f", d.Mean)
		}

		edited := editedByHand(t, out.OutputPath)
		theirs := cli(t, dt, bare, edited)
		res, err := e.ImportSidecar(t.Context(), ImportSidecarParams{ImageID: "a", Path: edited, Label: "from darktable"})
		if err != nil || !res.Changed {
			t.Fatalf("%+v, %v", res, err)
		}
		back, err := e.ExportSidecar(t.Context(), ExportSidecarParams{ImageID: "a"})
		if err != nil {
			t.Fatal(err)
		}
		if d := distance(t, theirs, cli(t, dt, bare, back.OutputPath)); d.Max != 0 {
			t.Errorf("what was imported develops otherwise: ΔE %.3f, at most %.3f", d.Mean, d.Max)
		}
		if d := distance(t, theirs, imported); d.Mean < 1 {
			t.Errorf("the edit by hand changes next to nothing: ΔE %.3f", d.Mean)
		}
		if !apply(t, e, "exposure", 1.2).Changed {
			t.Error("no move builds on what was imported")
		}
	})
}

// editedByHand is a sidecar as darktable's darkroom leaves it: the colours are
// back, one more step further up the stack, and a step was undone.
func editedByHand(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text, off := string(data), ""
	for line := range strings.Lines(text) {
		if strings.Contains(line, `darktable:multi_name="chemigram monochrome"`) {
			off = strings.Replace(line, `darktable:enabled="1"`, `darktable:enabled="0"`, 1)
		}
	}
	if off == "" {
		t.Fatalf("no monochrome instance in\n%s", text)
	}
	end := strings.Count(text, "darktable:operation=")
	number := func(s string, n int) string {
		_, rest, _ := strings.Cut(s, `darktable:num="`)
		_, rest, _ = strings.Cut(rest, `"`)
		return `     <rdf:li darktable:num="` + strconv.Itoa(n) + `"` + rest
	}
	text = strings.Replace(text, "    </rdf:Seq>\n   </darktable:history>", number(off, end)+number(strings.Replace(off, `enabled="0"`, `enabled="1"`, 1), end+1)+"    </rdf:Seq>\n   </darktable:history>", 1)
	text = strings.Replace(text, `darktable:history_end="`+strconv.Itoa(end)+`"`, `darktable:history_end="`+strconv.Itoa(end+1)+`"`, 1)
	edited := filepath.Join(t.TempDir(), "by-hand.xmp")
	if err := os.WriteFile(edited, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return edited
}

// An older darktable gives neutral parameters in place of newer blend parameters:
// a mask would be lost in silence, and the edit apply everywhere.
func TestMasksOfANewerDarktableAreKept(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, raw := openWith(t, dt, scene.Landscape{})
		ingest(t, e, raw)
		darker := -2.0
		if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{
			ImageID: "a", PrimitiveName: "exposure", Value: &darker, Mask: &Mask{Shapes: []MaskShape{{Kind: "circle", Radius: 0.3}}},
		}); err != nil {
			t.Fatal(err)
		}
		want := exact(t, e)
		sidecar, err := e.ReadSidecar(t.Context(), ReadSidecarParams{ImageID: "a"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Reset(t.Context(), ResetParams{ImageID: "a"}); err != nil {
			t.Fatal(err)
		}
		if d := distance(t, want, exact(t, e)); d.Mean < 1 {
			t.Fatalf("the masked edit changes next to nothing: ΔE %.3f", d.Mean)
		}
		path := filepath.Join(t.TempDir(), "newer.xmp")
		if err := os.WriteFile(path, inNewestBlendVersion(t, sidecar.XMP), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := e.ImportSidecar(t.Context(), ImportSidecarParams{ImageID: "a", Path: path}); err != nil {
			t.Fatal(err)
		}
		if d := distance(t, want, exact(t, e)); d.Max != 0 {
			t.Errorf("the imported mask develops otherwise: ΔE %.3f, at most %.3f", d.Mean, d.Max)
		}
	})
}

// exact is the exact preview of the present edit.
func exact(t *testing.T, e *Engine) *pixel.Image {
	t.Helper()
	return previewed(t, e, RenderPreviewParams{ImageID: "a", Quality: QualityExact, Size: 320})
}

// inNewestBlendVersion is a sidecar with its blend parameters as darktable 5.4
// writes them.
func inNewestBlendVersion(t *testing.T, text string) []byte {
	t.Helper()
	s, err := xmp.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range s.History() {
		old, err := mask.DecodeBlend(entry.BlendVersion, entry.Blend)
		if err != nil {
			t.Fatal(err)
		}
		old.Version, old.RasterID, old.FeatherVersion = 14, -1, 1
		blend, err := old.Encode()
		if err != nil {
			t.Fatal(err)
		}
		before := fmt.Sprintf(`darktable:blendop_version="%d" darktable:blendop_params="%x"`, entry.BlendVersion, entry.Blend)
		text = strings.ReplaceAll(string(s.Canonical()), before, fmt.Sprintf(`darktable:blendop_version="14" darktable:blendop_params="%x"`, blend))
		if s, err = xmp.Parse([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return []byte(text)
}
