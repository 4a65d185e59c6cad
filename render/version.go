package render

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
)

// oldest is the oldest darktable that is supported.
var oldest = version{4, 2, 0}

// A version is major, minor and patch.
type version [3]int

var versionPattern = regexp.MustCompile(`(?i)darktable(?:-cli)?\s+v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?`)

// parseVersion reads what darktable-cli --version prints. Releases before 4.8
// say "this is darktable-cli 4.2.1", later ones "darktable 5.4.1". A build
// between two releases, such as 5.5.0+123~gabcdef, counts as 5.5.0.
func parseVersion(said string) (version, bool) {
	m := versionPattern.FindStringSubmatch(said)
	if m == nil {
		return version{}, false
	}
	var v version
	for i := range v {
		v[i], _ = strconv.Atoi(m[i+1])
	}
	return v, true
}

func (v version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

func (v version) less(w version) bool {
	return cmp.Or(cmp.Compare(v[0], w[0]), cmp.Compare(v[1], w[1]), cmp.Compare(v[2], w[2])) < 0
}
