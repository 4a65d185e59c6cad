package chemigram

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/xmp"
)

// addNamed registers an image whose baseline names another file, and says when and by
// what it was written.
func addNamed(t *testing.T, e *Engine, id ImageID, raw string) {
	t.Helper()
	text := strings.Replace(string(baseline.Packet("5.4.1")), `xmpMM:DerivedFrom="chart.dng"`,
		`xmpMM:DerivedFrom="`+raw+`" xmpMM:InstanceID="xmp.iid:`+raw+`" xmp:MetadataDate="of `+raw+`" darktable:change_timestamp="`+raw+`"`, 1)
	sidecar, err := xmp.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	_, release, err := baseline.Parse("5.4.1")
	if err == nil {
		sidecar, err = sidecar.Compact(release)
	}
	if err != nil {
		t.Fatal(err)
	}
	file := workspace.File{ImageID: string(id), Raw: workspace.Raw{Path: "/nowhere/" + raw, SHA256: string(id)}, Darktable: "5.4.1"}
	if err := register(t.Context(), e, file, sidecar.Canonical()); err != nil {
		t.Fatal(err)
	}
}

func hashOf(t *testing.T, e *Engine, id ImageID) string {
	t.Helper()
	state, err := e.GetState(t.Context(), GetStateParams{ImageID: id})
	if err != nil {
		t.Fatal(err)
	}
	return *state.HeadHash
}

func TestTheNameOfTheRawIsNoPartOfTheLook(t *testing.T) {
	e := openWithout(t, Options{})
	addNamed(t, e, "a", "one.dng")
	addNamed(t, e, "b", "two.NEF")
	for range 2 {
		if hashOf(t, e, "a") != hashOf(t, e, "b") {
			t.Error("two looks that differ in the raw's name have two hashes")
		}
		for _, id := range []ImageID{"a", "b"} {
			if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: id, PrimitiveName: "exposure", Value: new(1.0)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for id, name := range map[ImageID]string{"a": "one.dng", "b": "two.NEF"} {
		read, err := e.ReadSidecar(t.Context(), ReadSidecarParams{ImageID: id})
		if err != nil || strings.Count(read.XMP, `xmpMM:DerivedFrom="`+name+`"`) != 1 {
			t.Errorf("%s: the sidecar does not name the raw %s: %v\n%.900s", id, name, err, read.XMP)
		}
		written, err := e.ExportSidecar(t.Context(), ExportSidecarParams{ImageID: id})
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(written.OutputPath); err != nil || !strings.Contains(string(text), `xmpMM:DerivedFrom="`+name+`"`) {
			t.Errorf("%s: the exported sidecar does not name the raw: %v", id, err)
		}
	}
}

// Histories that were recorded with the raw's name in their states go on.
func TestAStateWithTheNameOfTheRawIsTheSameLook(t *testing.T) {
	e := openWithout(t, Options{})
	sidecar, _, err := baseline.Parse("5.4.1")
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Replace(string(sidecar.Canonical()), " xmp:Rating=", ` xmpMM:DerivedFrom="chart.dng"`+"\n"+`  xmp:Rating=`, 1)
	old = strings.Replace(old, `xmlns:xmp=`, `xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:xmp=`, 1)
	if !xmp.NamesFile([]byte(old)) {
		t.Fatalf("the state does not name the raw:\n%.600s", old)
	}
	file := workspace.File{ImageID: "a", Raw: workspace.Raw{Path: filepath.Join("/nowhere", "moved.dng"), SHA256: "a"}, Darktable: "5.4.1"}
	if err := register(t.Context(), e, file, []byte(old)); err != nil {
		t.Fatal(err)
	}
	before := hashOf(t, e, "a")
	if res, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: new(0.0)}); err != nil || res.Changed || hashOf(t, e, "a") != before {
		t.Errorf("a move that does nothing made another state: %v", err)
	}
	apply(t, e, "exposure", 1)
	apply(t, e, "exposure", 0)
	d, err := e.Diff(t.Context(), DiffParams{ImageID: "a", HashA: "baseline", HashB: "HEAD"})
	if err != nil || len(d.Changes) > 0 {
		t.Errorf("the same look without the raw's name differs: %+v, %v", d, err)
	}
	v, err := e.Verify(t.Context(), VerifyParams{ImageID: "a"})
	for _, f := range v.Findings {
		if f.Fault != "missing_raw" && f.Fault != "raw_missing" {
			t.Errorf("verify finds %+v", f)
		}
	}
	if err != nil {
		t.Error(err)
	}
	if read, err := e.ReadSidecar(t.Context(), ReadSidecarParams{ImageID: "a", RefOrHash: "baseline"}); err != nil || !strings.Contains(read.XMP, `DerivedFrom="moved.dng"`) {
		t.Errorf("the sidecar names %.400s, %v", read.XMP, err)
	}
}
