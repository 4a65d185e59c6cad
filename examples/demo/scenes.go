package demo

import (
	"github.com/chemigram/chemigram/internal/proving/testscenes"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
)

// Scenes lists the scenes on which claims are measured.
func Scenes() []vocab.Scene { return testscenes.Names() }

// WriteScene writes the raw of a scene on which claims are measured, a DNG.
func WriteScene(path string, name vocab.Scene) error { return testscenes.Write(path, name) }

// Places are the parts of a scene that claims name.
func Places(name vocab.Scene) map[string]prove.Place { return testscenes.Places(name) }
