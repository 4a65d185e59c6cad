package render_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bep/imagemeta"
	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/geotag"
	"github.com/chemigram/chemigram/render"
)

// addLocation gives a raw a location wherever it may have one.
func addLocation(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if raw, err = geotag.Plant(raw); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// ofTheTIFF are the tags that its pixels are read with.
var ofTheTIFF = []string{
	"EXIF SubfileType", "EXIF ImageWidth", "EXIF ImageHeight", "EXIF BitsPerSample", "EXIF Compression",
	"EXIF PhotometricInterpretation", "EXIF StripOffsets", "EXIF Orientation", "EXIF SamplesPerPixel",
	"EXIF RowsPerStrip", "EXIF StripByteCounts", "EXIF XResolution", "EXIF YResolution",
	"EXIF PlanarConfiguration", "EXIF ResolutionUnit", "EXIF Predictor", "EXIF SampleFormat", "EXIF ICC_Profile",
}

// readMetadata gives the metadata that an independent reader finds in a picture.
func readMetadata(t *testing.T, path string, format imagemeta.ImageFormat) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	found := map[string]string{}
	sources := imagemeta.EXIF | imagemeta.XMP | imagemeta.IPTC
	if format == imagemeta.PNG {
		sources = imagemeta.EXIF | imagemeta.XMP // it cannot read darktable's IPTC in a PNG
	}
	_, err = imagemeta.Decode(imagemeta.Options{
		R: f, ImageFormat: format, Sources: sources,
		HandleTag: func(tag imagemeta.TagInfo) error {
			if tag.Tag == "ModifyDate" { // when darktable wrote it
				return nil
			}
			if tag.Tag == "DocumentName" {
				if tag.Value != filepath.Base(path) {
					t.Errorf("%s is called %q", path, tag.Value)
				}
				return nil
			}
			found[tag.Source.String()+" "+tag.Tag] = strings.TrimSpace(fmt.Sprint(tag.Value))
			return nil
		},
	})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return found
}

// harmless are the tags that stay with strip_location when darktable wrote them.
var harmless = []string{
	"EXIF Make", "EXIF Model", "EXIF Orientation", "EXIF Software", "EXIF Artist", "EXIF Copyright", "EXIF ImageDescription",
	"EXIF ExposureTime", "EXIF FNumber", "EXIF ISOSpeedRatings", "EXIF ISO", "EXIF PhotographicSensitivity", "EXIF DateTimeOriginal",
	"EXIF FocalLength", "EXIF LensMake", "EXIF LensModel", "EXIF UniqueCameraModel", "EXIF ColorSpace", "EXIF ExifVersion",
	"XMP Creator", "XMP Rights", "XMP Title", "XMP Subject", "XMP Rating", "XMP DerivedFrom", "XMP HistoryEnd", "XMP Xmp_version",
	"IPTC ObjectName", "IPTC By-line", "IPTC CopyrightNotice", "IPTC Keywords",
}

// checkKept compares the metadata of a file without a location with those of the
// file as darktable wrote it.
func checkKept(t *testing.T, path string, before, got map[string]string) {
	t.Helper()
	changed := []string{"EXIF PhotoshopSettings", "XMP State"} // IPTC; and two properties have that name
	for tag, value := range got {
		if before[tag] != value && before[tag] != "" && !slices.Contains(changed, tag) {
			t.Errorf("%s: %s is %q, and was %q", path, tag, value, before[tag])
		}
	}
	for _, tag := range harmless {
		if before[tag] != "" && got[tag] != before[tag] {
			t.Errorf("%s: %s is %q, and was %q", path, tag, got[tag], before[tag])
		}
	}
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return geotag.Unpacked(data)
}

// What a policy forbids is gone from the file as an independent reader sees it,
// the rest is as it was, and so are the pixels and the profile.
func TestMetadataPolicies(t *testing.T) {
	t.Parallel()
	policies := []render.Metadata{render.KeepMetadata, render.StripLocation, render.StripAll}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		l := newSetup(t, dt)
		one, err := render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: t.TempDir(), Processes: 1})
		if err != nil {
			t.Fatal(err)
		}
		addLocation(t, l.raw)
		kinds := map[string]imagemeta.ImageFormat{".jpg": imagemeta.JPEG, ".png": imagemeta.PNG, ".tif": imagemeta.TIFF, ".webp": imagemeta.WebP}
		exts := slices.Sorted(maps.Keys(kinds))
		var jobs []render.Job
		for _, ext := range exts {
			for _, m := range policies {
				jobs = append(jobs, render.Job{
					Raw: l.raw, Sidecar: l.base, Size: 100, State: "abc", Metadata: m,
					Output: filepath.Join(l.out, string(m)+ext),
				})
			}
		}
		for i, o := range one.RenderAll(t.Context(), jobs, nil) {
			if o.Err != nil {
				t.Fatalf("%s: %v", jobs[i].Output, o.Err)
			}
		}
		for _, ext := range exts {
			kept := filepath.Join(l.out, "keep"+ext)
			before := readMetadata(t, kept, kinds[ext])
			if len(geotag.Find(contents(t, kept))) < 10 || ext != ".png" && (before["EXIF GPSLatitude"] == "" || before["XMP City"] == "") {
				t.Fatalf("%s has no location: %v", kept, before)
			}
			for _, m := range policies {
				path := filepath.Join(l.out, string(m)+ext)
				if !cmp.Equal(load(t, path), load(t, kept)) {
					t.Errorf("%s has other pixels than with everything kept", path)
				}
				data := contents(t, path)
				if !bytes.Contains(data, []byte("iCCP")) && !bytes.Contains(data, []byte("acsp")) {
					t.Errorf("%s has lost its profile", path)
				}
				got := readMetadata(t, path, kinds[ext])
				if m != render.KeepMetadata {
					for _, found := range geotag.Find(data) {
						t.Errorf("%s: there is still %s", path, found)
					}
				}
				switch m {
				case render.StripLocation:
					checkKept(t, path, before, got)
				case render.StripAll:
					maps.DeleteFunc(got, func(tag, _ string) bool { return slices.Contains(ofTheTIFF, tag) })
					if len(got) > 0 {
						t.Errorf("%s has %v", path, got)
					}
				}
				_, state, err := render.Inspect(path)
				if err != nil || (state == "abc") != (m != render.StripAll) {
					t.Errorf("%s carries the state %q, %v", path, state, err)
				}
			}
		}
	})
}
