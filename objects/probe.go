package objects

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Probe makes sure that a store makes an object of a name once only, by trying: some
// imitations of S3, and some network disks, write over what is there. A store that does
// is refused with Unsuitable. Three requests and a deletion.
func Probe(ctx context.Context, s Store) error {
	const op = "Probe"
	name := "probe/" + strings.ToLower(rand.Text())
	first, second := "first "+rand.Text(), "second "+rand.Text()
	// A client that tries again by itself, after an answer was lost, finds what it has made.
	if err := s.Create(ctx, name, strings.NewReader(first)); err != nil && !errors.Is(err, Exists) {
		return err
	}
	defer func() { _ = s.Delete(context.WithoutCancel(ctx), name) }() // what stays is small, and in nobody's way
	err := s.Create(ctx, name, strings.NewReader(second))
	if err == nil {
		return &Error{Op: op, Kind: Unsuitable, Message: "it writes over an object that is there: two who push at once would lose one's work, " +
			"so it is not used; choose a store with conditional writes (If-None-Match)"}
	}
	if !errors.Is(err, Exists) {
		return err
	}
	got, err := Read(ctx, s, name, 1<<10)
	if err != nil {
		return err
	}
	if string(got) != first {
		return &Error{Op: op, Kind: Unsuitable, Message: "it says that an object is there, and writes over it all the same: it is not used"}
	}
	return nil
}

// Read reads an object of at most so many bytes. A larger one is Damaged.
func Read(ctx context.Context, s Store, name string, most int64) ([]byte, error) {
	const op = "Read"
	r, err := s.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, asError(op, name, err)
	}
	if int64(len(data)) > most {
		return nil, &Error{Op: op, Kind: Damaged, Name: name, Message: fmt.Sprintf("it has more than the %d bytes that it may have", most)}
	}
	return data, nil
}

// asError gives the error of reading an object a kind.
func asError(op, name string, err error) error {
	if _, ok := errors.AsType[*Error](err); ok || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &Error{Op: op, Kind: Unreachable, Name: name, Err: err}
}
