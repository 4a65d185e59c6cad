package prove_test

import (
	"bytes"
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
}
