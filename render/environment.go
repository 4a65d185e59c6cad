package render

import (
	"slices"
	"strings"
)

// tuning is what makes darktable quicker, unless the user has decided otherwise;
// it changes no pixel. Threads that wait for each other sleep instead of
// spinning, which takes the processor from whoever they wait for; and glibc asks
// for huge pages, so that the buffers of a raw of 24 megapixels, hundreds of
// megabytes, are not handed out in pieces of 4 KB. Together they save a fifth to
// a third of the processors' time. Other systems do not know the variables.
var tuning = []string{"OMP_WAIT_POLICY=passive", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"}

// environment is the caller's, tuned, with English messages and decimal points.
// A container without HOME gets one in the scratch folder.
func environment(env []string, box *scratch) []string {
	homeless := true
	env = slices.DeleteFunc(env, func(kv string) bool {
		name, value, _ := strings.Cut(kv, "=")
		if name == "HOME" && value != "" {
			homeless = false
		}
		return strings.HasPrefix(name, "LC_") || name == "LANG" || name == "LANGUAGE"
	})
	env = append(slices.Concat(tuning, env), "LC_ALL=C.UTF-8") // of two values the last one holds
	if homeless {
		cache := box.at("cache")
		env = append(env, "HOME="+cache, "XDG_CONFIG_HOME="+cache, "XDG_CACHE_HOME="+cache, "XDG_DATA_HOME="+cache)
	}
	return env
}
