// Command train makes model.bin, by which package segment tells sky, plants,
// water, skin and subjects apart, from a folder of photographs with drawn regions.
//
//	go run ./internal/segment/train -photos ../shared/data/photos -out internal/segment/model.bin
//
// It also says how well forests do on photographs that they were not trained with,
// and without -out it does that alone. The same photographs give the same file.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/chemigram/chemigram/internal/segment"
)

// options are what the command is asked to do.
type options struct {
	photos, out, likelihoods string
	folds, variants, every   int
	measured, pointing       bool
}

func main() {
	log.SetFlags(log.Ltime)
	var o options
	flag.StringVar(&o.photos, "photos", "../shared/data/photos", "`folder` of photographs and regions")
	flag.StringVar(&o.out, "out", "", "`file` to write the forests to")
	flag.StringVar(&o.likelihoods, "likelihoods", "", "`file` that keeps what forests say of photographs that they have not seen")
	flag.IntVar(&o.folds, "folds", 3, "into how many parts photographs are divided for cross-validation")
	flag.IntVar(&o.variants, "variants", 1, "how many altered versions of each photograph there are")
	flag.IntVar(&o.every, "every", 1, "measure pointing at one of so many regions")
	flag.BoolVar(&o.measured, "measure", true, "say how well regions are found in photographs that forests have not seen")
	flag.BoolVar(&o.pointing, "pointing", true, "train and measure the forest of points, boxes and outlines, too")
	flag.Parse()
	if err := o.run(); err != nil {
		log.Fatal(err)
	}
}

// An example is one version of one photograph.
type example struct {
	*photo
	fold     int
	original bool
	scene    *segment.Scene
	// share of each superpixel that lies in a region of each category, or -1.
	shares [][]float64
	// planes are the regions, by category.
	planes map[string]segment.Plane
}

func (o options) run() error {
	photos, err := readPhotos(o.photos)
	if err != nil {
		return err
	}
	slices.SortFunc(photos, func(a, b photo) int { return strings.Compare(a.id, b.id) })
	examples := measure(photos, o.folds, o.variants)
	log.Printf("%d photographs, %d examples", len(photos), len(examples))
	model, likely, err := o.categories(examples)
	if err != nil {
		return err
	}
	var originals []*example
	var said [][][]float64
	for i, e := range examples {
		if e.original {
			originals, said = append(originals, e), append(said, likely[i])
		}
	}
	unseen := newModels(o.folds)
	var pointed []*target
	if o.pointing {
		pointed = targets(originals, said)
		model.Hints, unseen = trainPointing(pointed, o.folds)
		model.Border = trainBorder(pointed, unseen)
	}
	if err := o.write(model); err != nil || !o.measured {
		return err
	}
	list(measureNamed(originals, said, unseen))
	measurePointing(pointed, unseen, o.every)
	return nil
}

// newModels are models of folds, which have not seen the photographs of theirs.
func newModels(folds int) []*segment.Model {
	out := make([]*segment.Model, folds)
	for fold := range out {
		out[fold] = &segment.Model{}
	}
	return out
}

// write writes the model, when it is asked for.
func (o options) write(model *segment.Model) error {
	if o.out == "" {
		return nil
	}
	return os.WriteFile(o.out, model.Bytes(), 0o644)
}

// categories trains the forests of categories, and gives what others, which have not
// seen an example's photograph, say of it.
func (o options) categories(examples []*example) (*segment.Model, [][][]float64, error) {
	model := &segment.Model{}
	likely, err := readLikelihoods(o.likelihoods, len(examples))
	if err != nil || likely != nil && o.out == "" {
		return model, likely, err
	}
	said := crossed(examples, o.folds, func(without int) func(*example) [][]float64 {
		trained := heads(examples, without)
		return func(e *example) [][]float64 { return e.scene.Ask(trained) }
	})
	report(examples, said, "heads")
	own := func(e *example) [][]float32 { return e.scene.Features() }
	grown := func(features func(*example) [][]float32, how growth, seed uint64) [][][]float64 {
		return crossed(examples, o.folds, func(without int) func(*example) [][]float64 {
			trained := forests(examples, without, features, how, seed)
			return func(e *example) [][]float64 { return segment.Evaluate(trained, features(e)) }
		})
	}
	first := together(grown(own, firstGrowth, 100), said)
	report(examples, first, "first")
	features := make(map[*example][][]float32, len(examples))
	parallel(len(examples), func(i int) [][]float32 { return examples[i].scene.WithContext(first[i]) },
		func(i int, f [][]float32) { features[examples[i]] = f })
	both := func(e *example) [][]float32 { return features[e] }
	likely = together(grown(both, secondGrowth, 200), said)
	report(examples, likely, "second")
	if err := writeLikelihoods(o.likelihoods, likely); err != nil || o.out == "" {
		return model, likely, err
	}
	model.Heads = heads(examples, -1)
	model.First = forests(examples, -1, own, firstGrowth, 300)
	model.Second = forests(examples, -1, both, secondGrowth, 400)
	return model, likely, nil
}

var (
	firstGrowth  = growth{trees: 90, rate: 0.13, features: 0.25, examples: 0.4, stiffness: 5, leafWeight: 8}
	secondGrowth = growth{trees: 70, rate: 0.13, features: 0.25, examples: 0.4, stiffness: 6, leafWeight: 10}
)

// parallel calls work for 0 to n-1 on all CPUs, and done with each result, one at a
// time.
func parallel[T any](n int, work func(i int) T, done func(i int, result T)) {
	var mu sync.Mutex
	var group sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := range next {
				result := work(i)
				mu.Lock()
				done(i, result)
				mu.Unlock()
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
}

// measure makes the examples.
func measure(photos []photo, folds, variants int) []*example {
	examples := make([]*example, len(photos)*(1+variants))
	order := rand.New(rand.NewPCG(7, 7)).Perm(len(photos))
	parallel(len(examples), func(i int) *example {
		p, version := &photos[i/(1+variants)], i%(1+variants)
		c := change{box: p.picture.Bounds()}
		picture := p.picture
		if version > 0 {
			c = randomChange(rand.New(rand.NewPCG(uint64(i), 3)), p.picture.Bounds())
			picture = c.picture(p.picture)
		}
		e := &example{photo: p, fold: order[i/(1+variants)] % folds, original: version == 0}
		scene, err := segment.NewScene(picture)
		if err != nil {
			log.Fatal(err)
		}
		e.scene = scene
		e.planes = map[string]segment.Plane{}
		for name, m := range e.regions {
			e.planes[name] = c.region(m, scene.Picture)
		}
		e.shares = e.label()
		return e
	}, func(i int, e *example) { examples[i] = e })
	return examples
}

// apart names categories of which one place cannot be both.
var apart = map[segment.Category][]segment.Category{
	segment.Sky:     {segment.Plants, segment.Water, segment.Skin, segment.Person, segment.Subject},
	segment.Plants:  {segment.Sky, segment.Water, segment.Skin, segment.Person},
	segment.Water:   {segment.Plants, segment.Sky, segment.Skin, segment.Person, segment.Subject},
	segment.Skin:    {segment.Plants, segment.Sky, segment.Water},
	segment.Person:  {segment.Plants, segment.Sky, segment.Water},
	segment.Subject: {segment.Sky, segment.Water},
}

// label gives the share of each superpixel in each category, where it is known: in
// photographs with a region of the category, or with nothing of it, and within
// regions of what cannot be it.
func (e *example) label() [][]float64 {
	within := map[segment.Category][]float64{}
	for name, plane := range e.planes {
		within[segment.Category(name)] = e.scene.Shares(plane)
	}
	var out [][]float64
	for _, category := range segment.Categories() {
		shares := within[category]
		if shares == nil {
			shares = make([]float64, e.scene.Len())
			if !slices.Contains(absent[string(category)], e.id) {
				for k := range shares {
					shares[k] = -1
					for _, other := range apart[category] {
						if s := within[other]; s != nil && s[k] > 0.9 {
							shares[k] = 0
						}
					}
				}
			}
		}
		out = append(out, shares)
	}
	return out
}

// weights are how much each superpixel counts in a category: its part of the area of
// the region, for what is missed or added counts in relation to that.
func (e *example) weights(category int) []float32 {
	area, whole := 0.0, 0.0
	for k, share := range e.shares[category] {
		area += max(share, 0) * float64(e.scene.Pixels(k))
		whole += float64(e.scene.Pixels(k))
	}
	part := 1.0
	if area == 0 {
		area, part = whole/4, 0.2 // whether a region is there at all is decided later
	}
	out := make([]float32, e.scene.Len())
	for k, share := range e.shares[category] {
		if share >= 0 {
			out[k] = float32(part * float64(e.scene.Pixels(k)) / (area + whole/10))
		}
	}
	return out
}

// oneIn is how many superpixels there are for each that forests learn from: its
// neighbours tell them little more.
const oneIn = 3

// A row is a superpixel of an example.
type row struct {
	*example
	k int
}

// forests trains one for each category, without the examples of a fold.
func forests(examples []*example, without int, features func(*example) [][]float32, o growth, seed uint64) []segment.Forest {
	var rows [][]float32
	var chosen []row
	rng := rand.New(rand.NewPCG(seed, 2))
	for _, e := range examples {
		if e.fold == without {
			continue
		}
		for k, f := range features(e) {
			if rng.IntN(oneIn) == 0 {
				rows, chosen = append(rows, f), append(chosen, row{e, k})
			}
		}
	}
	t := newTable(rows)
	out := make([]segment.Forest, len(segment.Categories()))
	parallel(len(out), func(c int) segment.Forest {
		weighed := map[*example][]float32{}
		labels, weights := make([]float32, len(chosen)), make([]float32, len(chosen))
		for i, r := range chosen {
			if weighed[r.example] == nil {
				weighed[r.example] = r.weights(c)
			}
			labels[i], weights[i] = float32(max(r.shares[c][r.k], 0)), weighed[r.example][r.k]
		}
		return t.grow(labels, weights, o, seed+uint64(c))
	}, func(c int, f segment.Forest) { out[c] = f })
	return out
}

// crossed gives what is said of each example by what was trained without the examples of
// its fold.
func crossed(examples []*example, folds int, train func(without int) func(*example) [][]float64) [][][]float64 {
	out := make([][][]float64, len(examples))
	for fold := range folds {
		ask := train(fold)
		parallel(len(examples), func(i int) [][]float64 {
			if examples[i].fold != fold {
				return nil
			}
			return ask(examples[i])
		}, func(i int, likely [][]float64) {
			if likely != nil {
				out[i] = likely
			}
		})
		log.Printf("fold %d of %d", fold+1, folds)
	}
	return out
}

// together are likelihoods of examples between those of a and b.
func together(a, b [][][]float64) [][][]float64 {
	out := make([][][]float64, len(a))
	for i := range a {
		out[i] = segment.Together(a[i], b[i])
	}
	return out
}

// report says how well superpixels are told apart: how much of regions and of the
// superpixels above a likelihood is common to both, in the mean of the photographs.
func report(examples []*example, likely [][][]float64, stage string) {
	for c, category := range segment.Categories() {
		fmt.Printf("%-6s %-8s", stage, category)
		for _, at := range []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6} {
			var all []float64
			for i, e := range examples {
				if e.original && e.planes[string(category)] != nil {
					all = append(all, e.shared(c, likely[i][c], at))
				}
			}
			fmt.Printf("  above %.1f %.3f", at, average(all))
		}
		fmt.Println()
	}
}

// shared is what the superpixels above a likelihood and the region have in common.
func (e *example) shared(category int, likely []float64, above float64) float64 {
	both, either := 0.0, 0.0
	for k, p := range likely {
		size, share := float64(e.scene.Pixels(k)), e.shares[category][k]
		if p > above {
			both += size * share
			either += size
		} else {
			either += size * share
		}
	}
	return both / either
}
