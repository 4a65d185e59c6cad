// Package snake converts Go names to snake case, which tools are named in.
package snake

import (
	"strings"
	"unicode"
)

// Case converts a Go name: ApplyPrimitive becomes apply_primitive.
func Case(name string) string {
	var out strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		startsWord := i > 0 && unicode.IsUpper(r) &&
			(unicode.IsLower(runes[i-1]) || (i+1 < len(runes) && unicode.IsLower(runes[i+1])))
		if startsWord {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
