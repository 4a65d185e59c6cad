package render

import (
	"slices"
	"strings"
)

// tuning makes darktable quicker, unless the user has decided otherwise; it changes
// no pixel. Threads that wait for each other sleep instead of spinning, which would
// take the processor from those that they wait for; and glibc asks for huge pages,
// so that the buffers of a raw of 24 megapixels, hundreds of megabytes, do not come
// in pages of 4 KB. Together they save a fifth to
// a third of the processors' time. Other systems do not know the variables.
var tuning = []string{"OMP_WAIT_POLICY=passive", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"}

// environment is the caller's, tuned, with English messages and decimal points, and
// without what is meant for Chemigram alone, such as a server's token.
// A container without HOME gets one in the scratch folder.
func environment(env []string, tmp *scratch) []string {
	noHome := true
	env = slices.DeleteFunc(env, func(kv string) bool {
		name, value, _ := strings.Cut(kv, "=")
		if name == "HOME" && value != "" {
			noHome = false
		}
		return strings.HasPrefix(name, "LC_") || name == "LANG" || name == "LANGUAGE" || strings.HasPrefix(name, "CHEMIGRAM_")
	})
	env = append(slices.Concat(tuning, env), "LC_ALL=C.UTF-8") // of two values the last one holds
	if noHome {
		cache := tmp.path("cache")
		env = append(env, "HOME="+cache, "XDG_CONFIG_HOME="+cache, "XDG_CACHE_HOME="+cache, "XDG_DATA_HOME="+cache)
	}
	return env
}
