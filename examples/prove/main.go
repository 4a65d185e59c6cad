// Prove checks the claims of your own pack: it develops test scenes with the
// installed darktable, and measures the pictures.
//
//	go run ./examples/prove my-moves
//	go run ./examples/prove -capture film.dtstyle -name look_my_film \
//		-describe 'My film: pale and warm.' -claim 'chroma down' my-moves
//
// Without a folder it checks the pack that Chemigram loads by default. With -capture it
// first adds a move to the pack, made of a style that darktable exported.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram/examples/demo"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/vocab/prove"
)

var harm = flag.Bool("harm", false, "look for harm that the moves do, too")

func main() {
	style := flag.String("capture", "", "a `.dtstyle` file to make a move of, before the pack is checked")
	name := flag.String("name", "", "the new move's name, such as look_my_film")
	describe := flag.String("describe", "", "what a person sees of the new move")
	claim := flag.String("claim", "", "a claim of the new move: a measure, and up or down, such as 'chroma down'")
	flag.Parse()

	demo.Main("prove", func(ctx context.Context) error {
		folder, err := packFolder(flag.Arg(0))
		if err == nil && *style != "" {
			err = capture(folder, *style, *name, *describe, *claim)
		}
		if err != nil {
			return err
		}
		return run(ctx, os.Stdout, folder)
	})
}

// packFolder returns the folder that was given, or that of the user's own pack.
func packFolder(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	config, err := os.UserConfigDir()
	return filepath.Join(config, "chemigram", "vocabulary"), err
}

// capture adds a move to the pack in a folder.
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

var errNotProven = errors.New("not all checks passed")

// run checks the pack in a folder and prints each finding.
func run(ctx context.Context, w io.Writer, folder string) error {
	builtin, err := vocab.Builtin()
	if err != nil {
		return err
	}
	vocabulary, failures := vocab.Load(append(builtin, vocab.Dir(folder))...)
	if len(failures) > 0 {
		return errors.Join(failures...)
	}
	shipped, _ := vocab.Load(builtin...)
	var moves []*vocab.Entry
	for _, e := range vocabulary.List(vocab.Filter{}) {
		if other, err := shipped.Entry(e.Name); err != nil || other.Pack != e.Pack {
			moves = append(moves, e)
		}
	}
	var masks []*vocab.NamedMask
	for _, m := range vocabulary.Masks() {
		if len(shipped.Masks()) == 0 || m.Pack != shipped.Masks()[0].Pack {
			masks = append(masks, m)
		}
	}
	r, err := newRenderer(ctx)
	if err != nil {
		return err
	}
	defer r.close()
	proofs, err := prove.Verify(ctx, prove.VerifyParams{
		Entries: moves, Others: vocabulary.List(vocab.Filter{}), Masks: masks, Renderer: r, Target: r.release, NoHarm: !*harm, Parallel: 2,
	})
	if err != nil {
		return err
	}
	return report(w, proofs)
}

// report prints a line for each finding. It returns an error when one is false.
func report(w io.Writer, proofs []prove.Proof) error {
	proven := true
	for _, p := range proofs {
		fmt.Fprintf(w, "%s on darktable %s\n", p.Entry+p.Mask, p.Darktable)
		if p.Skipped != "" {
			fmt.Fprintf(w, "  skipped: %s\n", p.Skipped)
		}
		for _, f := range p.Findings {
			mark := "holds"
			if !f.OK {
				mark, proven = "FALSE", false
			}
			fmt.Fprintf(w, "  %s  %s\n", mark, strings.Join(strings.Fields(line(f)), " "))
		}
	}
	if !proven {
		return errNotProven
	}
	return nil
}

// line is a finding as text.
func line(f prove.Finding) string {
	switch f.Check {
	case "harm":
		return fmt.Sprintf("harm: %s: %.3g, at most %g %s", f.Claim, f.After, f.Before, map[bool]string{true: "(intended)"}[f.Intended])
	case "claim", "sweep", "clip":
		return fmt.Sprintf("%s: %s: %.4g → %.4g", f.Check, f.Claim, f.Before, f.After)
	}
	return fmt.Sprintf("%s %s %s", f.Check, f.Claim, f.Message)
}
