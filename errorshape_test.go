package chemigram_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
	"github.com/chemigram/chemigram/xmp/mask/trace"
)

// Every package says what went wrong in the same way: a kind that errors.Is asks
// for, a message, and no package's name in front of it.
func TestErrorsHaveOneShape(t *testing.T) {
	t.Parallel()
	const kind = fault.Kind("gone_wrong")
	for name, err := range map[string]error{
		"render":     &render.Error{Kind: kind, Message: "it is so"},
		"versioning": &versioning.Error{Kind: kind, Message: "it is so"},
		"vocab":      &vocab.Error{Kind: kind, Message: "it is so"},
		"xmp":        &xmp.Error{Kind: kind, Message: "it is so"},
		"iop":        &iop.Error{Kind: kind, Message: "it is so"},
		"mask":       &mask.Error{Kind: kind, Message: "it is so"},
		"trace":      &trace.Error{Kind: kind, Message: "it is so"},
		"fault":      &fault.Error{Kind: kind, Message: "it is so"},
	} {
		wrapped := fmt.Errorf("wrapped: %w", err)
		if !errors.Is(wrapped, kind) || errors.Is(wrapped, fault.Kind("another")) {
			t.Errorf("%s: errors.Is does not ask for the kind", name)
		}
		if text := err.Error(); !strings.HasSuffix(text, "it is so") || strings.HasPrefix(text, name+":") {
			t.Errorf("%s says %q", name, text)
		}
		for field, want := range map[string]reflect.Type{"Kind": reflect.TypeFor[fault.Kind](), "Message": reflect.TypeFor[string]()} {
			got, ok := reflect.TypeOf(err).Elem().FieldByName(field)
			if !ok || got.Type != want {
				t.Errorf("%s: the field %s is of type %v, want %v", name, field, got.Type, want)
			}
		}
	}
}
