package iop

import (
	"cmp"
	"strconv"
	"strings"
)

// version is a darktable version's first three numbers.
type version [3]int

// parseVersion reads "5.4.1", "5.4", and what distributions and developers
// append: "5.4.1+git12", "4.2.1-4". A leading "v" or "release-" is allowed.
func parseVersion(s string) (v version, err error) {
	text := strings.TrimPrefix(strings.TrimPrefix(s, "release-"), "v")
	for i := range v {
		digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
		n, err := strconv.Atoi(text[:digits])
		if err != nil {
			return v, &Error{Kind: UnknownRelease, Value: s, Detail: "want a version such as 5.4.1"}
		}
		v[i] = n
		if digits == len(text) || text[digits] != '.' {
			if i == 0 {
				return v, &Error{Kind: UnknownRelease, Value: s, Detail: "want a version such as 5.4.1"}
			}
			break
		}
		text = text[digits+1:]
	}
	return v, nil
}

func (v version) compare(w version) int {
	return cmp.Or(cmp.Compare(v[0], w[0]), cmp.Compare(v[1], w[1]), cmp.Compare(v[2], w[2]))
}
