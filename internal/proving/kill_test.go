package proving

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
)

// testContext is for what a test asks of darktable before there is a call.
var testContext = context.Background()

// proveUntilKilled proves all of a pack, and writes a line for each proof.
func proveUntilKilled(args []string) error {
	words, failures := vocab.Load(vocab.Dir(args[2]))
	p, err := open(args[0], args[1], words, slog.New(slog.DiscardHandler))
	if err = errors.Join(append(failures, err)...); err != nil {
		return err
	}
	_, err = p.Prove(testContext, Params{Report: func(now Progress) { fmt.Println(now.Done, now.What) }})
	return err
}

// A program that is killed in the middle loses nothing that it reported; another one is
// refused while it proves, and goes on with the rest afterwards.
func TestAKilledProofGoesOn(t *testing.T) {
	t.Parallel()
	const count = 24 // moves: the pictures of several batches
	fake, root, pack := testutil.FakeDarktable(t, small), filepath.Join(t.TempDir(), "w"), t.TempDir()
	var moves []string
	for i := range count {
		moves = append(moves, strings.Replace(fmt.Sprintf(steady, fmt.Sprintf("steady_%c", 'a'+i)), "0.5", fmt.Sprintf("0.%d", 10+i), 1))
	}
	words := writePack(t, pack, moves...)
	p, _ := mustOpen(t, root, fake.CLI, words)
	worker := testutil.StartWorker(t, "prove", root, fake.CLI, pack)
	reported := 0
	for line := range worker.Lines() {
		var done int
		if _, err := fmt.Sscan(string(line), &done); err != nil {
			t.Fatal(err)
		}
		if reported = done; done == 1 {
			// It holds the lock.
			if _, err := p.Prove(t.Context(), Params{}); !errors.Is(err, fault.State) || !strings.Contains(err.Error(), "running already") {
				t.Errorf("a second proof at once: %v", err)
			}
			worker.Kill()
		}
	}
	if err := worker.Wait(); err != nil {
		t.Fatal(err)
	}
	known, damaged, _, err := records(p.path(p.identity(), ".jsonl"), p.identity())
	if err != nil || len(known) < reported || len(known) == count || damaged > 1 {
		t.Fatalf("%d proofs were reported, %d are kept, %d lines are damaged, %v", reported, len(known), damaged, err)
	}
	var first Progress
	out := mustProve(t, p, Params{Report: func(now Progress) {
		if first.Total == 0 {
			first = now
		}
	}})
	if out.Proven != count || first.Done != len(known) {
		t.Errorf("it began at %+v with %d kept, and ended with %+v", first, len(known), out.Counts)
	}
}
