// Prove tells what the moves of a pack of one's own do: it develops test scenes
// with the installed darktable, and holds every claim against the pixels.
//
//	go run ./examples/prove my-moves
//	go run ./examples/prove -capture film.dtstyle -name look_my_film \
//		-describe 'My film: pale and warm.' -claim 'chroma down' my-moves
//
// Without a folder it is the one that Chemigram loads by default. With -capture a
// style that darktable exported first becomes a move of the pack.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/vocab/prove"
)

func main() {
	style := flag.String("capture", "", "a `.dtstyle` file to make a move of, before the proof")
	name := flag.String("name", "", "the new move's name, such as look_my_film")
	describe := flag.String("describe", "", "what a person sees of the new move")
	claim := flag.String("claim", "", "what can be measured of it: a measure, and up or down, such as 'chroma down'")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	folder, err := packFolder(flag.Arg(0))
	if err == nil && *style != "" {
		err = capture(folder, *style, *name, *describe, *claim)
	}
	if err == nil {
		err = run(ctx, os.Stdout, folder)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "prove:", err)
		os.Exit(1)
	}
}

// packFolder is the folder that was named, or that of the user's own pack.
func packFolder(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	config, err := os.UserConfigDir()
	return filepath.Join(config, "chemigram", "vocabulary"), err
}

func capture(folder, file, name, describe, claim string) error {
	style, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	what, moves, _ := strings.Cut(claim, " ")
	return vocab.Capture(folder, vocab.Captured{
		Style: style, Name: name, Description: describe,
		Claims: []vocab.Claim{{Measure: measure.Measure(what), Moves: vocab.Moves(moves)}},
	})
}

var errFalse = errors.New("not everything holds")

// run proves the pack in a folder and reports each finding.
func run(ctx context.Context, w io.Writer, folder string) error {
	builtin, err := vocab.Builtin()
	if err != nil {
		return err
	}
	words, failures := vocab.Load(append(builtin, vocab.Dir(folder))...)
	if len(failures) > 0 {
		return errors.Join(failures...)
	}
	shipped, _ := vocab.Load(builtin...)
	var moves []*vocab.Entry
	for _, e := range words.List(vocab.Filter{}) {
		if other, err := shipped.Entry(e.Name); err != nil || other.Pack != e.Pack {
			moves = append(moves, e)
		}
	}
	var masks []*vocab.NamedMask
	for _, m := range words.Masks() {
		if len(shipped.Masks()) == 0 || m.Pack != shipped.Masks()[0].Pack {
			masks = append(masks, m)
		}
	}
	s, err := newStudio(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	proofs, err := prove.Verify(ctx, prove.VerifyParams{
		Entries: moves, Others: words.List(vocab.Filter{}), Masks: masks, Renderer: s, Target: s.release, Parallel: 2,
	})
	if err != nil {
		return err
	}
	return report(w, proofs)
}

// report writes a line for each finding, and fails when one does not hold.
func report(w io.Writer, proofs []prove.Proof) error {
	holds := true
	for _, p := range proofs {
		fmt.Fprintf(w, "%s on darktable %s\n", p.Entry+p.Mask, p.Darktable)
		if p.Skipped != "" {
			fmt.Fprintf(w, "  skipped: %s\n", p.Skipped)
		}
		for _, f := range p.Findings {
			mark := "holds"
			if !f.OK {
				mark, holds = "FALSE", false
			}
			fmt.Fprintf(w, "  %s  %s\n", mark, strings.Join(strings.Fields(line(f)), " "))
		}
	}
	if !holds {
		return errFalse
	}
	return nil
}

func line(f prove.Finding) string {
	switch f.Check {
	case "claim", "sweep", "clip":
		return fmt.Sprintf("%s: %s: %.4g → %.4g", f.Check, f.Claim, f.Before, f.After)
	}
	return fmt.Sprintf("%s %s %s", f.Check, f.Claim, f.Message)
}
