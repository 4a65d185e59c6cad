// Package snake names tools: by what their verbs are called in Go.
package snake

import (
	"strings"
	"unicode"
)

// Case turns a Go name into a tool's name: ApplyPrimitive, apply_primitive.
func Case(name string) string {
	var out strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		starts := i > 0 && unicode.IsUpper(r) &&
			(unicode.IsLower(runes[i-1]) || (i+1 < len(runes) && unicode.IsLower(runes[i+1])))
		if starts {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
