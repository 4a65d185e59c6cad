package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// BenchmarkStdio calls get_state of a real workspace over a real pipe and
// reports the median and the 99th percentile.
func BenchmarkStdio(b *testing.B) {
	fake := testutil.FakeDarktable(b, testutil.FakeOptions{})
	raw := filepath.Join(b.TempDir(), "a.dng")
	if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 0.05}); err != nil {
		b.Fatal(err)
	}
	session := connect(b, &sdk.CommandTransport{Command: program(b, "-darktable", fake.CLI, "-log", "off")})
	call := func(tool string, arguments map[string]any) {
		result, err := session.CallTool(b.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil || result.IsError {
			b.Fatal(err, result)
		}
	}
	call("ingest", map[string]any{"raw_path": raw, "image_id": "a"})
	var took []time.Duration
	for b.Loop() {
		begun := time.Now()
		call("get_state", map[string]any{"image_id": "a"})
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkStart measures from the start of the program to its first answer,
// and what it holds in memory when it is idle.
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

// residentMegabytes is what Linux says of a process; 0 elsewhere.
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
