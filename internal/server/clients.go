package server

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// A client is a program that has its servers in a JSON file.
type client struct {
	file  string   // for people
	path  []string // of the object with the servers by name
	entry func(command string, args []string) any
}

// command is how a client starts a server.
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

// printClientConfig writes the configuration of a client to stdout, and to stderr which
// file it is for.
func printClientConfig(name, program string, args []string, stdout, stderr io.Writer) error {
	c := knownClients[name]
	var config any = map[string]any{"chemigram": c.entry(program, args)}
	for _, key := range slices.Backward(c.path) {
		config = map[string]any{key: config}
	}
	fmt.Fprintf(stderr, "Merge this into %s:\n", c.file)
	out := json.NewEncoder(stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(config)
}

// pathFlags are the flags whose value is a path or a list of paths.
var pathFlags = []string{"workspace", "darktable", "packs", "raw-roots", "export-roots", "token-file"}

// hiddenFlags are the flags that a printed configuration does not have, with their values.
var hiddenFlags = []string{"print-config", "token"}

// serverArgs returns the arguments without -print-config and the token, and with absolute
// paths, as a client starts the server in another folder.
func serverArgs(args []string) []string {
	out := []string{}
	for i := 0; i < len(args); i++ {
		name, value, hasValue := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		takesPath := slices.Contains(pathFlags, name)
		if !takesPath && !slices.Contains(hiddenFlags, name) {
			out = append(out, args[i])
			continue
		}
		if !hasValue && i+1 < len(args) {
			i++
			value = args[i]
		}
		if takesPath {
			out = append(out, "-"+name+"="+absolute(value))
		}
	}
	return out
}

// absolute makes the paths of a list absolute, where it can.
func absolute(list string) string {
	paths := filepath.SplitList(list)
	for i, path := range paths {
		if abs, err := filepath.Abs(path); err == nil {
			paths[i] = abs
		}
	}
	return strings.Join(paths, string(filepath.ListSeparator))
}
