package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/chemigram/chemigram/remote"
)

const recipientsUsage = `Says who opens an encrypted remote, after adding or removing one:

  chemigram-mcp recipients [-add age1…] [-remove age1…] age+s3://bucket

CHEMIGRAM_AGE_IDENTITY_FILE names a file with the identity of one who opens it. Who is
removed has to be kept from the bucket, too, and may have kept the key: what is there they
could read already, and a new remote has a new key.

`

// recipients runs the command of that name, and gives its exit code.
func recipients(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("recipients", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, recipientsUsage)
		flags.PrintDefaults()
	}
	add := flags.String("add", "", "the `recipient` that gets the key: the public one, as age-keygen -y gives it")
	remove := flags.String("remove", "", "the `recipient` from whom it is taken")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return 2
	}
	if err := changeRecipients(ctx, flags.Arg(0), *add, *remove, stdout); err != nil {
		fmt.Fprintln(stderr, "chemigram-mcp:", err)
		return 1
	}
	return 0
}

func changeRecipients(ctx context.Context, location, add, remove string, stdout io.Writer) error {
	store, err := remote.OpenEncrypted(ctx, location)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	if add != "" {
		if err := store.Add(ctx, add); err != nil {
			return err
		}
	}
	if remove != "" {
		if err := store.Remove(ctx, remove); err != nil {
			return err
		}
	}
	fingerprint, err := store.Fingerprint(ctx)
	if err != nil {
		return err
	}
	list, err := store.Recipients(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "fingerprint", fingerprint)
	for _, r := range list {
		fmt.Fprintln(stdout, r)
	}
	return nil
}
