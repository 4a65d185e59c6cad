package mcp

import _ "embed"

// instructions are what a server tells agents about the use of its tools.
//
//go:embed instructions.md
var instructions string

// Instructions are what a server of [NewServer] tells agents about the use of its tools.
// [AddTools] adds them to those of a program's own server. They are Markdown.
func Instructions() string { return instructions }
