package chemigram_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/chemigram/chemigram"

// rooms says, for each room of the house, which other rooms its packages may
// import; see docs/ARCHITECTURE.md. A package belongs to the longest path here
// that it lies in; "." is the root package alone, and "internal" is every small
// helper there. Packages of one room may import each other.
var rooms = map[string][]string{
	"mcp":               {".", "internal"},
	"mcp/chemigram-mcp": {"internal/server"},
	"internal/server":   {".", "mcp", "studio", "objects", "internal"},
	"studio":            {".", "mcp", "internal"},
	"examples":          {".", "mcp", "studio", "examples/demo", "vocab", "vocab/prove", "render", "versioning", "xmp", "xmp/iop", "xmp/mask"},
	".": {
		"internal/workspace", "internal/notebook", "internal/transcript", "internal/advise", "internal/match", "internal/probe", "internal/compose", "internal/stack",
		"internal/requests", "internal/segment", "internal/classify", "internal/installed", "internal/packs", "internal/proving", "internal/maskprogram", "internal/maskers", "internal/exchange",
		"objects",
		"vocab", "render", "versioning", "xmp", "xmp/iop", "xmp/mask", "internal",
	},
	"examples/demo":                {"vocab", "vocab/prove", "internal/proving/testscenes", "internal/testutil"},
	"internal/classify":            {"vocab", "render", "versioning", "xmp", "xmp/iop", "xmp/mask", "internal"},
	"internal/installed":           {"render", "xmp/iop", "internal"},
	"internal/notebook":            {"internal/workspace", "internal"},
	"internal/transcript":          {"internal/workspace", "internal"},
	"internal/workspace":           {"versioning", "xmp", "internal"},
	"internal/packs":               {"vocab"},
	"internal/maskprogram":         {"internal/segment"},
	"internal/maskers":             {"internal/compose", "internal/segment", "xmp/mask", "internal"},
	"internal/proving":             {"internal/proving/testscenes", "internal/workspace", "internal/stack", "vocab", "vocab/prove", "render", "xmp", "xmp/iop", "internal"},
	"internal/proving/testscenes":  {"vocab", "vocab/prove", "internal/testutil"},
	"internal/advise":              {"internal/probe", "render", "internal"},
	"internal/match":               {"internal/probe", "internal/compose", "vocab", "render", "xmp", "internal"},
	"internal/probe":               {"internal/compose", "internal/stack", "render", "xmp", "xmp/iop", "xmp/mask", "internal"},
	"internal/compose":             {"internal/stack", "vocab", "xmp", "xmp/iop", "xmp/mask", "xmp/mask/trace", "internal"},
	"internal/requests":            {"vocab", "xmp/mask", "internal"},
	"internal/stack":               {"xmp", "xmp/iop", "xmp/mask", "internal"},
	"vocab":                        {"xmp", "xmp/iop", "xmp/mask", "internal"},
	"vocab/prove":                  {"vocab", "xmp", "xmp/iop", "xmp/mask", "internal"},
	"render":                       {"render/internal/imagefile", "render/internal/lenses", "render/internal/locate", "xmp", "xmp/iop", "xmp/mask", "internal"},
	"render/internal/imagefile":    {"internal"},
	"render/internal/lenses":       {"internal"},
	"render/internal/locate":       {},
	"versioning":                   {"versioning/internal/journal", "versioning/internal/storage", "internal"},
	"versioning/internal/journal":  {"versioning/internal/storage", "internal"},
	"versioning/internal/storage":  {"internal"},
	"versioning/internal/edittest": {"internal"},
	"internal/exchange":            {"internal/share", "internal/workspace", "objects", "versioning", "xmp", "internal"},
	"internal/share":               {"objects", "versioning", "internal"},
	"objects":                      {"internal"},
	"objects/objectstest":          {"objects", "internal"},
	"xmp":                          {"xmp/internal/rdf", "xmp/internal/swar", "xmp/iop", "xmp/mask", "internal"},
	"xmp/internal/rdf":             {"xmp/internal/swar", "internal"},
	"xmp/internal/swar":            {},
	"xmp/iop":                      {"internal"},
	"xmp/mask":                     {"internal"},
	"xmp/mask/trace":               {"internal"},
	"internal":                     {},
	"internal/segment":             {"internal/segment/cnn", "internal"},
	"internal/segment/cnn":         {"internal"},
	"internal/segment/cnn/convert": {},
	"internal/segment/train":       {"internal/segment", "internal"},
	"internal/enginetest":          {}, // tests alone, which may import the engine
	"internal/testutil/baseline":   {"xmp", "xmp/iop"},
	"internal/testutil/photos":     {"internal", "internal/testutil"},
	"internal/testutil":            {},
}

// onlyIn says which rooms alone may depend on a package outside the module:
// directly, or through whatever they import.
var onlyIn = map[string][]string{
	"github.com/modelcontextprotocol/go-sdk": {"mcp", "mcp/chemigram-mcp", "internal/server", "studio", "examples"},
	"github.com/google/jsonschema-go":        {"mcp", "mcp/chemigram-mcp", "internal/server", "studio", "examples"},
}

// processes are the rooms whose non-test code may start a process.
var processes = []string{"render", "internal/testutil"}

// writers are the rooms whose non-test code may change files, and which. The others,
// the root package above all, ask the workspace or render to.
var writers = map[string]string{
	"internal":                     "whole files or none, anywhere",
	"internal/workspace":           "the workspace, and what leaves it",
	"versioning/internal/storage":  "a history's folder",
	"objects":                      "the folder of a store of objects",
	"render":                       "the cache, scratch folders and exports",
	"render/internal/imagefile":    "exports, in scratch folders",
	"internal/probe":               "scratch folders",
	"internal/proving":             "the proofs of a workspace, and scratch folders",
	"vocab":                        "packs that a style is captured into",
	"xmp/iop":                      "its tables, when they are generated",
	"mcp":                          "docs.json, when it is generated, and bundles",
	"examples":                     "what they show",
	"examples/demo":                "the raws that it paints",
	"internal/segment/train":       "the model, when it is trained",
	"internal/segment/cnn/convert": "the weights of the network, when they are converted",
	"internal/testutil":            "test data",
}

// vague are names that say nothing about what a package is for.
var vague = []string{"util", "utils", "common", "helper", "helpers", "types", "misc", "shared"}

// maxLines is the length of a hand-written file from which it surely holds more
// than one concept.
const maxLines = 400

// A goPackage is what the go command says of a package, without its tests.
type goPackage struct {
	ImportPath string
	Name       string
	Dir        string
	GoFiles    []string
	Imports    []string // imported directly
	Deps       []string // and through others
}

// room returns the room that the package lies in, or "" when it is in none.
func (p goPackage) room() string { return roomOf(p.ImportPath) }

func roomOf(importPath string) string {
	path, inside := strings.CutPrefix(importPath, module)
	if !inside {
		return ""
	}
	path = strings.TrimPrefix(path, "/")
	if path == "" {
		return "."
	}
	for {
		if _, ok := rooms[path]; ok {
			return path
		}
		last := strings.LastIndexByte(path, '/')
		if last < 0 {
			return ""
		}
		path = path[:last]
	}
}

// modulePackages asks the go command for this module's packages, once.
var modulePackages = sync.OnceValues(func() ([]goPackage, error) {
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Name,Dir,GoFiles,Imports,Deps", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var packages []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
})

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	packages, err := modulePackages()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return packages
}

func TestArrowsBetweenRoomsGoDownOnly(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		from := p.room()
		if from == "" {
			t.Errorf("%s lies in no room: give it its place in the table of rooms", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			to := roomOf(imported)
			if to != "" && to != from && !slices.Contains(rooms[from], to) {
				t.Errorf("%s imports %s: %q may import only %q", p.ImportPath, imported, from, rooms[from])
			}
		}
	}
}

func TestOutsidePackagesStayInTheirRooms(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		for outside, allowed := range onlyIn {
			within := func(path string) bool { return path == outside || strings.HasPrefix(path, outside+"/") }
			if slices.ContainsFunc(p.Deps, within) && !slices.Contains(allowed, p.room()) {
				t.Errorf("%s depends on %s, which is for %q alone", p.ImportPath, outside, allowed)
			}
		}
	}
}

func TestOnlyRenderStartsProcesses(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		if slices.Contains(p.Imports, "os/exec") && !slices.Contains(processes, p.room()) {
			t.Errorf("%s imports os/exec: only %q start processes", p.ImportPath, processes)
		}
	}
}

// changesFiles are the functions of package os that do.
var changesFiles = []string{
	"Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "Link", "Mkdir", "MkdirAll", "MkdirTemp", "OpenFile",
	"Remove", "RemoveAll", "Rename", "Symlink", "Truncate", "WriteFile",
}

func TestOnlyTheWorkspaceAndRenderWriteFiles(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		if _, may := writers[p.room()]; may {
			continue
		}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for node := range ast.Preorder(file) {
				call, ok := node.(*ast.SelectorExpr)
				if !ok {
					continue
				}
				from, ok := call.X.(*ast.Ident)
				if ok && (from.Name == "os" && slices.Contains(changesFiles, call.Sel.Name) || from.Name == "atomicfile") {
					t.Errorf("%s in %s calls %s.%s: only %q change files", name, p.ImportPath, from.Name, call.Sel.Name, slices.Sorted(maps.Keys(writers)))
				}
			}
		}
	}
}

func TestPackageNamesSayWhatFor(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		if slices.Contains(vague, p.Name) {
			t.Errorf("%s: a package is not named %s, but after what it is for", p.ImportPath, p.Name)
		}
	}
}

// The root package is the verbs: what they do is in the rooms below.
const (
	maxRootFiles    = 52
	maxRootLines    = 9130
	maxRootFunction = 60 // lines
)

func TestTheRootHoldsTheVerbsAlone(t *testing.T) {
	t.Parallel()
	var root goPackage
	for _, p := range listPackages(t) {
		if p.ImportPath == module {
			root = p
		}
	}
	total := 0
	for _, name := range root.GoFiles {
		lines, _ := measureFile(t, name)
		total += lines
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1; n > maxRootFunction {
				t.Errorf("%s: %s has %d lines, more than %d", name, f.Name.Name, n, maxRootFunction)
			}
		}
	}
	if len(root.GoFiles) > maxRootFiles || total > maxRootLines {
		t.Errorf("the root has %d files and %d lines, more than %d and %d", len(root.GoFiles), total, maxRootFiles, maxRootLines)
	}
	t.Logf("%d files, %d lines", len(root.GoFiles), total)
}

func TestFilesHoldOneConcept(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if path != "." && isOutsideModule(path, entry.Name()) {
				return fs.SkipDir
			}
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			lines, generated := measureFile(t, path)
			if lines > maxLines && !generated {
				t.Errorf("%s has %d lines, more than %d: it holds more than one concept", path, lines, maxLines)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isOutsideModule reports whether a folder holds nothing of the module's own.
func isOutsideModule(path, name string) bool {
	if name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

var generatedMark = regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.$`)

func measureFile(t *testing.T, path string) (lines int, generated bool) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for scanner := bufio.NewScanner(bytes.NewReader(data)); scanner.Scan(); lines++ {
		generated = generated || generatedMark.Match(scanner.Bytes())
	}
	return lines, generated
}
