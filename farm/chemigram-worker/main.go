// Chemigram-worker develops pictures for engines on other machines. It takes the jobs for
// the darktable that is installed here from a broker of NATS, and raws from a folder or a
// bucket, where it puts the pictures. See docs/farm.md.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/chemigram/chemigram/farm"
	"github.com/chemigram/chemigram/farm/internal/setup"
)

const usage = `chemigram-worker develops pictures for engines on other machines.

	chemigram-worker -store LOCATION [flags]

The store is a folder that is there, or a bucket such as s3://farm?region=eu-central-1.
Credentials come from the environment alone: for the broker NATS_CREDS, NATS_NKEY, NATS_USER
and NATS_PASSWORD, NATS_TOKEN, NATS_CA, NATS_CERT and NATS_KEY; for the bucket as the tools
of its service find them.

`

func main() { os.Exit(status()) }

// status runs the program, and returns its exit status.
func status() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintln(os.Stderr, "chemigram-worker:", err)
	return 1
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o := farm.WorkerOptions{Logger: slog.New(slog.NewTextHandler(stderr, nil))}
	var location string
	var prune time.Duration
	flags := flag.NewFlagSet("chemigram-worker", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	flags.StringVar(&location, "store", os.Getenv(setup.StoreVariable), "`location` of raws and pictures (default: "+setup.StoreVariable+")")
	flags.StringVar(&o.URL, "broker", os.Getenv(setup.URLVariable), "`URL` of the brokers, several with commas (default: "+setup.URLVariable+", nats://127.0.0.1:4222)")
	flags.StringVar(&o.Name, "name", "", "`name` of this worker, in errors (default: the machine's)")
	flags.StringVar(&o.Darktable, "darktable", "", "`path` of darktable-cli (default: DARKTABLE_CLI, PATH, the usual places)")
	flags.StringVar(&o.Dir, "raws", "", "`folder` for raws (default: chemigram/farm in the user's cache folder)")
	flags.Int64Var(&o.RawBytes, "raw-bytes", 0, "the most `bytes` of raws that are kept (default 20 GiB)")
	flags.IntVar(&o.Processes, "processes", 0, "pictures of batches that are developed at once (default: the number of CPUs)")
	flags.IntVar(&o.Prepared, "prepared", 0, "darktables that wait with a raw for its next preview (default: the number of CPUs; -1: none)")
	flags.DurationVar(&o.AckWait, "ack-wait", 0, "`time` without a sign of life after which another worker gets a job (default 10s)")
	flags.DurationVar(&o.Grace, "grace", 0, "`time` to finish what is begun when it is asked to end (default 30s)")
	flags.IntVar(&o.Replicas, "replicas", 0, "brokers of a cluster that keep the queue (default 3)")
	flags.DurationVar(&prune, "prune", 0, "remove what is older than this `age` from the store, and exit")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("the argument %q is none; see -help", flags.Arg(0))
	}
	store, closer, err := setup.OpenStore(ctx, location)
	if err != nil {
		return err
	}
	defer closer.Close()
	if prune != 0 {
		p, err := farm.Prune(ctx, store, prune)
		_, printed := fmt.Fprintf(stdout, "%d objects with %d bytes are removed\n", p.Objects, p.Bytes)
		return cmp.Or(err, printed)
	}
	o.Store = store
	w, err := farm.NewWorker(ctx, &o)
	if err != nil {
		return err
	}
	setup.Forget()
	version, identity := w.Darktable()
	o.Logger.Info("ready", "darktable", version, "identity", identity)
	return w.Run(ctx)
}
