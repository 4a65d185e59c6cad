package mcp

import (
	_ "embed"
	"encoding/json"
	"reflect"

	"github.com/chemigram/chemigram"
)

//go:generate go run ./internal/docgen -o docs.json ../

// docs are the doc comments of the engine, rewritten for agents by internal/docgen.
var docs = readDocs()

//go:embed docs.json
var docsJSON []byte

type docTexts struct {
	// Verbs are described by Go name: "GetState".
	Verbs map[string]string `json:"verbs"`
	// Fields are described by type and Go name: "State.HeadHash".
	Fields map[string]string `json:"fields"`
}

func readDocs() docTexts {
	var d docTexts
	if err := json.Unmarshal(docsJSON, &d); err != nil {
		panic("mcp: docs.json: " + err.Error())
	}
	return d
}

var (
	enginePackage = reflect.TypeFor[chemigram.Engine]().PkgPath()
	maskPackage   = reflect.TypeFor[chemigram.Mask]().PkgPath()
)

// hasDocs reports whether the fields of a type are described in docs.
func hasDocs(t reflect.Type) bool {
	return t.PkgPath() == enginePackage || t.PkgPath() == maskPackage
}
