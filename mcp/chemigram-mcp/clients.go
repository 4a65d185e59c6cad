package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
)

// A client is a program that reads its servers from a JSON file.
type client struct {
	where string   // the file, as people call it
	path  []string // of the object in which servers are listed by name
	entry func(command string, args []string) any
}

type command struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

func plain(program string, args []string) any { return command{Command: program, Args: args} }

func stdio(program string, args []string) any {
	return command{Type: "stdio", Command: program, Args: args}
}

func zed(program string, args []string) any {
	return struct {
		Source string `json:"source"`
		command
	}{"custom", command{Command: program, Args: args}}
}

var knownClients = map[string]client{
	"claude-desktop": {"claude_desktop_config.json (Settings, Developer, Edit Config)", []string{"mcpServers"}, plain},
	"claude-code":    {".mcp.json in the project's folder", []string{"mcpServers"}, stdio},
	"cursor":         {".cursor/mcp.json in the project's folder, or ~/.cursor/mcp.json", []string{"mcpServers"}, plain},
	"vscode":         {".vscode/mcp.json in the project's folder", []string{"servers"}, stdio},
	"zed":            {"settings.json (zed: open settings)", []string{"context_servers"}, zed},
}

func clients() []string { return slices.Sorted(maps.Keys(knownClients)) }

// printClientConfig writes the configuration to stdout, and to stderr where it
// belongs.
func printClientConfig(name, program string, args []string, stdout, stderr io.Writer) error {
	c := knownClients[name]
	var config any = map[string]any{"chemigram": c.entry(program, args)}
	for _, key := range slices.Backward(c.path) {
		config = map[string]any{key: config}
	}
	fmt.Fprintf(stderr, "Merge this into %s:\n", c.where)
	out := json.NewEncoder(stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(config)
}
