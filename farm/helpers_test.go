package farm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync/atomic"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/render"
)

// works are what this program does as another process.
var works = map[string]testutil.Work{}

func digestOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// counted counts what is developed elsewhere, and what could not be.
type counted struct {
	render.Elsewhere
	made, failed atomic.Int64
}

func (c *counted) Develop(ctx context.Context, o render.Order) error {
	err := c.Elsewhere.Develop(ctx, o)
	if err == nil {
		c.made.Add(1)
	} else {
		c.failed.Add(1)
	}
	return err
}

func mustFind(tb testing.TB, o *render.Options) *render.Darktable {
	tb.Helper()
	d, err := render.Find(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func findOptions(fake *testutil.Fake) *render.Options { return &render.Options{Path: fake.CLI} }

func findWith(tb testing.TB, fake *testutil.Fake, elsewhere render.Elsewhere) *render.Darktable {
	tb.Helper()
	return mustFind(tb, &render.Options{Path: fake.CLI, Elsewhere: elsewhere})
}

func fakeCLI(tb testing.TB) string {
	tb.Helper()
	return testutil.FakeDarktable(tb, testutil.FakeOptions{}).CLI
}
