package chemigram

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/chemigram/chemigram/internal/notebook"
	"github.com/chemigram/chemigram/internal/pattern"
	"github.com/chemigram/chemigram/internal/transcript"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Rule is what may be said with one of the shared words, or with a type of an
// embedding program that has a method Rule() Rule. The engine and the tools of a
// server check parameters with it, and a schema of the parameters is made of it.
type Rule struct {
	// Minimum and Maximum bound a number; nil is no bound.
	Minimum, Maximum *float64
	// Pattern is a regular expression that a text matches; with ^ and $ the whole of it.
	Pattern string
	// Enum lists the texts that are allowed, or the numbers in decimal digits.
	Enum []string
	// Says is the rule in words, for messages.
	Says string
}

// AllowsText reports whether a text obeys the rule.
func (r Rule) AllowsText(text string) bool {
	return (r.Enum == nil || slices.Contains(r.Enum, text)) && (r.Pattern == "" || pattern.Compile(r.Pattern).MatchString(text))
}

// AllowsNumber reports whether a number obeys the rule. One that is infinite or none
// obeys no rule.
func (r Rule) AllowsNumber(f float64) bool {
	return !math.IsNaN(f) && !math.IsInf(f, 0) && (r.Minimum == nil || f >= *r.Minimum) && (r.Maximum == nil || f <= *r.Maximum) &&
		(r.Enum == nil || slices.Contains(r.Enum, strconv.FormatFloat(f, 'f', -1, 64)))
}

// Rules gives the rule of every shared word, by its type. The map is the
// caller's own.
func Rules() map[reflect.Type]Rule {
	out := make(map[reflect.Type]Rule, len(rules))
	maps.Copy(out, rules)
	return out
}

const (
	labelPattern = `[A-Za-z0-9]([A-Za-z0-9 _-]{0,38}[A-Za-z0-9_-])?`
	timePattern  = `\d{4}-\d\d-\d\d([T ]\S{5,29})?`
)

var rules = map[reflect.Type]Rule{
	reflect.TypeFor[ImageID]():        matching(workspace.IDPattern, "a letter or digit, then up to 127 letters, digits, '.', '_' or '-'"),
	reflect.TypeFor[RemoteName]():     matching(workspace.RemotePattern, "a lower-case letter or digit, then up to 39 of them, '-' or '_'"),
	reflect.TypeFor[RefOrHash]():      matching(`[^\x00-\x20\x7f]{1,255}`, "a branch, tag or hash, also with ~N"),
	reflect.TypeFor[Size]():           between(16, 16384, "16 to 16384 pixels"),
	reflect.TypeFor[TimeoutSeconds](): between(1, 3600, "1 to 3600 seconds"),
	reflect.TypeFor[Limit]():          between(1, 500, "1 to 500"),
	reflect.TypeFor[Offset]():         atLeast(0, "0 or more"),
	reflect.TypeFor[Layer]():          oneOf("L1", "L2", "L3"),
	reflect.TypeFor[Strength]():       between(0, 1, "0 to 1"),
	reflect.TypeFor[PreviewQuality](): oneOf(string(QualityDraft), string(QualityFine), string(QualityExact)),
	reflect.TypeFor[Format]():         oneOf(render.Formats()...),
	reflect.TypeFor[Metadata]():       oneOf(string(render.KeepMetadata), string(render.StripLocation), string(render.StripAll)),
	reflect.TypeFor[ColorSpace]():     oneOf(render.ColorSpaces()...),
	reflect.TypeFor[Fraction]():       between(0, 1, "0 to 1"),
	reflect.TypeFor[ResetLayers]():    oneOf(string(KeepLayers), string(DropLayers)),
	reflect.TypeFor[Side]():           oneOf(string(Ours), string(Theirs)),
	reflect.TypeFor[TrashName]():      matching(workspace.TrashNamePattern, "a name that list_trash gives"),
	reflect.TypeFor[SessionID]():      matching(transcript.IDPattern, "a session id that list_transcripts gives"),
	reflect.TypeFor[Days]():           between(0, 36500, "0 to 36500 days"),
	reflect.TypeFor[Time]():           matching(timePattern, "2026-10-01 or 2026-10-01T18:30:00Z"),
	reflect.TypeFor[TasteCategory]():  oneOf(notebook.Categories()...),
	reflect.TypeFor[Satisfaction]():   {Enum: []string{"-1", "0", "1"}, Says: "-1, 0 or 1"},
	reflect.TypeFor[Rating]():         between(-1, 5, "-1 to 5 stars; -1 is rejected"),
	reflect.TypeFor[ColorLabel]():     oneOf(workspace.ColorLabels()...),
	reflect.TypeFor[Percent]():        between(1, 100, "1 to 100"),
	reflect.TypeFor[MatchPart]():      oneOf("white_balance", "exposure", "contrast"),
	reflect.TypeFor[MoveCount]():      between(1, 16, "1 to 16 moves"),
	reflect.TypeFor[RenderCount]():    between(8, 96, "8 to 96 drafts"),
	reflect.TypeFor[BitDepth]():       {Enum: []string{"8", "10", "12", "16", "32"}, Says: "8, 10, 12, 16 or 32"},

	reflect.TypeFor[mask.SpotKind]():    oneOf(texts(mask.SpotKinds())...),
	reflect.TypeFor[SpotID]():           atLeast(1, "1 or more"),
	reflect.TypeFor[mask.Share]():       between(0, 1, "0 to 1"),
	reflect.TypeFor[mask.Label]():       matching(labelPattern, "40 letters, digits, blanks, hyphens and underscores at most"),
	reflect.TypeFor[mask.ShapeKind]():   oneOf(texts(mask.ShapeKinds())...),
	reflect.TypeFor[mask.Op]():          oneOf(texts(mask.Ops())...),
	reflect.TypeFor[mask.Combination](): oneOf(string(mask.All), string(mask.Any)),
	reflect.TypeFor[mask.Channel]():     oneOf(texts(mask.SpecChannels())...),
}

// texts are words as plain texts.
func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, word := range list {
		out[i] = string(word)
	}
	return out
}

func matching(whole, says string) Rule {
	return Rule{Pattern: "^" + whole + "$", Says: says}
}

func between(low, high float64, says string) Rule {
	return Rule{Minimum: &low, Maximum: &high, Says: says}
}

func atLeast(low float64, says string) Rule { return Rule{Minimum: &low, Says: says} }

func oneOf(words ...string) Rule { return Rule{Enum: words, Says: "one of " + join(words)} }
