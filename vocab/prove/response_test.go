package prove_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
)

var writeResponses = flag.String("responses", "", "measure the responses of the moves that match, and write them into the packs")

// TestResponsesAreWhatTheyWere measures the responses of some moves again. The packs have
// what the newest supported darktable gave.
func TestResponsesAreWhatTheyWere(t *testing.T) {
	r := newRenderer(t, testutil.AnyDarktable(t))
	if r.release.Version()[0] == '4' {
		t.Skip("the packs' responses are those of darktable 5")
	}
	entries := builtin(t).List(vocab.Filter{})
	if only := *writeResponses; only != "" {
		wanted := regexp.MustCompile("^(" + only + ")$")
		entries = slices.DeleteFunc(entries, func(e *vocab.Entry) bool { return !wanted.MatchString(e.Name) })
	} else {
		entries = slices.DeleteFunc(entries, func(e *vocab.Entry) bool { return !e.Responds() })
		testutil.Random(t).Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		entries = entries[:min(3, len(entries))]
	}
	found, err := prove.Responses(t.Context(), prove.VerifyParams{Entries: entries, Renderer: r, Target: r.release})
	if err != nil {
		t.Fatal(err)
	}
	if *writeResponses != "" {
		write(t, entries, found)
		return
	}
	for _, f := range found {
		e, err := builtin(t).Entry(f.Entry)
		if err != nil {
			t.Fatal(err)
		}
		was, _ := e.Response(f.Parameter)
		t.Logf("%s %s: %+v, in the pack %+v", f.Entry, f.Parameter, f.Response, was)
		if !near(f.Above, was.Above) || !near(f.Below, was.Below) {
			t.Errorf("%s %s: %+v, and the pack says %+v; measure them anew with make responses", f.Entry, f.Parameter, f.Response, was)
		}
	}
}

// measuredPath says, for each entry with a response, of what it was measured.
const measuredPath = "testdata/responses.json"

// Responses are those of the moves as they are: what a move does, its parameters and the
// scenes of its claims have not changed since.
func TestResponsesAreOfTheMovesAsTheyAre(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(measuredPath)
	var was map[string]string
	if err == nil {
		err = json.Unmarshal(data, &was)
	}
	if err != nil {
		t.Fatal(err)
	}
	is := sums(t)
	for _, e := range builtin(t).List(vocab.Filter{}) {
		if e.Responds() && was[e.Name] != is[e.Name] {
			t.Errorf("%s is not what its response was measured of; measure it anew with make responses MOVES=%[1]s", e.Name)
		}
		if !e.Responds() {
			delete(is, e.Name)
		}
	}
	for name := range was {
		if is[name] == "" {
			t.Errorf("%s names %s, which has no response", measuredPath, name)
		}
	}
}

// sums gives, for each entry, the beginning of a SHA-256 of what its response depends on:
// what it develops, how far its parameters go, and the scenes of its claims.
func sums(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, e := range builtin(t).List(vocab.Filter{}) {
		scenes, ranges := map[vocab.Scene]bool{}, [][2]float64{}
		for _, c := range e.Claims {
			scenes[cmp.Or(c.Scene, vocab.Natural)] = true
		}
		for _, p := range e.Parameters {
			ranges = append(ranges, [2]float64{p.Min, p.Max})
		}
		data, err := json.Marshal([]any{e.DevelopmentDigest(), ranges, scenes})
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		all[e.Name] = hex.EncodeToString(sum[:6])
	}
	return all
}

func amounts(e *vocab.Entry) []string {
	var names []string
	for _, p := range e.Amounts() {
		names = append(names, p.Name)
	}
	return names
}

// near allows for what another build of darktable does to a picture.
func near(a, b float64) bool { return a == b || a < 1.6*b && b < 1.6*a }

// write puts the responses of entries into their packs, a line for each, and leaves those
// of the others.
func write(t *testing.T, measured []*vocab.Entry, all []prove.Response) {
	t.Helper()
	for _, e := range builtin(t).List(vocab.Filter{}) {
		for _, name := range append([]string{vocab.StrengthName}, amounts(e)...) {
			anew := slices.ContainsFunc(measured, func(m *vocab.Entry) bool { return m.Name == e.Name })
			if r, ok := e.Response(name); ok && !anew {
				all = append(all, prove.Response{Entry: e.Name, Parameter: name, Response: r})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b prove.Response) int { return strings.Compare(a.Entry, b.Entry) })
	lines := map[string][][]byte{}
	for _, r := range all {
		e, err := builtin(t).Entry(r.Entry)
		if err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		lines[e.Pack.Name] = append(lines[e.Pack.Name], append([]byte("  "), line...))
	}
	for pack, list := range lines {
		data := append([]byte("[\n"), bytes.Join(list, []byte(",\n"))...)
		if err := os.WriteFile(filepath.Join("..", "packs", pack, "responses.json"), append(data, "\n]\n"...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	writeMeasured(t, measured, all)
}

// writeMeasured keeps of what responses were measured.
func writeMeasured(t *testing.T, measured []*vocab.Entry, responses []prove.Response) {
	t.Helper()
	was := map[string]string{}
	data, err := os.ReadFile(measuredPath)
	if err == nil {
		err = json.Unmarshal(data, &was)
	}
	if err != nil {
		t.Fatal(err)
	}
	now, all := sums(t), map[string]string{}
	for _, r := range responses {
		all[r.Entry] = was[r.Entry]
		if slices.ContainsFunc(measured, func(e *vocab.Entry) bool { return e.Name == r.Entry }) {
			all[r.Entry] = now[r.Entry]
		}
	}
	data, err = json.MarshalIndent(all, "", "  ")
	if err == nil {
		err = os.WriteFile(measuredPath, append(data, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
