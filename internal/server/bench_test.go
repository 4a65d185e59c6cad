package server

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/rawtest"
)

// BenchmarkStdio calls get_state of a real workspace over a real pipe and
// reports the median and the 99th percentile.
func BenchmarkStdio(b *testing.B) {
	fake := testutil.FakeDarktable(b, testutil.FakeOptions{})
	raw := rawtest.Chart(b, "a.dng", dng.Options{})
	session := connect(b, &sdk.CommandTransport{Command: program(b, "-darktable", fake.CLI, "-log", "off")})
	call := func(tool string, arguments map[string]any) {
		result, err := session.CallTool(b.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil || result.IsError {
			b.Fatal(err, result)
		}
	}
	call("ingest", map[string]any{"raw_path": raw, "image_id": "a"})
	var durations []time.Duration
	for b.Loop() {
		start := time.Now()
		call("get_state", map[string]any{"image_id": "a"})
		durations = append(durations, time.Since(start))
	}
	slices.Sort(durations)
	b.ReportMetric(float64(durations[len(durations)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(durations[len(durations)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkStart measures the time from the start of the program to its first response,
// and the resident memory when it is idle.
func BenchmarkStart(b *testing.B) {
	fake := testutil.FakeDarktable(b, testutil.FakeOptions{})
	var resident float64
	for b.Loop() {
		cmd := program(b, "-darktable", fake.CLI, "-log", "off")
		session := connect(b, &sdk.CommandTransport{Command: cmd})
		if _, err := session.ListTools(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		resident = residentMegabytes(cmd.Process.Pid)
		_ = session.Close()
		b.StartTimer()
	}
	b.ReportMetric(resident, "MB-resident")
}

// residentMegabytes is the resident memory of a process on Linux; 0 elsewhere.
func residentMegabytes(pid int) float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), "VmRSS:")
	var kilobytes float64
	_, _ = fmt.Sscan(rest, &kilobytes)
	return kilobytes / 1024
}
