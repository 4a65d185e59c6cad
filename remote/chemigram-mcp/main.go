// Chemigram-mcp is the MCP server of the same name that shares images through buckets,
// too: the location of a remote may be a URL that remote.Open knows.
package main

import (
	"os"

	"github.com/chemigram/chemigram/internal/server"
	"github.com/chemigram/chemigram/remote"
)

func main() { os.Exit(server.Main(remote.Open)) }
