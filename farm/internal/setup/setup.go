// Package setup reads what the farm's programs are told by their environment.
package setup

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/remote"
)

// The variables that say where a farm is.
const (
	StoreVariable  = "CHEMIGRAM_FARM_STORE"
	URLVariable    = "CHEMIGRAM_FARM_URL"
	ListenVariable = "CHEMIGRAM_FARM_LISTEN"
)

// OpenStore opens the store of a farm, a folder that is there or a bucket by its URL, and
// makes sure that it makes each object once. That of a bucket that is away is not known.
func OpenStore(ctx context.Context, location string) (objects.Store, io.Closer, error) {
	if location == "" {
		return nil, nil, errors.New("the farm needs a store: give a folder or a bucket such as s3://farm?region=eu-central-1")
	}
	store, err := open(ctx, location)
	if err != nil {
		return nil, nil, err
	}
	if err := objects.Probe(ctx, store); err != nil && !errors.Is(err, objects.Unreachable) {
		return nil, nil, errors.Join(err, store.(io.Closer).Close())
	}
	return store, store.(io.Closer), nil
}

func open(ctx context.Context, location string) (objects.Store, error) {
	if strings.Contains(location, "://") {
		return remote.Open(ctx, location)
	}
	return objects.OpenFolder(location)
}

// Forget takes the secrets of the broker out of the environment, once they are read:
// darktable need not have them.
func Forget() {
	for _, name := range []string{"NATS_PASSWORD", "NATS_TOKEN"} {
		_ = os.Unsetenv(name)
	}
}
