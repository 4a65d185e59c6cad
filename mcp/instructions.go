package mcp

import _ "embed"

// instructions tell an agent how to work with the tools.
//
//go:embed instructions.md
var instructions string
