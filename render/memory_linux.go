package render

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// freeMemory is how many bytes a program can take without pushing out others:
// of the machine's, and of what a container may have.
func freeMemory() int64 {
	free := int64(math.MaxInt64)
	if data, err := os.ReadFile("/proc/meminfo"); err == nil {
		free = min(free, available(string(data)))
	}
	if data, err := os.ReadFile("/proc/self/cgroup"); err == nil {
		free = min(free, allowed("/sys/fs/cgroup", ownGroupPath(string(data))))
	}
	return free
}

// available reads /proc/meminfo.
func available(meminfo string) int64 {
	_, rest, _ := strings.Cut(meminfo, "MemAvailable:")
	var kilobytes int64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		return math.MaxInt64
	}
	return kilobytes << 10
}

// ownGroupPath reads /proc/self/cgroup: the line "0::/path" of version 2.
func ownGroupPath(cgroup string) string {
	for line := range strings.Lines(cgroup) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			return path
		}
	}
	return "/"
}

// allowed is what the control group at path, or one above it, leaves free.
// Files that are only cached count as free.
func allowed(root, path string) int64 {
	free := int64(math.MaxInt64)
	number := func(dir, name string) (int64, bool) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		n, parseErr := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
		return n, err == nil && parseErr == nil
	}
	for dir := filepath.Join(root, path); ; dir = filepath.Dir(dir) {
		limit, limited := number(dir, "memory.max")
		used, known := number(dir, "memory.current")
		if limited && known {
			stat, _ := os.ReadFile(filepath.Join(dir, "memory.stat"))
			var cached int64
			if _, rest, ok := strings.Cut("\n"+string(stat), "\ninactive_file "); ok {
				_, _ = fmt.Sscan(rest, &cached)
			}
			free = min(free, limit-used+cached)
		}
		if len(dir) <= len(root) {
			return free
		}
	}
}
