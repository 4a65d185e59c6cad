package render

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

func TestTheLimitOfAContainerIsSeen(t *testing.T) {
	t.Parallel()
	const none = math.MaxInt64
	for name, tt := range map[string]struct {
		cgroup string
		files  map[string]string
		want   int64
	}{
		"version 2": {
			"0::/docker/abc\n",
			map[string]string{
				"docker/abc/memory.max": "1000\n", "docker/abc/memory.current": "900\n",
				"docker/abc/memory.stat": "anon 600\nfile 300\ninactive_file 200\n",
			},
			300,
		},
		"version 2, the tightest of those above": {
			"0::/a/b\n",
			map[string]string{
				"a/b/memory.max": "max\n", "a/b/memory.current": "10\n",
				"a/memory.max": "500\n", "a/memory.current": "100\n",
				"memory.max": "5000\n", "memory.current": "100\n",
			},
			400,
		},
		"version 2, no limit":         {"0::/a\n", map[string]string{"a/memory.max": "max\n", "a/memory.current": "10\n"}, none},
		"version 2, path of the host": {"0::/../../host\n", map[string]string{"memory.max": "700\n", "memory.current": "0\n"}, 700},
		"version 1": {
			"11:cpu,cpuacct:/docker/abc\n9:memory:/docker/abc\n0::/\n",
			map[string]string{
				"memory/docker/abc/memory.limit_in_bytes": "1000\n", "memory/docker/abc/memory.usage_in_bytes": "900\n",
				"memory/docker/abc/memory.stat": "inactive_file 1\ntotal_inactive_file 50\n",
			},
			150,
		},
		"version 1, mounted in the container": {
			"9:memory:/docker/abc\n",
			map[string]string{"memory/memory.limit_in_bytes": "1000\n", "memory/memory.usage_in_bytes": "400\n"},
			600,
		},
		"version 1, beside others": {
			"4:hugetlb,memory:/a\n",
			map[string]string{"memory/a/memory.limit_in_bytes": "80\n", "memory/a/memory.usage_in_bytes": "30\n"},
			50,
		},
		"version 1, no limit": {
			"9:memory:/\n",
			map[string]string{"memory/memory.limit_in_bytes": "9223372036854771712\n", "memory/memory.usage_in_bytes": "4096\n"},
			9223372036854771712 - 4096,
		},
		"nothing known": {"9:memory:/a\n0::/a\n", nil, none},
		"nonsense":      {"what\n::\n\n", map[string]string{"memory.max": "1e9\n", "memory.current": "1\n"}, none},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for path, content := range tt.files {
				path = filepath.Join(root, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got := freeInGroups(root, tt.cgroup); got != tt.want {
				t.Errorf("%d bytes are free, want %d", got, tt.want)
			}
		})
	}
}
