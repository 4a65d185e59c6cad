package xmp

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/xmp/iop"
)

const style = `<?xml version="1.0" encoding="UTF-8"?>
<darktable_style version="1.0"><info><name>a|look &amp; more</name><description>warm</description><iop_list>exposure,0,exposure,1</iop_list></info><style>
<plugin><num>9</num><module>6</module><operation>exposure</operation><op_params>0A0b</op_params><enabled>1</enabled>
<blendop_params>gz01eJxjYGBgAAAABAAB</blendop_params><blendop_version>11</blendop_version><multi_priority>1</multi_priority><multi_name>lift</multi_name><future>7</future></plugin>
<plugin><num>2</num><module>1</module><operation>gamma</operation><op_params></op_params><enabled>0</enabled></plugin>
</style></darktable_style>`

var styleOptions = cmp.Options{
	cmp.Comparer(func(a, b iop.Order) bool { return a.String() == b.String() }),
	cmpopts.EquateEmpty(),
}

func TestParseStyle(t *testing.T) {
	t.Parallel()
	got, err := ParseStyle([]byte(style))
	if err != nil {
		t.Fatal(err)
	}
	order, _ := iop.ParseOrder("exposure,0,exposure,1")
	want := &Style{
		Name: "a|look & more", Description: "warm", Order: order,
		Entries: []Entry{
			{Operation: "gamma", Modversion: 1},
			{
				Operation: "exposure", Enabled: true, Modversion: 6, Params: []byte{10, 11},
				BlendVersion: 11, Blend: make([]byte, 4), MultiPriority: 1, MultiName: "lift",
			},
		},
	}
	if diff := cmp.Diff(want, got, styleOptions); diff != "" {
		t.Error(diff)
	}
	again, err := ParseStyle(got.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, again, styleOptions); diff != "" {
		t.Errorf("written and read again: %s", diff)
	}
}

func TestStyleRefusals(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		old, new string
		kind     Kind
	}{
		"not a style":      {"darktable_style", "style_of_mine", NotSidecar},
		"bad hex":          {"0A0b", "0A0", BadBlob},
		"bad gz":           {"gz01eJxj", "gz01eJxk", BadBlob},
		"modversion":       {"<module>6", "<module>six", BadValue},
		"no operation":     {"<operation>gamma</operation>", "", BadValue},
		"empty operation":  {"gamma", "", BadValue},
		"operation twice":  {"<num>2</num>", "<operation>b</operation>", BadValue},
		"order":            {"exposure,0,exposure,1", "exposure", BadValue},
		"a document type":  {"<darktable_style ", "<!DOCTYPE x><darktable_style ", Forbidden},
		"no end":           {"</darktable_style>", "", NotXML},
		"structured field": {"<num>9</num>", "<num><x/></num>", BadValue},
	} {
		_, err := ParseStyle([]byte(strings.ReplaceAll(style, tt.old, tt.new)))
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != tt.kind {
			t.Errorf("%s: %v, want %v", name, err, tt.kind)
		}
	}
}

// The styles that darktable brings along, where one is prepared with them: every entry is
// read by name and keeps its bytes.
func TestDarktablesOwnStyles(t *testing.T) {
	t.Parallel()
	cli := testutil.AnyDarktable(t).CLI
	paths, _ := filepath.Glob(filepath.Join(filepath.Dir(cli), "root/usr/share/darktable/styles/*.dtstyle"))
	more, _ := filepath.Glob("/usr/share/darktable/styles/*.dtstyle")
	paths = append(paths, more...)
	if len(paths) == 0 {
		t.Skip("no styles beside darktable")
	}
	entries := 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := ParseStyle(data)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if s.Name == "" || len(s.Entries) != bytes.Count(data, []byte("<plugin>")) {
			t.Errorf("%s: %q with %d entries", path, s.Name, len(s.Entries))
		}
		for _, e := range s.Entries {
			entries++
			if p, err := iop.Decode(e.Operation, e.Modversion, e.Params); err != nil {
				t.Errorf("%s: %v", path, err)
			} else if !bytes.Equal(p.Encode(), e.Params) {
				t.Errorf("%s: %s: decoding and encoding changed the bytes", path, e.Operation)
			}
		}
	}
	t.Logf("%d entries of %d styles", entries, len(paths))
}
