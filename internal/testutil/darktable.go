package testutil

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Darktable is one installed darktable that pixel tests run on.
type Darktable struct {
	// Name is the version as `darktable-cli --version` prints it, such as "4.2.1".
	Name string
	// CLI is the path of its darktable-cli.
	CLI string
}

// EachDarktable runs f as a subtest on every darktable that tests know: the
// system's own (DARKTABLE_CLI, or PATH), which should be the oldest that users
// have, and the 5.4 that scripts/darktable-5.4 prepared, which the vocabulary is
// calibrated to. One is enough when the system's own is 5.4 or newer.
// CHEMIGRAM_TEST_DARKTABLES, a list of paths in PATH's syntax, replaces both.
//
// A darktable that should be there and is not becomes a subtest that is skipped,
// naming the remedy; with CI=true it fails. Under -short the whole test is skipped.
//
// With CHEMIGRAM_TEST_SEED a quarter of the tests run, each on one darktable; both are
// drawn by that text and the test's name.
//
// The subtests run one after the other unless f calls t.Parallel.
func EachDarktable(t *testing.T, f func(t *testing.T, dt Darktable)) {
	t.Helper()
	SkipLeftOut(t)
	installed := installedDarktables()
	for _, reason := range installed.missing {
		t.Run("missing", func(t *testing.T) { skipUnlessCI(t, reason) })
	}
	for _, dt := range drawn(installed.found, os.Getenv(seedEnv), t.Name()) {
		t.Run("darktable-"+dt.Name, func(t *testing.T) { f(t, dt) })
	}
}

// SkipLeftOut skips a test that [EachDarktable] or [AnyDarktable] would skip, for one that
// has much to prepare before it calls them.
func SkipLeftOut(tb testing.TB) {
	tb.Helper()
	skipShort(tb)
	SkipUndrawn(tb, 4)
}

// drawn returns the darktable that a seed draws for a test, or all without a seed.
func drawn(all []Darktable, seed, test string) []Darktable {
	if seed == "" || len(all) < 2 {
		return all
	}
	i := draw(seed, test).IntN(len(all))
	return all[i : i+1]
}

// AnyDarktable returns the newest darktable that EachDarktable would use. When
// there is none it skips the test, and with CI=true fails it. It is for tests of their
// own, some of which a seed leaves out as in EachDarktable.
func AnyDarktable(tb testing.TB) Darktable {
	tb.Helper()
	SkipLeftOut(tb)
	installed := installedDarktables()
	if len(installed.found) == 0 {
		skipUnlessCI(tb, strings.Join(installed.missing, "; "))
	}
	return slices.MaxFunc(installed.found, Darktable.compare)
}

// UseDarktable makes the engines that a test of a whole program opens use the
// darktable of [AnyDarktable], and none of the user's own packs and tastes.
func UseDarktable(t *testing.T) {
	t.Helper()
	t.Setenv("DARKTABLE_CLI", AnyDarktable(t).CLI)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
}

// AcquireDarktable is a semaphore: it waits until one more darktable may run, of at
// most one per CPU in a test binary, whatever the number of parallel tests. The end
// of the test releases it, or the returned function does so earlier. A test that
// holds it must not wait for a subtest that acquires it.
func AcquireDarktable(tb testing.TB) (release func()) {
	tb.Helper()
	slots := darktableSlots()
	slots <- struct{}{}
	release = sync.OnceFunc(func() { <-slots })
	tb.Cleanup(release)
	return release
}

var darktableSlots = sync.OnceValue(func() chan struct{} {
	return make(chan struct{}, runtime.NumCPU())
})

func skipShort(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("-short: tests on real darktable are left out")
	}
}

func skipUnlessCI(tb testing.TB, reason string) {
	tb.Helper()
	if os.Getenv("CI") == "true" {
		tb.Fatal(reason)
	}
	tb.Skip(reason)
}

// calibrated is the release that entries are calibrated to, and oldest the
// oldest one that is supported.
var (
	calibrated = Darktable{Name: "5.4"}
	oldest     = Darktable{Name: "4.2"}
)

// darktables are those that were found, oldest first, and the reasons why others that
// tests need were not.
type darktables struct {
	found   []Darktable
	missing []string
}

var installedDarktables = sync.OnceValue(findDarktables)

func findDarktables() darktables {
	if list := os.Getenv("CHEMIGRAM_TEST_DARKTABLES"); list != "" {
		return listedDarktables(filepath.SplitList(list))
	}
	var all darktables
	system, reason := systemDarktable()
	if reason != "" {
		all.missing = append(all.missing, reason)
	} else {
		all.found = append(all.found, system)
		if system.compare(calibrated) >= 0 {
			return all
		}
	}
	prepared, err := probe(filepath.Join(cacheDir(), "darktable-5.4", "darktable-cli"))
	if err != nil {
		all.missing = append(all.missing, "darktable 5.4 is not prepared: run `make test`, or scripts/darktable-5.4 alone")
	} else {
		all.found = append(all.found, prepared)
	}
	return all
}

// listedDarktables finds the darktables at the paths of a list, each of which must
// run; no other is expected.
func listedDarktables(paths []string) darktables {
	var all darktables
	for _, path := range paths {
		dt, err := probe(path)
		if err != nil {
			all.missing = append(all.missing, "CHEMIGRAM_TEST_DARKTABLES names "+path+": "+err.Error())
			continue
		}
		all.found = append(all.found, dt)
	}
	slices.SortFunc(all.found, Darktable.compare)
	return all
}

func systemDarktable() (dt Darktable, reason string) {
	const remedy = ": run `make test`, scripts/install-darktable alone, or set DARKTABLE_CLI"
	dt, err := probe(cmp.Or(os.Getenv("DARKTABLE_CLI"), "darktable-cli"))
	switch {
	case err != nil:
		return dt, "the system has no darktable (" + err.Error() + ")" + remedy
	case dt.compare(oldest) < 0:
		return dt, dt.CLI + " is darktable " + dt.Name + "; tests need " + oldest.Name + " or newer" + remedy
	}
	return dt, ""
}

var versionLine = regexp.MustCompile(`darktable(?:-cli)? (\d+\.\d+\S*)`)

// probe asks the darktable-cli at name, a path or a program on PATH, for its version.
func probe(name string) (Darktable, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return Darktable{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return Darktable{}, fmt.Errorf("%s --version: %w", path, err)
	}
	version := versionLine.FindSubmatch(out)
	if version == nil {
		return Darktable{}, fmt.Errorf("%s --version names no version: %q", path, out)
	}
	return Darktable{Name: string(version[1]), CLI: path}, nil
}

// compare orders by version: negative when d is older than other.
func (d Darktable) compare(other Darktable) int {
	return slices.Compare(d.numbers(), other.numbers())
}

// numbers are the numbers of the version, up to the first part that is no number.
func (d Darktable) numbers() []int {
	var numbers []int
	for part := range strings.SplitSeq(d.Name, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// cacheDir is the folder of the scripts' caches; see cache_dir in scripts/lib.bash.
func cacheDir() string {
	if dir := os.Getenv("CHEMIGRAM_CACHE"); dir != "" {
		return dir
	}
	if dir := os.Getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "chemigram")
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, ".cache", "chemigram")
}

// SkipShort skips a long test of one goroutine when tests are short, as those are
// that the race detector watches.
func SkipShort(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("-short: a long test of one goroutine is left out")
	}
}
