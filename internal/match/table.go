package match

import (
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/version"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
)

// A Table says what moves do to colours: what a darktable makes of a chart of colours with
// an amount of one move, over the baseline. scripts/effects measures it.
type Table struct {
	// Darktable is the version that it was measured on, and Mapper names the tone mappers of
	// the baseline.
	Darktable, Mapper string
	// From are the colours of the chart without any move.
	From []colour.Lab
	// Effects are in the order of the pipeline.
	Effects []Effect
}

// An Effect is what an amount of one move does.
type Effect struct {
	Move string
	// Digest is the DevelopmentDigest of the move's entry, without which the effect says
	// nothing.
	Digest string
	// Amount is how far the move's number is from neutral, and Hue where its colour lies, in
	// degrees.
	Amount, Hue float64
	// To are the colours of the chart.
	To []colour.Lab
}

// packed is a table in a file: colours are in tenths, those of an effect as their
// differences.
type packed struct {
	Darktable string         `json:"darktable"`
	Mapper    string         `json:"mapper"`
	From      []int16        `json:"from"`
	Effects   []packedEffect `json:"effects"`
}

type packedEffect struct {
	Move   string  `json:"move"`
	Digest string  `json:"digest"`
	Amount float64 `json:"amount"`
	Hue    float64 `json:"hue,omitempty"`
	Change []int16 `json:"change"`
}

// fraction is what colours are counted in, in a table's file.
const fraction = 10

// flatten gives colours, less others, in whole fractions.
func flatten(colours, less []colour.Lab) []int16 {
	out := make([]int16, 0, 3*len(colours))
	for i, c := range colours {
		if less != nil {
			c = plus(c, less[i], -1)
		}
		for _, v := range [...]float64{c.L, c.A, c.B} {
			out = append(out, int16(math.Round(fraction*v)))
		}
	}
	return out
}

// colours undoes flatten.
func colours(flat []int16, more []colour.Lab) []colour.Lab {
	out := make([]colour.Lab, len(flat)/3)
	for i := range out {
		out[i] = colour.Lab{L: float64(flat[3*i]) / fraction, A: float64(flat[3*i+1]) / fraction, B: float64(flat[3*i+2]) / fraction}
		if more != nil {
			out[i] = plus(out[i], more[i], 1)
		}
	}
	return out
}

// Write writes a table's file.
func (t *Table) Write(w io.Writer) error {
	p := packed{Darktable: t.Darktable, Mapper: t.Mapper, From: flatten(t.From, nil)}
	from := colours(p.From, nil)
	for _, e := range t.Effects {
		p.Effects = append(p.Effects, packedEffect{e.Move, e.Digest, e.Amount, e.Hue, flatten(e.To, from)})
	}
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(z).Encode(p); err != nil {
		return err
	}
	return z.Close()
}

// ReadTable reads a table's file.
func ReadTable(r io.Reader) (*Table, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	const most = 64 << 20
	text, err := io.ReadAll(io.LimitReader(z, most))
	if err != nil {
		return nil, err
	}
	var p packed
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, err
	}
	t := &Table{Darktable: p.Darktable, Mapper: p.Mapper, From: colours(p.From, nil)}
	for _, e := range p.Effects {
		if len(e.Change) != len(p.From) || e.Amount == 0 {
			return nil, fmt.Errorf("the effect of %g of %s is damaged", e.Amount, e.Move)
		}
		t.Effects = append(t.Effects, Effect{e.Move, e.Digest, e.Amount, e.Hue, colours(e.Change, t.From)})
	}
	return t, nil
}

//go:embed tables
var tableFiles embed.FS

// tables are those that are built in, by their names, which are darktable's versions.
var tables = sync.OnceValues(func() (map[string]*Table, error) {
	files, err := tableFiles.ReadDir("tables")
	if err != nil {
		return nil, err
	}
	all := map[string]*Table{}
	for _, f := range files {
		file, err := tableFiles.Open("tables/" + f.Name())
		if err != nil {
			return nil, err
		}
		t, err := ReadTable(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		all[t.Darktable] = t
	}
	return all, nil
})

// tableFor is the table of a darktable, or else of the newest one before it, for an edit
// with the tone mappers of its baseline; nil when there is none.
func tableFor(darktable string, edit *xmp.Sidecar) *Table {
	all, err := tables()
	if err != nil {
		return nil
	}
	var best *Table
	for _, t := range all {
		if t.Mapper == MappersOf(edit) && !later(t.Darktable, darktable) && (best == nil || later(t.Darktable, best.Darktable)) {
			best = t
		}
	}
	return best
}

// later reports whether a version of darktable is later than another.
func later(a, b string) bool {
	of, okay := version.Parse(a)
	than, both := version.Parse(b)
	return okay && both && of.Compare(than) > 0
}

// MappersOf names the tone mappers that an edit uses.
func MappersOf(edit *xmp.Sidecar) string {
	var used []string
	for _, operation := range [...]string{"agx", "basecurve", "filmic", "filmicrgb", "sigmoid"} {
		if e, ok := edit.Find(operation, ""); ok && e.Enabled {
			used = append(used, operation)
		}
	}
	slices.Sort(used)
	return strings.Join(used, " ")
}

// A Trial is an amount of a move that is measured.
type Trial struct {
	Values      map[string]float64
	Amount, Hue float64
}

// Measurable are the amounts of a move whose effects make a table: on both sides of
// neutral less and more than its default, and of a move with a hue those in four
// directions. There are none of moves that cannot be matched.
func Measurable(entry *vocab.Entry) (all []Trial) {
	axes, ok := axesOf(entry)
	if !ok {
		return nil
	}
	a, first := axes[0], entry.Parameters[0]
	for _, times := range [...]float64{-2.2, -0.8, 0.8, 2.2} {
		amount := tidy(min(max(times*a.step, a.low), a.high))
		if amount == 0 || a.toned && times < 0 || len(all) > 0 && all[len(all)-1].Amount == amount {
			continue
		}
		hues := []float64{0}
		if a.toned {
			hues = []float64{0, 90, 180, 270}
		}
		for _, hue := range hues {
			values := map[string]float64{first.Name: tidy(first.Neutral + amount)}
			if a.toned {
				values[entry.Parameters[1].Name] = hue
			}
			all = append(all, Trial{values, amount, hue})
		}
	}
	return all
}
