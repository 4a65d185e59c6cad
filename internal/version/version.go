// Package version reads and compares darktable's versions.
package version

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
)

// Version is a darktable's major, minor and patch number.
type Version struct{ Major, Minor, Patch int }

var pattern = regexp.MustCompile(`^(?:release-|v)?(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?(?:[^.\d]|$)`)

// Parse reads a version such as "5.4.1" or "5.4", with or without a leading "v"
// or "release-". What distributions and developers append does not count:
// "5.5.0+123~gabcdef" is 5.5.0, "4.2.1-4" is 4.2.1.
func Parse(text string) (Version, bool) {
	m := pattern.FindStringSubmatch(text)
	if m == nil {
		return Version{}, false
	}
	number := func(digits string) int {
		n, _ := strconv.Atoi(digits) // up to four digits; none where the part is left out
		return n
	}
	return Version{number(m[1]), number(m[2]), number(m[3])}, true
}

// Compare is -1, 0 or +1 as v is older than w, the same, or newer.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.Major, w.Major), cmp.Compare(v.Minor, w.Minor), cmp.Compare(v.Patch, w.Patch))
}

// String gives all three numbers, as in "5.4.1".
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }
