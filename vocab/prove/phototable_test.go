package prove_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
)

// photographsHead begins the part of docs/VOCABULARY.md about photographs, its last.
const photographsHead = "\n## On photographs\n"

// photographsPart is that part as it is.
func photographsPart(t *testing.T) string {
	t.Helper()
	doc, err := os.ReadFile(tablePath)
	if err != nil {
		t.Fatal(err)
	}
	_, part, found := strings.Cut(string(doc), photographsHead)
	if !found {
		return ""
	}
	return photographsHead + part
}

// writePhotographs writes what was found on photographs: the table and the record.
func writePhotographs(t *testing.T, words *vocab.Vocabulary, found record, proofs map[string][]prove.Proof) {
	t.Helper()
	doc, err := os.ReadFile(tablePath)
	if err != nil {
		t.Fatal(err)
	}
	scenes, _, _ := strings.Cut(string(doc), photographsHead)
	if err := os.WriteFile(tablePath, []byte(scenes+photographsTable(words, len(found.Photographs), proofs)), 0o644); err != nil {
		t.Fatal(err)
	}
	writeRecord(t, found)
}

// writeLines writes the lines of some moves anew, each in its place, and the record. The
// photographs and the darktables have to be those of the table.
func writeLines(t *testing.T, entries []*vocab.Entry, r record, proofs map[string][]prove.Proof) {
	t.Helper()
	if *photographCount != len(r.Photographs) || len(proofs) != len(r.Exceptions) {
		t.Fatalf("the table has %d photographs and %d darktables, these are %d and %d", len(r.Photographs), len(r.Exceptions), *photographCount, len(proofs))
	}
	doc, err := os.ReadFile(tablePath)
	if err != nil {
		t.Fatal(err)
	}
	scenes, part, _ := strings.Cut(string(doc), photographsHead)
	for _, e := range entries {
		var line strings.Builder
		photographsLine(&line, e.Name, slices.Sorted(maps.Keys(proofs)), proofs)
		before, rest, found := strings.Cut(part, "\n| "+e.Name+" |")
		_, rest, ended := strings.Cut(rest, "\n")
		if !found || !ended {
			t.Fatalf("%s is not among the moves on photographs yet: run it for all", e.Name)
		}
		part = before + "\n" + line.String() + rest
	}
	if err := os.WriteFile(tablePath, []byte(scenes+photographsHead+part), 0o644); err != nil {
		t.Fatal(err)
	}
	writeRecord(t, r)
}

func writeRecord(t *testing.T, r record) {
	t.Helper()
	var data bytes.Buffer
	e := json.NewEncoder(&data)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(r); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(recordPath, data.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// photographsTable has a line for each move of taste.
func photographsTable(words *vocab.Vocabulary, count int, proofs map[string][]prove.Proof) string {
	var b strings.Builder
	versions := slices.Sorted(maps.Keys(proofs))
	b.WriteString(photographsHead)
	fmt.Fprintf(&b, `
Written by `+"`make photographs ARGS=-update`"+`: every move of taste on %d photographs of people, animals, plants, buildings, skies and water, which are not of this project. Each was made into a raw: its light was spread over the pattern of a sensor, through the colour matrix and the levels of a Nikon D800, a Pentax K100D Super, an Olympus E-M1 or one of two sensors of ours, one with X-Trans's pattern, with their noise at ISO 100, 400 or 1600.

Kept is the least share, over the move's claims about up and down, of the photographs with the claim's subject on which it goes that way. Clips is the share of pixels, in percent, that the move at its defaults newly clips where it clips most. Border is, where it is plainest, the step that a move adds along the border of its own mask, as a share of the step that the photograph has there (docs/masks.md).

| move | photographs with its subject |`, count)
	for _, what := range []string{"kept", "clips", "border"} {
		for _, v := range versions {
			fmt.Fprintf(&b, " %s, %s |", what, v)
		}
	}
	b.WriteString("\n|" + strings.Repeat("---|", 2+3*len(versions)) + "\n")
	for _, e := range words.List(vocab.Filter{}) {
		if e.Layer == vocab.L3 {
			photographsLine(&b, e.Name, versions, proofs)
		}
	}
	return b.String()
}

func photographsLine(b *strings.Builder, entry string, versions []string, proofs map[string][]prove.Proof) {
	kept, clips, border, most := "", "", "", 0
	for _, v := range versions {
		i := slices.IndexFunc(proofs[v], func(p prove.Proof) bool { return p.Entry == entry })
		if i < 0 || proofs[v][i].Skipped != "" {
			kept, clips, border = kept+" not available |", clips+" |", border+" |"
			continue
		}
		findings := proofs[v][i].Findings
		least := 1.0
		claims, last := findings[:len(findings)-2], findings[len(findings)-2:]
		for _, f := range claims {
			if most = max(most, int(f.Before)); f.Before > 0 {
				least = min(least, f.After)
			}
		}
		kept += map[bool]string{true: " – |", false: fmt.Sprintf(" %.0f %% |", 100*least)}[most == 0]
		clips += fmt.Sprintf(" %.2f%s |", last[0].After, map[bool]string{true: " (intended)"}[last[0].Intended])
		border += map[bool]string{true: " |", false: fmt.Sprintf(" %.2f |", last[1].After)}[last[1].After == 0]
	}
	fmt.Fprintf(b, "| %s | %d |%s%s%s\n", entry, most, kept, clips, border)
}

// The part about photographs is of moves of taste that there are. Those that came since it
// was written are not in it.
func TestPhotographsAreOfThesePacks(t *testing.T) {
	t.Parallel()
	words, lines := builtin(t), 0
	for line := range strings.Lines(photographsPart(t)) {
		name, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		if !ok || name == "move" {
			continue
		}
		lines++
		if e, err := words.Entry(name); err != nil || e.Layer != vocab.L3 {
			t.Errorf("docs/VOCABULARY.md has %q on photographs, which is no move of taste (any more)", name)
		}
	}
	if lines < 100 {
		t.Errorf("docs/VOCABULARY.md has %d moves on photographs", lines)
	}
}
