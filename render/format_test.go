package render_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/render"
)

func TestFormatsHaveTheirExtensions(t *testing.T) {
	t.Parallel()
	want := []string{"jpeg .jpg", "png .png", "tiff .tif", "webp .webp", "avif .avif", "jxl .jxl", "exr .exr"}
	var got []string
	for _, name := range render.Formats() {
		got = append(got, name+" "+render.Extension(name))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := render.Extension("gif"); got != "" {
		t.Errorf("gif has the extension %q, want none", got)
	}
}

func TestColorSpacesStartWithTheDefault(t *testing.T) {
	t.Parallel()
	want := []string{"srgb", "display-p3", "adobe-rgb", "rec2020", "prophoto", "linear-rec709", "linear-rec2020"}
	if diff := cmp.Diff(want, render.ColorSpaces()); diff != "" {
		t.Error(diff)
	}
}
