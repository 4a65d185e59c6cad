// Chemigram-mcp is an MCP server of an engine's verbs, over stdio or HTTP.
package main

import (
	"os"

	"github.com/chemigram/chemigram/internal/server"
)

func main() { os.Exit(server.Main(nil)) }
