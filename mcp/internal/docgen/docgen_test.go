package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDocsAreUpToDate(t *testing.T) {
	t.Parallel()
	want, err := generate("../../..")
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile("../../docs.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(have)); diff != "" {
		t.Errorf("mcp/docs.json is stale; run go generate ./mcp (-want +have):\n%s", diff)
	}
}

func TestCommentsAreRewrittenForAgents(t *testing.T) {
	t.Parallel()
	r := rewriter{names: map[string]string{"RefOrHash": "ref_or_hash"}}
	for _, c := range []struct {
		field field
		want  string
	}{
		{field{"Size", "size", "Size is the longest edge\nof the preview.\n"}, "The longest edge of the preview."},
		{field{"Width", "width", "Width of the picture in pixels.\n"}, "Width of the picture in pixels."},
		{field{"ImageID", "image_id", "ImageID names the image.\n"}, "Names the image."},
		{field{"BitDepth", "bit_depth", "BitDepth per channel.\n\nSee [Engine.ExportFinal].\n"}, "Bit depth per channel.\n\nSee export_final."},
		{field{"Other", "other", "Like RefOrHash.\n"}, "Like ref_or_hash."},
	} {
		if got := r.field(c.field); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.field.doc, got, c.want)
		}
	}
	if got := r.verb("Reset", "Reset moves the branch.\n"); got != "Moves the branch." {
		t.Errorf("verb: %q", got)
	}
}
