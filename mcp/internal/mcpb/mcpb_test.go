package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A bundle for this machine is made of the same bytes each time, and the program in it
// serves MCP as its manifest says to start it.
func TestTheServerInABundleSpeaksMCP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it links the server")
	}
	built := filepath.Join(t.TempDir(), "chemigram-mcp")
	if runtime.GOOS == "windows" {
		built += ".exe"
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", built, "../../chemigram-mcp").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	name := "chemigram_0.1.0_" + runtime.GOOS + "_" + runtime.GOARCH + ".mcpb"
	var made [2]string
	for i := range made {
		made[i] = t.TempDir()
		if err := run(made[i], "testdata/server.json", "../../../LICENSE", []string{built}); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{name, "server.json", "SHA256SUMS"} {
		a, errA := os.ReadFile(filepath.Join(made[0], file))
		b, errB := os.ReadFile(filepath.Join(made[1], file))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs between two runs: %v %v", file, errA, errB)
		}
	}
	dir := unpack(t, filepath.Join(made[0], name))
	var m manifest
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name             string
		workspace, roots string // of the user; empty when nothing was set
	}{{"as set", filepath.Join(t.TempDir(), "work space"), t.TempDir()}, {"with nothing set", "", ""}} {
		speak(t, c.name, m, dir, c.workspace, c.roots)
	}
}

// speak starts the program in a bundle as clients do, and lists its tools.
func speak(t *testing.T, name string, m manifest, dir, workspace, roots string) {
	t.Helper()
	fill := func(text string) string {
		text = strings.ReplaceAll(text, "${__dirname}", dir)
		if workspace == "" {
			return text // clients leave the place of a setting that there is none for
		}
		return strings.NewReplacer("${user_config.workspace}", workspace, "${user_config.raw_roots}", roots, "${user_config.darktable}", "").Replace(text)
	}
	config := m.Server.Config
	if runtime.GOOS == "windows" {
		config = config.Overrides["win32"]
	}
	if config.Command != "${__dirname}/"+m.Server.EntryPoint {
		t.Errorf("%s is started, and the entry point is %s", config.Command, m.Server.EntryPoint)
	}
	var args []string
	for _, arg := range config.Args {
		args = append(args, fill(arg))
	}
	cmd := exec.CommandContext(t.Context(), fill(config.Command), args...)
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME="+home, "CHEMIGRAM_LOG=off")
	for name, value := range config.Env {
		cmd.Env = append(cmd.Env, name+"="+fill(value))
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer session.Close()
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) < 30 {
		t.Errorf("%s: %v: the server in the bundle does not list its tools", name, err)
	}
	version, err := exec.CommandContext(t.Context(), fill(config.Command), "-version").Output()
	if told := session.InitializeResult().ServerInfo.Version; err != nil || !strings.Contains(string(version), told) || told == "" {
		t.Errorf("%s: -version prints %q, %v; the server says %q", name, version, err, told)
	}
	health, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "health_check", Arguments: map[string]any{}})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(health.StructuredContent)
	quoted, _ := json.Marshal(workspace)
	if workspace != "" && !bytes.Contains(text, quoted) || bytes.Contains(text, []byte("user_config")) {
		t.Errorf("%s: the settings did not arrive: %s", name, text)
	}
}

// unpack unpacks a bundle with the files' permissions, as clients do.
func unpack(t *testing.T, path string) string {
	t.Helper()
	dir := t.TempDir()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	for _, f := range archive.File {
		to := filepath.Join(dir, filepath.FromSlash(f.Name))
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o700)
		}
		if err == nil {
			err = os.WriteFile(to, data, f.Mode())
		}
		if err != nil {
			t.Fatal(err)
		}
		if !f.Modified.UTC().Equal(packed) {
			t.Errorf("%s has the time %v", f.Name, f.Modified)
		}
	}
	return dir
}

// The registry's entry of this repository can be listed, and each system's manifest has
// what the format demands, and asks for settings that it uses.
func TestManifests(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../server.json")
	if err != nil {
		t.Fatal(err)
	}
	e, err := readEntry(text)
	if err != nil {
		t.Fatal(err)
	}
	for goos, platform := range platforms {
		m := e.manifest(program{goos: goos, goarch: "arm64", version: "v0.1.0"})
		written, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if m.Compatibility.Platforms[0] != platform || m.Server.Type != "binary" || m.ManifestVersion != "0.3" || m.Name == "" || m.Author.Name == "" {
			t.Errorf("%s: %s", goos, written)
		}
		if exe := strings.HasSuffix(m.Server.EntryPoint, ".exe"); exe != (goos == "windows") {
			t.Errorf("%s: the entry point is %s", goos, m.Server.EntryPoint)
		}
		for key, o := range m.UserConfig {
			if !bytes.Contains(written, []byte("${user_config."+key+"}")) || o.Type == "" || o.Title == "" || o.Description == "" {
				t.Errorf("%s: the setting %s is not used or not described: %+v", goos, key, o)
			}
		}
	}
	e.list("chemigram_0.1.0_linux_arm64.mcpb", strings.Repeat("0", 64))
	p := e.Packages[0]
	if p.RegistryType != "mcpb" || p.Transport.Type != "stdio" || !strings.HasPrefix(p.Identifier, "https://github.com/") || !strings.Contains(p.Identifier, "/releases/download/v"+e.Version+"/") {
		t.Errorf("%+v", p)
	}
	for _, wrong := range []string{"", "{}", `{"version":"1","unknown":1}`} {
		if _, err := readEntry([]byte(wrong)); err == nil {
			t.Errorf("%q is taken for an entry", wrong)
		}
	}
}

func TestWhatIsNoProgramIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "chemigram-mcp")
	if err := os.WriteFile(path, []byte("#!/bin/sh"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := run(t.TempDir(), "../../../server.json", "../../../LICENSE", []string{path}); err == nil {
		t.Error("a script was packed")
	}
}
