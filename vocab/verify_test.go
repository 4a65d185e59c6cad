package vocab_test

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
)

func builtin(t testing.TB) *vocab.Vocabulary {
	t.Helper()
	sources, err := vocab.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	v, failures := vocab.Load(sources...)
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	return v
}

var entryNames = flag.String("entry", "", "prove only these `entries`: names, with commas between")

// chosen are the entries to prove.
func chosen(t *testing.T, words *vocab.Vocabulary) []*vocab.Entry {
	t.Helper()
	all := words.List(vocab.Filter{})
	if *entryNames == "" {
		return all
	}
	var some []*vocab.Entry
	for name := range strings.SplitSeq(*entryNames, ",") {
		e, err := words.Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		some = append(some, e)
	}
	return some
}

// Every entry that ships is proven on every darktable.
func TestEveryMoveDoesWhatItClaims(t *testing.T) {
	words, measured := builtin(t), map[string][]vocab.Proof{}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		s := newStudio(t, dt)
		proofs, err := vocab.Verify(t.Context(), vocab.VerifyParams{
			Entries: chosen(t, words), Others: words.List(vocab.Filter{}), Renderer: s, Target: s.release,
			Parallel: 2, Memo: newNotebook(t, s),
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range proofs {
			if !p.OK() {
				t.Errorf("%s on darktable %s:\n\t%s", p.Entry, p.Darktable, strings.Join(p.Failures(), "\n\t"))
			}
			for _, f := range p.Findings {
				t.Logf("%-20s %-8s %-50s %8.3f → %8.3f %.4g", p.Entry, f.Check, f.Claim, f.Before, f.After, f.Sweep)
			}
		}
		t.Logf("%d pictures developed", s.count.Load())
		measured[dt.Name] = proofs
	})
	if *update && *entryNames == "" && !t.Failed() && len(measured) > 0 {
		if err := os.WriteFile(tablePath, []byte(table(words, measured)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
