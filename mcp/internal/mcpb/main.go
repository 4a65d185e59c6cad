// Mcpb packs programs of chemigram-mcp into bundles (.mcpb), which clients install with
// one click, and writes their checksums and the registry's entry that lists them:
//
//	mcpb -out dist -server server.json -licence LICENSE PROGRAM...
//
// What it writes depends on nothing but the programs and these files.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram/internal/atomicfile"
)

func main() {
	out := flag.String("out", "dist", "folder for the bundles")
	server := flag.String("server", "server.json", "entry of the registry, without packages")
	licence := flag.String("licence", "LICENSE", "licence that goes into each bundle")
	flag.Parse()
	if err := run(*out, *server, *licence, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mcpb:", err)
		os.Exit(1)
	}
}

func run(out, server, licence string, programs []string) error {
	text, err := os.ReadFile(server)
	if err != nil {
		return err
	}
	terms, err := os.ReadFile(licence)
	if err != nil {
		return err
	}
	entry, err := readEntry(text)
	if err != nil {
		return fmt.Errorf("%s: %w", server, err)
	}
	var sums strings.Builder
	for _, path := range programs {
		p, err := readProgram(path)
		if err != nil {
			return err
		}
		var packed bytes.Buffer
		if err := pack(&packed, entry.manifest(p), p, terms); err != nil {
			return err
		}
		sum := sha256.Sum256(packed.Bytes())
		name, digest := p.bundleName(entry.Version), hex.EncodeToString(sum[:])
		if err := atomicfile.Write(filepath.Join(out, name), packed.Bytes(), 0o644); err != nil {
			return err
		}
		entry.list(name, digest)
		fmt.Fprintf(&sums, "%s  %s\n", digest, name)
		fmt.Printf("%s: %s, %.1f MB\n", name, p.version, float64(packed.Len())/1e6)
	}
	listed, err := entry.text()
	if err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(out, "server.json"), listed, 0o644); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// A program is one of chemigram-mcp, for a system and a processor.
type program struct {
	data         []byte
	goos, goarch string
	version      string
}

// readProgram reads a program, and from it what it was built for and its version.
func readProgram(path string) (p program, err error) {
	if p.data, err = os.ReadFile(path); err != nil {
		return p, err
	}
	info, err := buildinfo.Read(bytes.NewReader(p.data))
	if err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "GOOS":
			p.goos = s.Value
		case "GOARCH":
			p.goarch = s.Value
		}
	}
	if p.version = info.Main.Version; p.goos == "" || p.goarch == "" || p.version == "" {
		return p, fmt.Errorf("%s does not say its version or what it was built for", path)
	}
	return p, nil
}

func (p program) bundleName(version string) string {
	return fmt.Sprintf("chemigram_%s_%s_%s.mcpb", version, p.goos, p.goarch)
}

// file is the program's name in the bundle.
func (p program) file() string {
	if p.goos == "windows" {
		return programFile + ".exe"
	}
	return programFile
}
