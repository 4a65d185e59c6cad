package compose

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// start is a picture of 3000 by 2000 pixels that was not edited yet, with the
// packs that ship and the named pack folders. The developed picture is the whole
// raw.
func start(t *testing.T, version string, packs ...string) Start {
	t.Helper()
	sidecar, release, err := baseline.Parse(version)
	if err != nil {
		t.Fatal(err)
	}
	vocabulary, err := builtin()
	if len(packs) > 0 {
		vocabulary, err = load(packs...)
	}
	if err != nil {
		t.Fatal(err)
	}
	raw := mask.Size{Width: 3000, Height: 2000}
	return Start{
		Stack: stack.New(release, sidecar, sidecar), Vocabulary: vocabulary, Raw: raw, OpenMask: os.Open,
		Frame: func(context.Context, *xmp.Sidecar) (mask.Frame, error) { return mask.Whole(raw), nil },
	}
}

var builtin = sync.OnceValues(func() (*vocab.Vocabulary, error) { return load() })

// load reads the packs that ship and the named pack folders.
func load(packs ...string) (*vocab.Vocabulary, error) {
	sources, err := vocab.Builtin()
	if err != nil {
		return nil, err
	}
	for _, dir := range packs {
		sources = append(sources, vocab.Dir(dir))
	}
	vocabulary, failures := vocab.Load(sources...)
	return vocabulary, errors.Join(failures...)
}

func entry(t *testing.T, s Start, name string) *vocab.Entry {
	t.Helper()
	found, err := s.Vocabulary.Entry(name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestApplyChangesNothingOfTheStart(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"4.2.1", "5.4.1"} {
		s := start(t, version)
		before := s.Current.Hash()
		look, values, err := s.Apply(t.Context(), entry(t, s, "exposure"), vocab.Application{Value: new(1.0)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s.Current.Hash() != before || look.Hash() == before || len(values) != 1 {
			t.Errorf("%s: the look, or the start, is wrong; values %v", version, values)
		}
	}
}

func TestAMoveThatIsNotAvailableIsRefused(t *testing.T) {
	t.Parallel()
	s := start(t, "4.2.1")
	for _, move := range s.Vocabulary.List(vocab.Filter{}) {
		ok, reason := move.Available(s.Release)
		if ok {
			continue
		}
		_, _, err := s.Apply(t.Context(), move, vocab.Application{}, nil)
		if !errors.Is(err, fault.NotImplemented) || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", move.Name, err)
		}
		return
	}
	t.Error("every move works on darktable 4.2.1: this test needs another way to one that does not")
}

func TestAMaskIsRefusedBeforeItsFrameIsMeasured(t *testing.T) {
	t.Parallel()
	s := start(t, "5.4.1")
	measured := 0
	frame := s.Frame
	s.Frame = func(ctx context.Context, look *xmp.Sidecar) (mask.Frame, error) { measured++; return frame(ctx, look) }
	circle := func(radius float64) mask.Spec {
		return mask.Spec{Shapes: []mask.SpecShape{{Kind: mask.KindCircle, Radius: radius}}}
	}
	if _, err := s.Place(t.Context(), circle(0)); err == nil || measured != 0 {
		t.Errorf("a circle without area: %v, after %d measurements", err, measured)
	}
	if placed, err := s.Place(t.Context(), circle(0.1)); err != nil || measured != 1 || len(placed.Shapes) != 1 {
		t.Errorf("%d shapes, %d measurements, %v", len(placed.Shapes), measured, err)
	}
}

func TestOutlinesOfAFileComeBeforeItsShapes(t *testing.T) {
	t.Parallel()
	s := start(t, "5.4.1")
	file := filepath.Join(t.TempDir(), "mask.json")
	if err := os.WriteFile(file, []byte("[[0.2, 0.2], [0.8, 0.2], [0.5, 0.8]]"), 0o600); err != nil {
		t.Fatal(err)
	}
	spec := mask.Spec{File: file, Shapes: []mask.SpecShape{{Kind: mask.KindCircle, Radius: 0.1}}}
	placed, err := s.Place(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if len(placed.Shapes) != 2 {
		t.Fatalf("%d shapes, want an outline and a circle", len(placed.Shapes))
	}
	if _, ok := placed.Shapes[0].Shape.(mask.Path); !ok {
		t.Errorf("the first shape is %T", placed.Shapes[0].Shape)
	}
	if err := os.WriteFile(file, []byte("[[0.2, 0.2]]"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = s.Place(t.Context(), spec)
	if f, ok := errors.AsType[*fault.Error](err); !ok || f.Kind != fault.Masking || f.Details["file"] != file {
		t.Errorf("a file without an outline: %v", err)
	}
}

// looks is a pack with two looks that share a module.
const looks = `[
	{"name": "bright", "layer": "L2", "subject": "look", "description": "Brighter.", "tags": [],
	 "ops": [{"module": "exposure", "add": {"exposure": 1}}, {"module": "colorbalancergb", "add": {"vibrance": 0.2}}],
	 "claims": [{"measure": "luma_mean", "moves": "up"}]},
	{"name": "dark", "layer": "L2", "subject": "look", "description": "Darker.", "tags": [],
	 "ops": [{"module": "exposure", "add": {"exposure": -1}}],
	 "claims": [{"measure": "luma_mean", "moves": "down"}]}]`

func TestBindReplacesMovesOfTheLayer(t *testing.T) {
	t.Parallel()
	pack := t.TempDir()
	for name, content := range map[string]string{
		"pack.json": `{"name": "test", "version": "1.0.0", "description": "looks to bind"}`, "looks.json": looks,
	} {
		if err := os.WriteFile(filepath.Join(pack, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, "5.4.1", pack)
	dark, err := s.Bind(t.Context(), entry(t, s, "dark"))
	if err != nil {
		t.Fatal(err)
	}
	bound := s
	for _, name := range []string{"bright", "dark"} {
		if bound.Current, err = bound.Bind(t.Context(), entry(t, s, name)); err != nil {
			t.Fatal(err)
		}
	}
	if bound.Current.Hash() != dark.Hash() {
		t.Error("bright has left something behind")
	}
	bound.Vocabulary = start(t, "5.4.1").Vocabulary
	if _, err := bound.Bind(t.Context(), entry(t, s, "bright")); !errors.Is(err, fault.Synthesizer) {
		t.Errorf("without the pack of what is bound: %v", err)
	}
}

func TestSharpeningGrowsWithTheReduction(t *testing.T) {
	t.Parallel()
	s := start(t, "5.4.1")
	for size, want := range map[int]string{0: "2", 3000: "2", 1500: "4", 30: "99"} {
		look, err := s.Sharpened(t.Context(), size, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		entry, _ := look.Find("sharpen", "export")
		params, err := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
		if err != nil {
			t.Fatal(err)
		}
		radius, _ := params.Get("radius")
		amount, _ := params.Get("amount")
		if radius.String() != want || amount.String() != "0.25" || !entry.Enabled {
			t.Errorf("for %d pixels the radius is %s, want %s; amount %s", size, radius, want, amount)
		}
	}
}

// A reset keeps a starting look within a drawn mask, and no other mask.
func TestResetKeepsTheDrawnMaskOfALook(t *testing.T) {
	t.Parallel()
	s := start(t, "5.4.1")
	circle := &mask.Spec{Shapes: []mask.SpecShape{{Kind: "circle", Radius: 0.2}}}
	apply := func(name string) (err error) {
		var look *xmp.Sidecar
		if look, _, err = s.Apply(t.Context(), entry(t, s, name), vocab.Application{}, circle); err == nil {
			s.Current = look
		}
		return err
	}
	for _, look := range s.Vocabulary.List(vocab.Filter{Layer: vocab.L2}) {
		if apply(look.Name) == nil {
			break
		}
	}
	want := s.Current
	if len(Bound(want)) == 0 {
		t.Fatal("no look can be within a mask")
	}
	if err := apply("exposure"); err != nil {
		t.Fatal(err)
	}
	got, err := s.Reset(t.Context())
	if err != nil || got.Hash() != want.Hash() {
		t.Errorf("%v; have\n%s\nwant\n%s", err, got.Canonical(), want.Canonical())
	}
}

// What was bound by a pack that is not loaded any more stays while nothing else has
// changed its modules; and when it has, the error says what to do.
func TestResetKeepsWhatNoPackHasAnyMore(t *testing.T) {
	t.Parallel()
	s := start(t, "5.4.1")
	bound, err := s.Bind(t.Context(), entry(t, s, "prepare_noise_low_iso"))
	if err != nil {
		t.Fatal(err)
	}
	s.Current = bound
	s.Vocabulary, _ = vocab.Load()
	if got, err := s.Reset(t.Context()); err != nil || got.Hash() != bound.Hash() {
		t.Errorf("reset: %v", err)
	}
	if s.Current, err = s.Set(stack.Settings{Module: "denoiseprofile", Fields: []stack.Setting{{Name: "strength", Value: "2"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Reset(t.Context()); !errors.Is(err, fault.Synthesizer) || !strings.Contains(err.Error(), "layers drop") {
		t.Errorf("reset after set_parameters: %v", err)
	}
}

// A masker is asked for what the mask says, and for nothing else.
func TestARegionIsAskedForAsTheMaskSays(t *testing.T) {
	t.Parallel()
	corners := [][]float64{{0.1, 0.1}, {0.9, 0.1}, {0.5, 0.9}}
	for name, c := range map[string]struct {
		spec mask.Spec
		want mask.Request
	}{
		"a name":    {mask.Spec{Name: "sky"}, mask.Request{Meaning: mask.Sky}},
		"a point":   {mask.Spec{Points: []mask.SpecPoint{{X: 0.5, Y: 0.5}}}, mask.Request{Points: []mask.SpecPoint{{X: 0.5, Y: 0.5}}}},
		"a box":     {mask.Spec{Box: []float64{0, 0, 1, 0.5}}, mask.Request{Box: []float64{0, 0, 1, 0.5}}},
		"a polygon": {mask.Spec{Polygon: corners}, mask.Request{Outlines: [][][2]float64{{{0.1, 0.1}, {0.9, 0.1}, {0.5, 0.9}}}}},
	} {
		s := start(t, "5.4.1")
		var asked mask.Request
		s.Region = func(_ context.Context, r mask.Request) (Region, error) {
			asked = r
			return Region{}, errors.New("enough")
		}
		if _, err := s.Place(t.Context(), c.spec); err == nil {
			t.Errorf("%s: no masker was asked", name)
		}
		if diff := cmp.Diff(c.want, asked); diff != "" {
			t.Errorf("%s is asked for as (-want +got):\n%s", name, diff)
		}
	}
}

// A move that works on the sky asks for the sky, unless the caller says where.
func TestAMoveAsksForTheRegionThatItWorksOn(t *testing.T) {
	t.Parallel()
	point := mask.Spec{Points: []mask.SpecPoint{{X: 0.5, Y: 0.5}}}
	for name, c := range map[string]struct {
		given *mask.Spec
		want  []mask.Request
	}{
		"by itself":     {nil, []mask.Request{{Meaning: mask.Sky}}},
		"with a point":  {&point, []mask.Request{{Points: point.Points}}},
		"with a colour": {&mask.Spec{Name: "sky_blue"}, nil},
	} {
		s := start(t, "5.4.1")
		var asked []mask.Request
		s.Region = func(_ context.Context, r mask.Request) (Region, error) {
			asked = append(asked, r)
			return Region{}, errors.New("enough")
		}
		entry, err := s.Vocabulary.Entry("sky_darker")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.limit(t.Context(), entry, c.given); (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, asked); diff != "" {
			t.Errorf("%s it asks for (-want +got):\n%s", name, diff)
		}
	}
}

// Where the region that a move works on is not found, the move goes by colour and says so,
// in the instance that it would have had.
func TestAMoveWhoseRegionIsNotFoundGoesByColour(t *testing.T) {
	t.Parallel()
	s := start(t, "5.4.1")
	s.Sure = &Sureness{}
	s.Region = func(context.Context, mask.Request) (Region, error) {
		return Region{}, fault.New(fault.Masking, "there is none").With("nothing_found", true)
	}
	sky, err := s.Vocabulary.Entry("sky_darker")
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.limit(t.Context(), sky, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := s.limit(t.Context(), sky, &mask.Spec{Name: "sky_blue"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Mask, got.Mask); diff != "" || got.Key != "sky" {
		t.Errorf("the key is %q, and the mask (-want +got):\n%s", got.Key, diff)
	}
	if len(s.Sure.Warnings) != 1 || !strings.Contains(s.Sure.Warnings[0], "sky_darker went by colour") {
		t.Errorf("warnings: %q", s.Sure.Warnings)
	}
	if _, err := s.limit(t.Context(), sky, &mask.Spec{Name: "sky"}); err == nil {
		t.Error("the mask sky, which was asked for, was not refused")
	}
}
