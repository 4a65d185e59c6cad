package chemigram

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/exif"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

func TestSidecarsThatAreNotDarktablesAreRefused(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	packet := baseline.Packet("5.4.1")
	before := headHash(t, e)
	for name, c := range map[string]struct {
		text string
		code Code
		says string
	}{
		"Lightroom": {
			`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:Exposure2012="+0.35"/></rdf:RDF></x:xmpmeta>`,
			ErrInvalidInput, "Lightroom",
		},
		"a style": {
			`<?xml version="1.0" encoding="UTF-8"?><darktable_style version="1.0"><info><name>film</name><description></description></info><style><plugin><num>0</num><module>2</module><operation>flip</operation><op_params>ffffffff</op_params><enabled>1</enabled></plugin></style></darktable_style>`,
			ErrInvalidInput, "bind_layers",
		},
		"not XML":      {"\xff\xd8\xff\xe0 a picture", ErrInvalidInput, "not a sidecar"},
		"a newer one":  {strings.Replace(string(packet), `operation="exposure" darktable:enabled="1" darktable:modversion="7"`, `operation="exposure" darktable:enabled="1" darktable:modversion="70"`, 1), ErrNotImplemented, "newer darktable"},
		"new format":   {strings.Replace(string(packet), `xmp_version="5"`, `xmp_version="6"`, 1), ErrNotImplemented, "format 6 (xmp_version)"},
		"old format":   {strings.Replace(string(packet), `xmp_version="5"`, `xmp_version="2"`, 1), ErrInvalidInput, "darktable 3.0 or newer"},
		"new blending": {strings.ReplaceAll(maskedExposure(t, string(packet)), `blendop_version="14"`, `blendop_version="15"`), ErrNotImplemented, "exposure"},
		"new module":   {strings.Replace(string(packet), `operation="exposure"`, `operation="timewarp"`, 1), ErrNotImplemented, "timewarp"},
		"damaged":      {strings.Replace(string(packet), `params="ffffffff"`, `params="ffzz"`, 1), ErrSynthesizer, "flip"},
		"nothing done": {strings.Replace(string(packet), `history_end="11"`, `history_end="0"`, 1), ErrInvalidInput, "no history stack"},
	} {
		path := filepath.Join(t.TempDir(), "x.xmp")
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := e.ImportSidecar(t.Context(), ImportSidecarParams{ImageID: "a", Path: path})
		if !errors.Is(err, c.code) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want a %s that says %q", name, err, c.code, c.says)
		}
	}
	if _, err := e.ImportSidecar(t.Context(), ImportSidecarParams{ImageID: "a", Path: t.TempDir()}); !errors.Is(err, ErrInvalidInput) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := e.ImportSidecar(t.Context(), ImportSidecarParams{ImageID: "a", Path: "/nowhere.xmp"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("nothing: %v", err)
	}
	if after := headHash(t, e); after != before {
		t.Error("a refused sidecar changed the edit")
	}
}

func TestASidecarIsNeverLost(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	img, err := e.image("a")
	if err != nil {
		t.Fatal(err)
	}
	here := img.File
	here.Raw = workspace.Raw{Path: filepath.Join(t.TempDir(), "a.dng")}
	path := here.Raw.Path + ".xmp"
	for _, f := range []string{here.Raw.Path, path} {
		if err := os.WriteFile(f, []byte("theirs"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if here.Raw.SHA256, err = workspace.DigestFile(t.Context(), here.Raw.Path); err != nil {
		t.Fatal(err)
	}
	if err := here.Write(img.Dir); err != nil {
		t.Fatal(err)
	}
	e = openWithout(t, Options{Workspace: e.opts.Workspace})
	p := ExportSidecarParams{ImageID: "a", BesideRaw: true}
	if _, err := e.ExportSidecar(t.Context(), p); !errors.Is(err, ErrState) {
		t.Errorf("over another sidecar: %v", err)
	}
	p.Overwrite = true
	var kept []string
	for range 2 {
		res, err := e.ExportSidecar(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, filepath.Base(res.BackupPath))
	}
	if want := []string{filepath.Base(path) + ".bak", filepath.Base(path) + ".bak2"}; !cmp.Equal(kept, want) {
		t.Errorf("kept as %q, want %q", kept, want)
	}
	if was, err := os.ReadFile(path + ".bak"); err != nil || string(was) != "theirs" {
		t.Errorf("the first backup holds %q, %v", was, err)
	}
	other := openWithout(t, Options{Workspace: e.opts.Workspace, ExportRoots: []string{t.TempDir()}})
	if _, err := other.ExportSidecar(t.Context(), p); !errors.Is(err, ErrPermission) {
		t.Errorf("outside the export roots: %v", err)
	}
}

func TestMarksStayAndGoAlong(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	before := headHash(t, e)
	stars := Rating(-1)
	got, err := e.SetRating(t.Context(), SetRatingParams{ImageID: "a", Rating: &stars, ColorLabels: []ColorLabel{"purple", "red", "red"}})
	if want := (Marks{Rating: -1, ColorLabels: []ColorLabel{"red", "purple"}}); err != nil || !cmp.Equal(got, want) {
		t.Fatalf("%+v, %v; want %+v", got, err, want)
	}
	if headHash(t, e) != before {
		t.Error("a rating changed the look")
	}
	stars = 3
	if got, err = e.SetRating(t.Context(), SetRatingParams{ImageID: "a", Rating: &stars}); err != nil || len(got.ColorLabels) != 2 {
		t.Errorf("without labels: %+v, %v; want them as they were", got, err)
	}
	out, err := e.ExportSidecar(t.Context(), ExportSidecarParams{ImageID: "a"})
	if err != nil {
		t.Fatal(err)
	}
	add(t, e, "b", "5.4.1")
	if _, err := e.ImportSidecar(t.Context(), ImportSidecarParams{ImageID: "b", Path: out.OutputPath}); err != nil {
		t.Fatal(err)
	}
	img, err := e.image("b")
	if err != nil {
		t.Fatal(err)
	}
	if along, _, err := img.Marks(); err != nil || !cmp.Equal(Marks{Rating(along.Rating), colorLabels(along)}, got) {
		t.Errorf("what came along: %+v, %v; want %+v", along, err, got)
	}
	add(t, e, "none", "5.4.1")
	stars = 0
	if _, err := e.SetRating(t.Context(), SetRatingParams{ImageID: "none", Rating: &stars}); err != nil {
		t.Fatal(err)
	}
	text, err := e.ReadSidecar(t.Context(), ReadSidecarParams{ImageID: "none"})
	if err != nil || !strings.Contains(text.XMP, `xmp:Rating="0"`) {
		t.Errorf("a picture that was given no star leaves with darktable's own: %v", err)
	}
	if _, err := e.SetRating(t.Context(), SetRatingParams{ImageID: "a", ColorLabels: []ColorLabel{"pink"}}); !errors.Is(err, ErrInvalidInput) {
		t.Errorf("a label that darktable does not have: %v", err)
	}
}

// A sidecar whose marks cannot be taken over is not imported at all.
func TestASidecarIsImportedWholeOrNotAtAll(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	apply(t, e, "exposure", 0.5)
	stars := Rating(4)
	if _, err := e.SetRating(t.Context(), SetRatingParams{ImageID: "a", Rating: &stars}); err != nil {
		t.Fatal(err)
	}
	out, err := e.ExportSidecar(t.Context(), ExportSidecarParams{ImageID: "a"})
	if err != nil {
		t.Fatal(err)
	}
	add(t, e, "b", "5.4.1")
	marks := e.workspace.Path("images", "b", "marks.json")
	for name, spoil := range map[string]func() error{
		"damaged":  func() error { return os.WriteFile(marks, []byte("{"), 0o600) },
		"a folder": func() error { return errors.Join(os.Remove(marks), os.MkdirAll(filepath.Join(marks, "x"), 0o700)) },
	} {
		if err := errors.Join(os.RemoveAll(marks), os.WriteFile(marks, nil, 0o600), spoil()); err != nil {
			t.Fatal(err)
		}
		if _, err := e.ImportSidecar(t.Context(), ImportSidecarParams{ImageID: "b", Path: out.OutputPath}); err == nil {
			t.Errorf("marks.json is %s: it was imported", name)
		}
		log, err := e.Log(t.Context(), LogParams{ImageID: "b"})
		if err != nil || log.Total != 1 {
			t.Errorf("marks.json is %s: there are %d snapshots, %v", name, log.Total, err)
		}
	}
}

func TestImagesAreChosenByMarksAndData(t *testing.T) {
	e := openWithout(t, Options{})
	for i, id := range []ImageID{"a", "b", "c"} {
		add(t, e, id, "5.4.1")
		img, err := e.image(id)
		if err != nil {
			t.Fatal(err)
		}
		file := img.File
		file.EXIF = exif.Summary{Make: "Acme", Model: "One", LensModel: "Wide 24mm", TakenAt: []string{"2026-06-21T19:42:00", "2026-06-22T07:00:00", ""}[i]}
		if id == "b" {
			file.EXIF.Model, file.EXIF.LensModel = "Two", "Tele 200mm"
		}
		if err := file.Write(img.Dir); err != nil {
			t.Fatal(err)
		}
		stars := Rating(i + 2)
		if _, err := e.SetRating(t.Context(), SetRatingParams{ImageID: id, Rating: &stars, ColorLabels: []ColorLabel{ColorLabel(workspace.ColorLabels()[i])}}); err != nil {
			t.Fatal(err)
		}
	}
	e = openWithout(t, Options{Workspace: e.opts.Workspace})
	three := Rating(3)
	for name, c := range map[string]struct {
		p    ListImagesParams
		want []ImageID
	}{
		"nothing asked":  {ListImagesParams{}, []ImageID{"a", "b", "c"}},
		"stars":          {ListImagesParams{MinRating: &three}, []ImageID{"b", "c"}},
		"label":          {ListImagesParams{ColorLabel: "red"}, []ImageID{"a"}},
		"camera":         {ListImagesParams{Camera: "acme two"}, []ImageID{"b"}},
		"lens":           {ListImagesParams{Lens: "wide"}, []ImageID{"a", "c"}},
		"since":          {ListImagesParams{TakenSince: "2026-06-22"}, []ImageID{"b"}},
		"until a day":    {ListImagesParams{TakenUntil: "2026-06-21"}, []ImageID{"a"}},
		"until a minute": {ListImagesParams{TakenUntil: "2026-06-21T19:41"}, nil},
		"zone":           {ListImagesParams{TakenSince: "2026-06-21T19:42:00Z", TakenUntil: "2026-06-21 19:42:00+02:00"}, []ImageID{"a"}},
		"all together":   {ListImagesParams{Camera: "one", MinRating: &three, Lens: "24mm"}, []ImageID{"c"}},
	} {
		res, err := e.ListImages(t.Context(), c.p)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []ImageID
		for _, s := range res.Images {
			got = append(got, s.ImageID)
		}
		if !cmp.Equal(got, c.want) || res.Total != len(c.want) {
			t.Errorf("%s: %v of %d, want %v", name, got, res.Total, c.want)
		}
	}
}

// maskedExposure is a sidecar whose exposure is blended in part.
func maskedExposure(t *testing.T, packet string) string {
	t.Helper()
	return blendedExposure(t, packet, func(entry *xmp.Entry, blend *mask.Blend) {
		blend.MaskMode, blend.Opacity, entry.MultiName = mask.Uniform, 40, ""
	})
}

// blendedExposure is a sidecar whose exposure is blended as said.
func blendedExposure(t *testing.T, packet string, set func(*xmp.Entry, *mask.Blend)) string {
	t.Helper()
	s, err := xmp.Parse([]byte(packet))
	if err != nil {
		t.Fatal(err)
	}
	release, err := iop.ReleaseFor("5.4.1")
	if err != nil {
		t.Fatal(err)
	}
	entry, _ := s.Find("exposure", "")
	blend, err := mask.NewBlend(14, mask.ColorSpaceRGBScene)
	set(&entry, &blend)
	if err == nil {
		entry.Blend, err = blend.Encode()
	}
	if err == nil {
		s, err = s.With(release, xmp.Put{Entry: entry})
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(s.Bytes())
}

// Blend parameters of a version that nobody knows do no harm where they neither
// mask nor blend.
func TestNewBlendParametersWithoutAMaskAreImported(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	path := filepath.Join(t.TempDir(), "x.xmp")
	text := strings.ReplaceAll(string(baseline.Packet("5.4.1")), `blendop_version="14"`, `blendop_version="15"`)
	text = strings.Replace(text, `operation="exposure" darktable:enabled="1"`, `operation="exposure" darktable:enabled="0"`, 1)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if res, err := e.ImportSidecar(t.Context(), ImportSidecarParams{ImageID: "a", Path: path}); err != nil || !res.Changed {
		t.Fatalf("%+v, %v", res, err)
	}
	shown, err := e.ReadSidecar(t.Context(), ReadSidecarParams{ImageID: "a"})
	if err != nil || strings.Contains(shown.XMP, `blendop_version="15"`) {
		t.Errorf("%v: blend parameters that this darktable does not know:\n%s", err, shown.XMP)
	}
}

// What a newer darktable made is not developed by an older one, which would leave
// out what it does not know.
func TestALookOfANewerDarktableIsNotDevelopedByAnOlderOne(t *testing.T) {
	newer, _ := openFake(t, testutil.FakeOptions{}, "a")
	if err := newer.Close(); err != nil {
		t.Fatal(err)
	}
	older := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "4.2.1"})
	e, err := Open(t.Context(), &Options{Workspace: newer.opts.Workspace, Darktable: older.CLI, Workers: -1, Processes: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for name, develop := range map[string]func() error{
		"preview": func() error {
			_, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "a"})
			return err
		},
		"export": func() error {
			_, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a"})
			return err
		},
		"a move": func() error {
			_, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure"})
			return err
		},
	} {
		if err := develop(); !errors.Is(err, ErrNotImplemented) || !strings.Contains(err.Error(), "4.2.1") {
			t.Errorf("%s: %v, want what darktable 4.2.1 lacks", name, err)
		}
	}
}

// What the installed darktable cannot develop is left out when that is asked for, by
// name, with the modules that use its mask; and a refusal names all of it.
func TestAPartialImportNamesWhatItLeavesOut(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	packet := string(baseline.Packet("5.4.1"))
	newer := func(text, module string) string {
		return regexp.MustCompile(`(operation="`+module+`" darktable:enabled=)"." darktable:modversion="\d+"`).ReplaceAllString(text, `$1"1" darktable:modversion="70"`)
	}
	for _, c := range []struct {
		text string
		gone []string
	}{
		{newer(packet, "exposure"), []string{"exposure"}},
		{newer(newer(packet, "exposure"), "colorin"), []string{"colorin", "exposure"}},
		{newer(rasterExposure(t, packet, "temperature"), "temperature"), []string{"exposure", "temperature"}},
		{string(watermarked(t, "/etc/x.svg").Bytes()), []string{"watermark"}},
	} {
		path := filepath.Join(t.TempDir(), "x.xmp")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := e.ImportSidecar(t.Context(), ImportSidecarParams{ImageID: "a", Path: path})
		for _, module := range c.gone {
			if err == nil || !strings.Contains(err.Error(), "partial") || !strings.Contains(err.Error(), module) {
				t.Errorf("without %q: %v, want a refusal that names %s and partial", c.gone, err, module)
			}
		}
		res, err := e.ImportSidecar(t.Context(), ImportSidecarParams{ImageID: "a", Path: path, Partial: true})
		if err != nil {
			t.Errorf("without %q: %v", c.gone, err)
			continue
		}
		var gone []string
		for _, said := range regexp.MustCompile(`(?:(?:^left out,)|;) (\w+): `).FindAllStringSubmatch(res.Warning, -1) {
			gone = append(gone, said[1])
		}
		if slices.Sort(gone); !slices.Equal(gone, c.gone) {
			t.Errorf("it says %q, want %q left out", res.Warning, c.gone)
		}
		look, err := e.ReadSidecar(t.Context(), ReadSidecarParams{ImageID: "a"})
		if err != nil {
			t.Fatal(err)
		}
		for _, module := range c.gone {
			if strings.Contains(look.XMP, `operation="`+module+`"`) {
				t.Errorf("%s is in the look all the same", module)
			}
		}
	}
}

// rasterExposure is a sidecar whose exposure has the mask of another module.
func rasterExposure(t *testing.T, packet, source string) string {
	t.Helper()
	return blendedExposure(t, packet, func(_ *xmp.Entry, blend *mask.Blend) {
		blend.MaskMode = mask.Uniform | mask.Raster
		copy(blend.RasterSource[:], source)
		blend.RasterID = 0
	})
}
