package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// programFile is the program's path in a bundle; on Windows .exe follows.
const programFile = "server/chemigram-mcp"

// A manifest describes a bundle, in version 0.3 of the format.
type manifest struct {
	ManifestVersion string            `json:"manifest_version"`
	Name            string            `json:"name"`
	DisplayName     string            `json:"display_name"`
	Version         string            `json:"version"`
	Description     string            `json:"description"`
	LongDescription string            `json:"long_description"`
	Author          author            `json:"author"`
	Repository      repository        `json:"repository"`
	Homepage        string            `json:"homepage"`
	Documentation   string            `json:"documentation"`
	Licence         string            `json:"license"`
	Keywords        []string          `json:"keywords"`
	Server          server            `json:"server"`
	ToolsGenerated  bool              `json:"tools_generated"`
	Prompts         bool              `json:"prompts_generated"`
	Compatibility   compatibility     `json:"compatibility"`
	UserConfig      map[string]option `json:"user_config"`
}

type author struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type repository struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

type server struct {
	Type       string `json:"type"`
	EntryPoint string `json:"entry_point"`
	Config     start  `json:"mcp_config"`
}

// start is how a client starts the server.
type start struct {
	Command   string            `json:"command"`
	Args      []string          `json:"args"`
	Env       map[string]string `json:"env,omitempty"`
	Overrides map[string]start  `json:"platform_overrides,omitempty"`
}

type compatibility struct {
	Platforms []string `json:"platforms"`
}

// An option is asked of the user when the bundle is installed.
type option struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Multiple    bool   `json:"multiple,omitempty"`
	Default     any    `json:"default,omitempty"`
}

// platforms are the systems as manifests call them.
var platforms = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}

const longDescription = `Chemigram edits raw photographs by named moves; darktable develops them. ` +
	`Every version is kept, and every result can be measured. darktable 4.2 or later has to be installed: ` +
	`health_check says whether it was found, and what to do when it was not.`

// manifest describes the bundle of a program.
func (e *entry) manifest(p program) manifest {
	m := manifest{
		ManifestVersion: "0.3", Name: "chemigram", DisplayName: e.Title, Version: e.Version,
		Description: e.Description, LongDescription: longDescription,
		Author:     author{"Chemigram", e.Repository.URL},
		Repository: repository{"git", e.Repository.URL + ".git"},
		Homepage:   e.Repository.URL, Documentation: e.WebsiteURL, Licence: "MIT",
		Keywords: []string{"photography", "raw", "darktable"},
		Server: server{Type: "binary", EntryPoint: p.file(), Config: start{
			Command: "${__dirname}/" + programFile,
			Args:    []string{"${user_config.raw_roots}"},
			Env:     map[string]string{"CHEMIGRAM_WORKSPACE": "${user_config.workspace}", "CHEMIGRAM_DARKTABLE": "${user_config.darktable}"},
		}},
		ToolsGenerated: true, Prompts: true,
		Compatibility: compatibility{Platforms: []string{platforms[p.goos]}},
		UserConfig: map[string]option{
			"workspace": {
				Type: "directory", Title: "Workspace", Default: "${HOME}/chemigram",
				Description: "Folder for edits, their history, previews and exports.",
			},
			"raw_roots": {
				Type: "directory", Title: "Photographs", Multiple: true, Default: []string{"${HOME}"},
				Description: "Folders with the raws that may be edited; they are only read.",
			},
			"darktable": {
				Type: "file", Title: "darktable-cli",
				Description: "Its program; leave it empty when darktable is installed where its installer puts it.",
			},
		},
	}
	if p.goos == "windows" {
		m.Server.Config.Overrides = map[string]start{"win32": {
			Command: "${__dirname}/" + p.file(), Args: m.Server.Config.Args, Env: m.Server.Config.Env,
		}}
	}
	return m
}

// An entry is the server's in the registry.
type entry struct {
	Schema      string       `json:"$schema"`
	Name        string       `json:"name"`
	Title       string       `json:"title"`
	Description string       `json:"description"`
	Version     string       `json:"version"`
	Repository  entrySource  `json:"repository"`
	WebsiteURL  string       `json:"websiteUrl"`
	Packages    []entryFiles `json:"packages,omitempty"`
}

type entrySource struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

type entryFiles struct {
	RegistryType string    `json:"registryType"`
	Identifier   string    `json:"identifier"`
	Version      string    `json:"version"`
	SHA256       string    `json:"fileSha256"`
	Transport    transport `json:"transport"`
}

type transport struct {
	Type string `json:"type"`
}

func readEntry(text []byte) (*entry, error) {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields() // it is written again
	var e entry
	if err := decoder.Decode(&e); err != nil {
		return nil, err
	}
	if e.Version == "" || e.Repository.URL == "" || len(e.Packages) > 0 {
		return nil, errors.New("it needs a version and a repository, and no packages")
	}
	return &e, nil
}

// list adds a bundle, at the address that it has in the release.
func (e *entry) list(name, digest string) {
	e.Packages = append(e.Packages, entryFiles{
		RegistryType: "mcpb", Identifier: fmt.Sprintf("%s/releases/download/v%s/%s", e.Repository.URL, e.Version, name),
		Version: e.Version, SHA256: digest, Transport: transport{"stdio"},
	})
}

func (e *entry) text() ([]byte, error) {
	text, err := json.MarshalIndent(e, "", "  ")
	return append(text, '\n'), err
}
