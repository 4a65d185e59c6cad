package server

import (
	"context"
	"fmt"
	"io"

	"github.com/chemigram/chemigram"
)

// prove proves the vocabulary on the installed darktable. It prints how far it is to
// stderr, and then what failed and where the report is.
func prove(ctx context.Context, engine *chemigram.Engine, stdout, stderr io.Writer) error {
	reporting := chemigram.WithProgress(ctx, func(done, total int, what string) {
		_, _ = fmt.Fprintf(stderr, "%d of %d: %s\n", done, total, what)
	})
	found, err := engine.Prove(reporting, chemigram.ProveParams{})
	if found.Page != "" {
		_, _ = fmt.Fprintf(stdout, "darktable %s: %d of %d moves and masks hold, %d failed, %d need another darktable, %d are not proven\n%s\n%s\n",
			found.Darktable, found.Proven, found.Total, len(found.Failures), found.Skipped, found.Missing, found.Page, found.Report)
	}
	for _, f := range found.Failures {
		_, _ = fmt.Fprintf(stdout, "failed: %s: %s\n", f.Name, f.Says)
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("ended before all were proven; -prove goes on with the rest: %w", ctx.Err())
	case err != nil:
		return err
	case len(found.Failures) > 0:
		return fmt.Errorf("%d moves and masks do not do here what they say", len(found.Failures))
	}
	return nil
}
