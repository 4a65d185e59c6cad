package testutil

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
)

// seedEnv holds the text by which the tests of one run are drawn: make test takes it
// from the committed tree.
const seedEnv = "CHEMIGRAM_TEST_SEED"

// Random returns random numbers for a test, drawn by CHEMIGRAM_TEST_SEED and the test's
// name where that is set, and other ones each time where not. The log says how to draw
// them again.
func Random(tb testing.TB) *rand.Rand {
	tb.Helper()
	seed := os.Getenv(seedEnv)
	if seed == "" {
		seed = strconv.FormatUint(rand.Uint64(), 10)
	}
	tb.Logf("%s=%s", seedEnv, seed)
	return draw("random numbers of "+seed, tb.Name())
}

// SkipUndrawn skips a test that CHEMIGRAM_TEST_SEED leaves out, where that is set: it draws
// one of n, by their names.
func SkipUndrawn(tb testing.TB, n int) {
	tb.Helper()
	if seed := os.Getenv(seedEnv); seed != "" && draw("some of "+seed, tb.Name()).IntN(n) > 0 {
		tb.Skipf("left out by %s=%s: make whole runs it", seedEnv, seed)
	}
}

// Drawn returns n of some things where CHEMIGRAM_TEST_SEED draws them, in their order,
// and all where it is not set.
func Drawn[T any](tb testing.TB, all []T, n int) []T {
	tb.Helper()
	if os.Getenv(seedEnv) == "" || len(all) <= n {
		return all
	}
	places := Random(tb).Perm(len(all))[:n]
	slices.Sort(places)
	some := make([]T, n)
	for i, place := range places {
		some[i] = all[place]
	}
	return some
}

// draw returns the random numbers of a seed for a test.
func draw(seed, test string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(seed + " " + test))
	return rand.New(rand.NewPCG(h.Sum64(), 0))
}

// Repeats is how often a test does what chance decides: whole where all tests run at full
// length, part where CI takes samples, which CHEMIGRAM_TEST_SEED says, and few elsewhere.
func Repeats(few, part, whole int) int {
	switch {
	case os.Getenv("CI") == "" || testing.Short():
		return few
	case os.Getenv(seedEnv) != "":
		return part
	}
	return whole
}
