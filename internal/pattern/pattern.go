// Package pattern compiles regular expressions once.
package pattern

import (
	"regexp"
	"sync"
)

var compiled sync.Map

// Compile compiles an expression, or returns what it compiled before. It panics when the
// expression is wrong, as [regexp.MustCompile] does. It is for expressions of a program,
// which are few, and not for those of its users.
func Compile(expression string) *regexp.Regexp {
	if known, ok := compiled.Load(expression); ok {
		return known.(*regexp.Regexp)
	}
	fresh := regexp.MustCompile(expression)
	compiled.Store(expression, fresh)
	return fresh
}
