package chemigram

import (
	"errors"
	"reflect"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/params"
	"github.com/chemigram/chemigram/internal/workspace"
)

// validate fills in a verb's defaults and checks its parameters, which p points
// to, by the rules of their types. Every violation is found, not only the first.
func validate(p any) error { return fault.Violated(params.Check(p, ruleOf)) }

// validateWrite is validate for a verb that writes, which it refuses when the engine
// is read-only.
func (e *Engine) validateWrite(p any) error {
	return errors.Join(validate(p), e.workspace.CheckWritable())
}

// imageToWrite is validateWrite, and opens the image.
func (e *Engine) imageToWrite(p any, id ImageID) (*workspace.Image, error) {
	if err := e.validateWrite(p); err != nil {
		return nil, err
	}
	return e.image(id)
}

// imageToRead is validate, and opens the image.
func (e *Engine) imageToRead(p any, id ImageID) (*workspace.Image, error) {
	if err := validate(p); err != nil {
		return nil, err
	}
	return e.image(id)
}

// ruleOf gives the rule of a type.
func ruleOf(t reflect.Type) params.Rule {
	r := rules[t]
	return params.Rule{Says: r.Says, Number: r.AllowsNumber, Text: func(text string) string {
		switch {
		case !r.AllowsText(text):
			return r.Says
		case t == reflect.TypeFor[Time]() && !Time(text).exists():
			return "a date and time that exist"
		}
		return ""
	}}
}

func join(words []string) string { return strings.Join(words, ", ") }
