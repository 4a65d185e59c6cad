package conformance

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// clientsFolder is the folder with the npm packages and Node, which scripts/conformance
// passes to the tests.
func clientsFolder(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("CHEMIGRAM_MCP_CLIENTS")
	if folder == "" {
		t.Skip("the clients are not installed: run scripts/conformance")
	}
	return folder
}

// runNode runs a program of the npm packages and returns its output.
func runNode(t *testing.T, args ...string) (stdout string, err error) {
	t.Helper()
	folder := clientsFolder(t)
	cmd := exec.CommandContext(t.Context(), filepath.Join(folder, "node"), args...)
	cmd.Dir = folder
	cmd.Env = append(awayFromTheUser(t), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && stderr.Len() > 0 {
		t.Logf("stderr:\n%s", stderr.String())
	}
	return string(out), err
}

// programPath is the path of a program of an npm package.
func programPath(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(filepath.Join(clientsFolder(t), "node_modules", ".bin", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// buildServer builds chemigram-mcp and returns its path.
func buildServer(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "chemigram-mcp")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../chemigram-mcp")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

func serverArgs(t *testing.T) []string {
	t.Helper()
	return []string{"-workspace", filepath.Join(t.TempDir(), "workspace"), "-groups", "all"}
}

// awayFromTheUser is an environment in which a server has tastes and packs of its own.
// Clients hand HOME on to the servers that they start, and nothing of XDG.
func awayFromTheUser(t *testing.T) []string {
	t.Helper()
	home := t.TempDir()
	return append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"))
}

// startHTTP starts a server, waits until it listens and returns its URL.
func startHTTP(t *testing.T, program string, args ...string) string {
	t.Helper()
	args = slices.Concat(serverArgs(t), []string{"-http", "127.0.0.1:0", "-without-token"}, args)
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program, args...)
	cmd.Env = awayFromTheUser(t)
	url, _ := testutil.ServeHTTP(t, cmd)
	return url
}

// The suite expects a server with certain tools. The checks that need these are listed
// as expected failures; such a check that passes fails the test, too.
func TestTheProtocolsConformanceSuitePasses(t *testing.T) {
	program := programPath(t, "conformance")
	url := startHTTP(t, buildServer(t))
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			expected, err := filepath.Abs("expected-" + revision + ".yml")
			if err != nil {
				t.Fatal(err)
			}
			out, err := runNode(t, program, "server", "--url", url, "--requirements", revision,
				"--expected-failures", expected, "--output-dir", t.TempDir())
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			_, summary, _ := strings.Cut(out, "=== SUMMARY ===")
			t.Log(regexp.MustCompile(`Total: .*`).FindString(summary))
		})
	}
}

// overStdio are the inspector's arguments for a server that it starts. The inspector would
// parse the server's flags: they are in a file.
func overStdio(t *testing.T, server string) []string {
	t.Helper()
	config := filepath.Join(t.TempDir(), "mcp.json")
	data, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		"chemigram": map[string]any{"command": server, "args": serverArgs(t)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return []string{"--config", config, "--server", "chemigram"}
}

func TestTheInspectorFindsNothing(t *testing.T) {
	program := programPath(t, "mcp-inspector")
	server := buildServer(t)
	url := startHTTP(t, server)
	for name, target := range map[string][]string{
		"stdio":       overStdio(t, server),
		"http":        {url},
		"http modern": {url, "--protocol-era", "modern"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{program, "--cli"}, target...)
			out, err := runNode(t, append(args, "--method", "tools/list", "--strict", "--format", "json")...)
			var answer struct {
				Result         struct{ Tools []any }
				SchemaFindings []any
			}
			if jsonErr := json.Unmarshal([]byte(out), &answer); err != nil || jsonErr != nil || len(answer.Result.Tools) == 0 {
				t.Errorf("%v, %v:\n%.2000s", err, jsonErr, out)
			}
			for _, finding := range answer.SchemaFindings {
				t.Errorf("%v", finding)
			}
		})
	}
}

// inspect runs the inspector's command line against a server and returns its result.
func inspect[T any](t *testing.T, args ...string) (result T) {
	t.Helper()
	out, err := runNode(t, append([]string{programPath(t, "mcp-inspector"), "--cli"}, append(args, "--format", "json")...)...)
	var answer struct{ Result *T }
	if jsonErr := json.Unmarshal([]byte(out), &answer); err != nil || jsonErr != nil || answer.Result == nil {
		t.Fatalf("%v, %v:\n%.2000s", err, jsonErr, out)
	}
	return *answer.Result
}

// TestTheInspectorFindsTheViews, when it announces that it shows them, and nothing of them
// otherwise.
func TestTheInspectorFindsTheViews(t *testing.T) {
	clientsFolder(t)
	server := buildServer(t)
	type tools struct {
		Tools []struct {
			Name string
			Meta map[string]any `json:"_meta"`
		}
	}
	for name, target := range map[string][]string{
		"stdio": overStdio(t, server),
		"http":  {startHTTP(t, server), "--protocol-era", "modern"}, // an older revision has no sessions there
	} {
		t.Run(name, func(t *testing.T) {
			ask := func(more ...string) []string { return slices.Concat(target, more) }
			views := map[string]string{}
			var forViews int
			for _, tool := range inspect[tools](t, ask("--method", "tools/list", "--advertise-apps")...).Tools {
				ui, _ := tool.Meta["ui"].(map[string]any)
				if uri, ok := ui["resourceUri"].(string); ok {
					views[tool.Name] = uri
					if tool.Meta["ui/resourceUri"] != uri {
						t.Errorf("%s has the address %s, and flat %v", tool.Name, uri, tool.Meta["ui/resourceUri"])
					}
				}
				if visible, ok := ui["visibility"].([]any); ok && slices.Equal(visible, []any{"app"}) {
					forViews++
				}
			}
			shown := []string{"compare", "log", "preview_mask", "render_preview", "render_variants"}
			if names := slices.Sorted(maps.Keys(views)); !slices.Equal(names, shown) || forViews == 0 {
				t.Errorf("%v have views, and %d tools are for these alone", names, forViews)
			}
			for name, uri := range views {
				read := inspect[struct {
					Contents []struct{ URI, MIMEType, Text string }
				}](t, ask("--method", "resources/read", "--uri", uri, "--advertise-apps")...)
				if len(read.Contents) != 1 || uri != "ui://chemigram/"+name || read.Contents[0].URI != uri || read.Contents[0].MIMEType != "text/html;profile=mcp-app" ||
					!strings.HasPrefix(read.Contents[0].Text, "<!doctype html>") || !strings.Contains(read.Contents[0].Text, `data-view="`+name+`"`) {
					t.Errorf("%s is %.300v", uri, read)
				}
			}
			for _, tool := range inspect[tools](t, ask("--method", "tools/list")...).Tools {
				if tool.Meta["ui"] != nil || tool.Meta["ui/resourceUri"] != nil {
					t.Errorf("%s has a view for a client that shows none: %v", tool.Name, tool.Meta)
				}
			}
			if out, err := runNode(t, append([]string{programPath(t, "mcp-inspector"), "--cli"}, ask("--method", "resources/read", "--uri", views["compare"])...)...); err == nil {
				t.Errorf("a client that shows no views reads one: %.300s", out)
			}
			// The inspector's own probe, which opens the view's document.
			out, err := runNode(t, append([]string{programPath(t, "mcp-inspector"), "--cli"}, ask("--method", "tools/call", "--tool-name", "compare", "--app-info", "--advertise-apps")...)...)
			if err != nil || !strings.Contains(out, views["compare"]) {
				t.Errorf("the probe says %v: %.500s", err, out)
			}
			t.Logf("%s", strings.TrimSpace(out))
		})
	}
}

func TestTheStrictClientCallsEveryTool(t *testing.T) {
	clientsFolder(t)
	darktable := testutil.AnyDarktable(t)
	server := buildServer(t)
	script, err := filepath.Abs("client.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"stdio", "http"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			raw := filepath.Join(folder, "chart.dng")
			if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 0.1}); err != nil {
				t.Fatal(err)
			}
			list, err := json.Marshal(calls(raw, filepath.Join(folder, "exports")))
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(folder, "calls.json")
			if err := os.WriteFile(file, list, 0o666); err != nil {
				t.Fatal(err)
			}
			args := []string{script, file, kind}
			if kind == "stdio" {
				args = append(append(args, server, "-darktable", darktable.CLI, "-log", "off"), serverArgs(t)...)
			} else {
				args = append(args, startHTTP(t, server, "-darktable", darktable.CLI, "-actor", "strict"))
			}
			out, err := runNode(t, args...)
			if err != nil {
				t.Errorf("%v", err)
			}
			t.Log(strings.TrimSpace(out))
		})
	}
}
