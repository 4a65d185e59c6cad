package mcp

import (
	_ "embed"
	"encoding/json"
	"reflect"

	"github.com/chemigram/chemigram"
)

//go:generate go run ./internal/docgen -o docs.json ../

// manual is what the engine's doc comments say, in words for an agent; see
// internal/docgen.
var manual = readManual()

//go:embed docs.json
var manualJSON []byte

type manualText struct {
	// Verbs by Go name.
	Verbs map[string]string `json:"verbs"`
	// Fields by type and Go name: "State.HeadHash".
	Fields map[string]string `json:"fields"`
}

func readManual() manualText {
	var m manualText
	if err := json.Unmarshal(manualJSON, &m); err != nil {
		panic("mcp: docs.json: " + err.Error())
	}
	return m
}

var (
	enginePackage = reflect.TypeFor[chemigram.Engine]().PkgPath()
	maskPackage   = reflect.TypeFor[chemigram.Mask]().PkgPath()
)

// isEngineType tells whether a type is one that the manual describes.
func isEngineType(t reflect.Type) bool {
	return t.PkgPath() == enginePackage || t.PkgPath() == maskPackage
}
