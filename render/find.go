package render

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/chemigram/chemigram/internal/owned"
)

// Find finds darktable and reads its version. It fails with an *Error of kind
// Missing, Unsupported (older than 4.2, or not a darktable), Failed, TimedOut,
// Canceled or System. A nil opts means defaults.
//
// It also removes scratch folders that a killed program left behind.
func Find(ctx context.Context, opts *Options) (*Darktable, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	l, err := findLauncher(hostSystem(), o.Path, os.Getenv("DARKTABLE_CLI"))
	if err != nil {
		return nil, err
	}
	d := &Darktable{launcher: l, elsewhere: o.Elsewhere, lenses: &lensMemo{}, schedule: newScheduler(max(1, cmp.Or(o.Processes, runtime.GOMAXPROCS(0))))}
	if d.scratch, err = scratchRoot(o.Scratch, l); err != nil {
		return nil, err
	}
	owned.Sweep(d.scratch, scratchPrefix)
	printed := ""
	if d.version, printed, err = d.askVersion(ctx); err != nil {
		return nil, err
	}
	d.installation = installation{programs: l.programs(), version: printed}
	return d, nil
}

// scratchRoot gives the folder that scratch folders are made in, which darktable sees
// by the same path, whatever sandbox it runs in.
func scratchRoot(wanted string, l launcher) (string, error) {
	dir := wanted
	if dir == "" {
		cache, _ := os.UserCacheDir() // none without HOME
		dir = cmp.Or(l.system.Scratch(l.command, cache), os.TempDir())
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return "", newError("find", System, "", "cannot make a scratch folder; set Options.Scratch to one that can be written", err)
	}
	if !l.sees(dir) {
		return "", newError("find", System, dir, fmt.Sprintf("%s is a %s, which does not see the scratch folder %s; Options.Scratch should be %s",
			l.command.Argv[0], l.command.Sandbox, dir, l.command.Sandbox.WhatIsSeen()), nil)
	}
	return dir, nil
}
