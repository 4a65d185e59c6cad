package testutil

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"
)

// DevelopByHand develops a raw with darktable's command line as a careful user does:
// for a picture of a size, with --hq as said, and with a folder for darktable's
// configuration that an earlier run has filled. Without a sidecar it is darktable's own
// development.
func (d Darktable) DevelopByHand(tb testing.TB, configuration, raw, sidecar, output string, size int, hq bool) {
	tb.Helper()
	edge := strconv.Itoa(size)
	args := []string{raw}
	if sidecar != "" {
		args = append(args, sidecar)
	}
	args = append(args, output, "--width", edge, "--height", edge, "--hq", strconv.FormatBool(hq), "--apply-custom-presets", "false",
		"--core", "--configdir", configuration, "--library", ":memory:", "--disable-opencl", "--conf", "write_sidecar_files=never")
	out, err := exec.CommandContext(tb.Context(), d.CLI, args...).CombinedOutput()
	if _, missing := os.Stat(output); err != nil || missing != nil {
		tb.Fatalf("%v, %v: %s", err, missing, out)
	}
}

// Median is the middle one of durations, the longer of two.
func Median(all []time.Duration) time.Duration {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}
