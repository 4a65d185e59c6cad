package mcp

import _ "embed"

// instructions are what a server tells agents about the use of its tools.
//
//go:embed instructions.md
var instructions string
