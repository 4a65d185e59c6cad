package mcp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/fault"
)

// faultKinds are the codes by the names of their constants in fault.
var faultKinds = map[string]chemigram.Code{
	"InvalidInput": chemigram.Code(fault.InvalidInput), "NotFound": chemigram.Code(fault.NotFound), "Darktable": chemigram.Code(fault.Darktable),
	"Synthesizer": chemigram.Code(fault.Synthesizer), "Versioning": chemigram.Code(fault.Versioning), "Masking": chemigram.Code(fault.Masking),
	"Permission": chemigram.Code(fault.Permission), "State": chemigram.Code(fault.State), "NotImplemented": chemigram.Code(fault.NotImplemented),
}

// givenDetail is a detail that the code gives an error: its key, and the error's code,
// or "" where that is not said in the same expression.
type givenDetail struct {
	key  string
	code chemigram.Code
	at   string
}

// givenDetails finds all details that the engine and the server give errors.
func givenDetails(t *testing.T) []givenDetail {
	t.Helper()
	var found []givenDetail
	files := token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"testdata", "testutil", "enginetest", "examples", "xmp", "vocab", "tools", "scripts"}, name):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if detail, ok := withDetail(n); ok {
				detail.at = files.Position(n.Pos()).String()
				found = append(found, detail)
			}
			for _, key := range literalDetails(n) {
				found = append(found, givenDetail{key: key, at: files.Position(n.Pos()).String()})
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// withDetail recognizes err.With("key", value).
func withDetail(n ast.Node) (givenDetail, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return givenDetail{}, false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "With" || isField(call.Args[1]) {
		return givenDetail{}, false
	}
	key, ok := textLiteral(call.Args[0])
	return givenDetail{key: key, code: codeOf(method.X)}, ok
}

// isField reports whether a value is that of a module's field, whose sets have a With, too.
func isField(value ast.Expr) bool {
	call, ok := value.(*ast.CallExpr)
	if !ok {
		return false
	}
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	room, ok := function.X.(*ast.Ident)
	return ok && room.Name == "iop"
}

// codeOf is the code of fault.New(fault.Kind, …), also with details; "" of other errors.
func codeOf(err ast.Expr) chemigram.Code {
	call, ok := err.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	if method, ok := call.Fun.(*ast.SelectorExpr); ok && method.Sel.Name == "With" {
		return codeOf(method.X)
	}
	if kind, ok := call.Args[0].(*ast.SelectorExpr); ok {
		return faultKinds[kind.Sel.Name]
	}
	return ""
}

// literalDetails are the keys of a map that is the details of an error.
func literalDetails(n ast.Node) []string {
	var keys []string
	literal := func(value ast.Expr) {
		if all, ok := value.(*ast.CompositeLit); ok {
			for _, pair := range all.Elts {
				if pair, ok := pair.(*ast.KeyValueExpr); ok {
					if key, ok := textLiteral(pair.Key); ok {
						keys = append(keys, key)
					}
				}
			}
		}
	}
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if name, ok := n.Key.(*ast.Ident); ok && name.Name == "Details" {
			literal(n.Value)
		}
	case *ast.AssignStmt:
		field, ok := n.Lhs[0].(*ast.SelectorExpr)
		if ok && field.Sel.Name == "Details" {
			literal(n.Rhs[0])
		}
		if index, ok := n.Lhs[0].(*ast.IndexExpr); ok {
			of, _ := index.X.(*ast.SelectorExpr)
			if key, ok := textLiteral(index.Index); ok && of != nil && of.Sel.Name == "Details" {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

func textLiteral(value ast.Expr) (string, bool) {
	literal, ok := value.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}

// Every detail that an error is given is documented for its code, and no other is.
func TestDetailsAreDocumented(t *testing.T) {
	t.Parallel()
	given := map[string]bool{}
	for _, d := range givenDetails(t) {
		given[d.key] = true
		known := slices.ContainsFunc(errorDetails, func(known errorDetail) bool { return known.key == d.key })
		if !known || d.code != "" && !slices.Contains(detailKeys(d.code), d.key) {
			t.Errorf("%s: the detail %s of a %s is not documented", d.at, d.key, d.code)
		}
	}
	for _, d := range errorDetails {
		if !given[d.key] {
			t.Errorf("%s is documented, and no error has it", d.key)
		}
	}
	if len(given) < 20 {
		t.Errorf("only %d details were found in the code: %v", len(given), slices.Sorted(maps.Keys(given)))
	}
}

var (
	codeRow   = regexp.MustCompile(`(?m)^\| ([a-z_]+) \|[^|]*\|[^|]*\|([^|]*)\|$`)
	detailRow = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([^|]*) \\|$")
	quoted    = regexp.MustCompile("`([a-z_]+)`")
)

// The tables of docs/mcp.md have the details of each code, and what they are.
func TestDocsHaveTheDetails(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[chemigram.Code]string{}
	for _, row := range codeRow.FindAllStringSubmatch(string(text), -1) {
		rows[chemigram.Code(row[1])] = row[2]
	}
	for _, code := range chemigram.Codes() {
		var got []string
		for _, key := range quoted.FindAllStringSubmatch(rows[code], -1) {
			got = append(got, key[1])
		}
		want := slices.DeleteFunc(detailKeys(code), func(key string) bool { return key == "outcomes" })
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("the details of %s are %q, want %q", code, got, want)
		}
	}
	said := map[string]string{}
	for _, row := range detailRow.FindAllStringSubmatch(string(text), -1) {
		said[row[1]] = row[2]
	}
	for _, d := range errorDetails {
		if said[d.key] != d.schema.Description {
			t.Errorf("docs/mcp.md wants | `%s` | %s |", d.key, d.schema.Description)
		}
	}
}

// detailKeys are the keys that the details of a code can have.
func detailKeys(code chemigram.Code) []string {
	var keys []string
	for _, d := range errorDetails {
		if d.codes == nil || slices.Contains(d.codes, code) {
			keys = append(keys, d.key)
		}
	}
	return keys
}
