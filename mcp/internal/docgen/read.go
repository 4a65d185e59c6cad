package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// docs is the content of docs.json.
type docs struct {
	Verbs  map[string]string `json:"verbs"`
	Fields map[string]string `json:"fields"`
}

// source holds the doc comments of Go code.
type source struct {
	verbs  map[string]string // by Go name
	fields map[string]field  // by type and Go name
}

// field is a field of a struct, with its name in JSON.
type field struct{ name, json, doc string }

// generate returns docs.json for the Go package in a folder.
func generate(folder string) ([]byte, error) {
	src, err := read(folder)
	if err != nil {
		return nil, err
	}
	// Masks in parameters have types of package mask.
	masks, err := read(filepath.Join(folder, "xmp", "mask"))
	if err != nil {
		return nil, err
	}
	maps.Copy(src.fields, masks.fields)
	r := newRewriter(src)
	d := docs{Verbs: map[string]string{}, Fields: map[string]string{}}
	for name, doc := range src.verbs {
		d.Verbs[name] = r.verb(name, doc)
	}
	for key, f := range src.fields {
		d.Fields[key] = r.field(f)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err = enc.Encode(d)
	return out.Bytes(), err
}

// read parses the Go files of a folder, but for tests.
func read(folder string) (source, error) {
	src := source{verbs: map[string]string{}, fields: map[string]field{}}
	files, err := os.ReadDir(folder)
	if err != nil {
		return src, err
	}
	for _, file := range files {
		name := file.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, name), nil, parser.ParseComments)
		if err != nil {
			return src, err
		}
		for _, decl := range parsed.Decls {
			src.add(decl)
		}
	}
	return src, nil
}

// add reads a declaration.
func (s source) add(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && isVerb(d) {
			s.verbs[d.Name.Name] = d.Doc.Text()
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			t, ok := spec.(*ast.TypeSpec)
			if !ok || !t.Name.IsExported() {
				continue
			}
			if structure, ok := t.Type.(*ast.StructType); ok {
				s.addFields(t.Name.Name, structure)
			}
		}
	}
}

// isVerb reports whether a function has the form of a verb: a method of *Engine with
// two parameters and two results.
func isVerb(d *ast.FuncDecl) bool {
	if d.Recv == nil || d.Type.Params.NumFields() != 2 || d.Type.Results.NumFields() != 2 {
		return false
	}
	pointer, ok := d.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	receiver, ok := pointer.X.(*ast.Ident)
	return ok && receiver.Name == "Engine"
}

func (s source) addFields(typeName string, structure *ast.StructType) {
	for _, f := range structure.Fields.List {
		jsonName := jsonNameOf(f.Tag)
		if jsonName == "" {
			continue
		}
		for _, name := range f.Names {
			s.fields[typeName+"."+name.Name] = field{name.Name, jsonName, f.Doc.Text()}
		}
	}
}

// jsonNameOf returns the name in a field's json tag, or "".
func jsonNameOf(tag *ast.BasicLit) string {
	if tag == nil {
		return ""
	}
	text, err := strconv.Unquote(tag.Value)
	if err != nil {
		return ""
	}
	name, _, _ := strings.Cut(reflect.StructTag(text).Get("json"), ",")
	if name == "-" {
		return ""
	}
	return name
}
