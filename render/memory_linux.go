package render

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// freeMemory is how many bytes a program can take without swapping, of the
// machine's and of what a container may have.
func freeMemory() int64 {
	free := int64(math.MaxInt64)
	if data, err := os.ReadFile("/proc/meminfo"); err == nil {
		free = min(free, parseMeminfo(string(data)))
	}
	if data, err := os.ReadFile("/proc/self/cgroup"); err == nil {
		free = min(free, freeInGroups("/sys/fs/cgroup", string(data)))
	}
	return free
}

// parseMeminfo gives the available memory of /proc/meminfo.
func parseMeminfo(meminfo string) int64 {
	_, rest, _ := strings.Cut(meminfo, "MemAvailable:")
	var kilobytes int64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		return math.MaxInt64
	}
	return kilobytes << 10
}

// A controller is how a version of control groups bounds memory.
type controller struct {
	mount       string // below the root of all control groups
	limit, used string // files of a group
	cached      string // the line of memory.stat with the files that can be dropped
}

var (
	controllerV2 = controller{"", "memory.max", "memory.current", "inactive_file "}
	controllerV1 = controller{"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "}
)

// freeInGroups is what the control groups that /proc/self/cgroup names leave free:
// "0::/path" is one of version 2, "9:memory:/path" one of version 1.
func freeInGroups(root, cgroup string) int64 {
	free := int64(math.MaxInt64)
	for line := range strings.Lines(cgroup) {
		_, line, _ = strings.Cut(strings.TrimSpace(line), ":")
		controllers, path, _ := strings.Cut(line, ":")
		switch {
		case controllers == "":
			free = min(free, controllerV2.free(root, path))
		case slices.Contains(strings.Split(controllers, ","), "memory"):
			free = min(free, controllerV1.free(root, path))
		}
	}
	return free
}

// free is what the group at path, and those above it, leave free. In a container
// path may be that of the host, and what is mounted the container's own group,
// so that a group that is missing bounds nothing.
func (c controller) free(root, path string) int64 {
	free := int64(math.MaxInt64)
	root = filepath.Join(root, c.mount)
	for dir := filepath.Join(root, filepath.Join("/", path)); ; dir = filepath.Dir(dir) {
		limit, limited := readNumber(dir, c.limit)
		used, known := readNumber(dir, c.used)
		if limited && known {
			free = min(free, limit-used+c.cacheSize(dir))
		}
		if len(dir) <= len(root) {
			return free
		}
	}
}

// cacheSize is how many bytes of a group are only cached files.
func (c controller) cacheSize(dir string) (n int64) {
	stat, _ := os.ReadFile(filepath.Join(dir, "memory.stat"))
	if _, rest, ok := strings.Cut("\n"+string(stat), "\n"+c.cached); ok {
		_, _ = fmt.Sscan(rest, &n)
	}
	return n
}

// readNumber reads a file that holds one number. It is not ok when the file is missing or
// says "max".
func readNumber(dir, name string) (n int64, ok bool) {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return 0, false
	}
	n, err = strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	return n, err == nil
}
