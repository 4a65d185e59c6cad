package chemigram

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/xmp/iop"
)

// another is one instance of exposure as darktable's own window makes it: with a name
// that others may have, or none.
type another struct {
	name   string
	number int
	ev     float64
}

// withInstances is the packet of a baseline with further instances of exposure, as
// darktable writes one.
func withInstances(t *testing.T, version string, instances ...another) string {
	t.Helper()
	release, err := iop.ReleaseFor(version)
	if err != nil {
		t.Fatal(err)
	}
	sidecar, _, err := baseline.Parse(version)
	if err != nil {
		t.Fatal(err)
	}
	text := string(baseline.Packet(version))
	end := sidecar.HistoryEnd()
	orderVersion, _ := sidecar.Property("darktable:iop_order_version")
	number, _ := strconv.Atoi(orderVersion)
	order, ok := release.BuiltinOrder(number)
	if !ok {
		t.Fatalf("no order %q", orderVersion)
	}
	var entries strings.Builder
	for i, in := range instances {
		params, err := release.Defaults("exposure")
		if err != nil {
			t.Fatal(err)
		}
		if params, err = params.With("exposure", iop.Number(in.ev)); err != nil {
			t.Fatal(err)
		}
		if order, err = order.Insert("exposure", in.number); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&entries, `<rdf:li darktable:num="%d" darktable:operation="exposure" darktable:enabled="1" darktable:modversion="%d" `+
			`darktable:params="%s" darktable:multi_name="%s" darktable:multi_priority="%d"/>`,
			end+i, params.Modversion(), hex.EncodeToString(params.Encode()), in.name, in.number)
	}
	history := strings.Index(text, "<darktable:history>")
	at := history + strings.Index(text[history:], "</rdf:Seq>")
	text = text[:at] + entries.String() + text[at:]
	return strings.Replace(text, fmt.Sprintf(`history_end="%d"`, end),
		fmt.Sprintf(`history_end="%d" darktable:iop_order_list=%q`, end+len(instances), order), 1)
}

func importText(t *testing.T, e *Engine, id ImageID, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "theirs.xmp")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := e.ImportSidecar(t.Context(), ImportSidecarParams{ImageID: id, Path: path}); err != nil {
		t.Fatal(err)
	}
}

// exposures lists the instances of exposure, beside the base, with their stops.
func exposures(t *testing.T, e *Engine, id ImageID, ref RefOrHash) []string {
	t.Helper()
	res, err := e.DescribeState(t.Context(), DescribeStateParams{ImageID: id, RefOrHash: ref})
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, m := range res.Modules {
		if m.Module != "exposure" || m.Instance == "" {
			continue
		}
		i := slices.IndexFunc(m.Fields, func(f FieldState) bool { return f.Name == "exposure" })
		list = append(list, m.Instance+" "+m.Fields[i].Value)
	}
	return list
}

func wantExposures(t *testing.T, e *Engine, id ImageID, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, exposures(t, e, id, "")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", id, diff)
	}
}

func TestInstancesWithoutANameOfTheirOwnAreToldApartByTheirNumber(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	add(t, e, "b", "5.4.1")
	importText(t, e, "a", withInstances(t, "5.4.1",
		another{"", 1, 0.1}, another{"", 2, 0.2}, another{"x", 3, 0.3}, another{"x", 4, 0.4}, another{"y", 5, 0.5}))
	wantExposures(t, e, "a", "#1 0.1", "#2 0.2", "x #3 0.3", "x #4 0.4", "y 0.5")

	mustSet(t, e, "exposure", "#2", "exposure", "1.2")
	mustSet(t, e, "exposure", "x #3", "exposure", "1.3")
	mustSet(t, e, "exposure", "y", "exposure", "1.5")
	wantExposures(t, e, "a", "#1 0.1", "#2 1.2", "x #3 1.3", "x #4 0.4", "y 1.5")
	for _, unknown := range []string{"#9", "x", "y #5"} {
		if _, err := set(t, e, "exposure", unknown, "exposure", "1"); err == nil {
			t.Errorf("%q, which is no instance, was set", unknown)
		}
	}

	if _, err := e.PropagateState(t.Context(), PropagateStateParams{ImageID: "a", Targets: []ImageID{"b"}}); err != nil {
		t.Fatal(err)
	}
	wantExposures(t, e, "b", "#1 0.1", "#2 1.2", "x #3 1.3", "x #4 0.4", "y 1.5")

	if _, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: "exposure:#1"}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: "exposure:x #4"}); err != nil {
		t.Fatal(err)
	}
	wantExposures(t, e, "a", "#2 1.2", "x 1.3", "y 1.5")
	if _, err := e.PropagateState(t.Context(), PropagateStateParams{ImageID: "a", Targets: []ImageID{"b"}}); err != nil {
		t.Fatal(err)
	}
	wantExposures(t, e, "b", "#2 1.2", "x 1.3", "y 1.5")
}

func TestAnInstanceWithoutANameMeetsANamedOneOfItsNumber(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	add(t, e, "b", "5.4.1")
	if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{
		ImageID: "b", PrimitiveName: "exposure", Value: new(1.0), Mask: &Mask{Name: "shadows"},
	}); err != nil {
		t.Fatal(err)
	}
	masked := exposures(t, e, "b", "")
	if len(masked) != 1 {
		t.Fatalf("b has %v", masked)
	}
	importText(t, e, "a", withInstances(t, "5.4.1", another{"", 1, 0.1}, another{"", 2, 0.2}))
	// Masked moves of the target stay where masks are not copied.
	if _, err := e.PropagateState(t.Context(), PropagateStateParams{ImageID: "a", Targets: []ImageID{"b"}}); err != nil {
		t.Fatal(err)
	}
	if got := exposures(t, e, "b", ""); len(got) != 3 {
		t.Errorf("b has %v; want its own and both of the source", got)
	}
}

func TestAMergeKeepsTwoInstancesOfOneName(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	onBranch(t, e, "theirs", func() {
		importText(t, e, "a", withInstances(t, "5.4.1", another{"x", 1, 0.1}, another{"x", 2, 0.2}, another{"", 3, 0.3}, another{"", 4, 0.4}))
	})
	mustSet(t, e, "exposure", "", "black", "0.01")
	if res := merge(t, e, MergeParams{RefOrHash: "theirs"}); len(res.Conflicts) > 0 {
		t.Fatalf("conflicts %+v", res.Conflicts)
	}
	wantExposures(t, e, "a", "x #1 0.1", "x #2 0.2", "#3 0.3", "#4 0.4")
	mustSet(t, e, "exposure", "#3", "exposure", "3")
	d, err := e.Diff(t.Context(), DiffParams{ImageID: "a", HashA: "theirs", HashB: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, c := range d.Changes {
		names = append(names, string(c.Kind)+" "+c.Module+":"+c.Instance)
	}
	if diff := cmp.Diff([]string{"changed exposure:", "changed exposure:#3"}, names); diff != "" {
		t.Errorf("the diff (-want +got):\n%s", diff)
	}
}
