package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/formerly"
)

// A checker validates arguments by a schema. Unlike a general validator it finds every
// violation, treats null as absent at every depth, sets defaults, and keeps numbers
// exact.
type checker struct {
	kind       string
	expected   string // the rule in words
	properties map[string]*checker
	order      []string // of the properties
	required   []string
	additional *checker // of other properties; nil forbids them
	items      *checker
	minItems   int
	maxItems   int
	minLength  int
	rule       chemigram.Rule  // of a text or a number
	formerly   *formerly.Names // of all arguments; of the outermost checker alone
	fallback   any             // the default, or nil
}

// newChecker compiles a schema. It supports the types and keywords of schemas that are
// made from Go types, and panics on other types.
func newChecker(s *jsonschema.Schema) *checker {
	c := &checker{
		kind: s.Type, required: s.Required, order: s.PropertyOrder,
		rule: chemigram.Rule{Minimum: s.Minimum, Maximum: s.Maximum, Pattern: s.Pattern}, maxItems: math.MaxInt,
	}
	switch c.kind {
	case "object":
		c.properties = map[string]*checker{}
		for name, property := range s.Properties {
			c.properties[name] = newChecker(property)
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
			c.additional = newChecker(s.AdditionalProperties)
		}
	case "array":
		c.items = newChecker(s.Items)
		if s.MinItems != nil {
			c.minItems = *s.MinItems
		}
		if s.MaxItems != nil {
			c.maxItems = *s.MaxItems
		}
	case "string", "number", "integer", "boolean":
	case "":
		if len(s.Types) > 0 {
			panic(fmt.Sprintf("mcp: arguments of types %q cannot be checked", s.Types))
		}
	default:
		panic(fmt.Sprintf("mcp: arguments of type %q cannot be checked", s.Type))
	}
	if s.MinLength != nil {
		c.minLength = *s.MinLength
	}
	for _, value := range s.Enum {
		c.rule.Enum = append(c.rule.Enum, fmt.Sprint(value))
	}
	if s.Default != nil {
		dec := json.NewDecoder(bytes.NewReader(s.Default))
		dec.UseNumber()
		if err := dec.Decode(&c.fallback); err != nil {
			panic(fmt.Sprintf("mcp: the default %s is not JSON: %v", s.Default, err))
		}
	}
	c.expected = c.inWords(s)
	return c
}

// inWords puts the schema into words, for violations.
func (c *checker) inWords(s *jsonschema.Schema) string {
	switch {
	case c.rule.Enum != nil:
		return "one of " + strings.Join(c.rule.Enum, ", ")
	case c.rule.Pattern != "":
		return saysOf(s.Pattern)
	case c.minLength > 0:
		return "a text that is not blank"
	case s.MinItems != nil && s.MaxItems != nil && c.minItems == c.maxItems:
		return fmt.Sprintf("a list of %d", c.minItems)
	case c.minItems > 0:
		return fmt.Sprintf("a list of %d or more", c.minItems)
	case s.MaxItems != nil:
		return fmt.Sprintf("a list of at most %d", c.maxItems)
	}
	kind := map[string]string{
		"object": c.objectInWords(), "array": c.listInWords(), "string": "a text", "boolean": "true or false",
		"integer": "a whole number", "number": "a number",
	}[c.kind]
	switch {
	case c.rule.Minimum != nil && c.rule.Maximum != nil:
		return fmt.Sprintf("%s from %g to %g", kind, *c.rule.Minimum, *c.rule.Maximum)
	case c.rule.Minimum != nil:
		return fmt.Sprintf("%s, %g or more", kind, *c.rule.Minimum)
	case c.rule.Maximum != nil:
		return fmt.Sprintf("%s, at most %g", kind, *c.rule.Maximum)
	}
	return kind
}

// objectInWords says what an object has.
func (c *checker) objectInWords() string {
	switch {
	case c.kind != "object":
		return ""
	case c.additional != nil && c.additional.kind != "":
		return "an object of " + plurals[c.additional.kind] + " by name"
	case len(c.required) > 0:
		return "an object with " + strings.Join(c.required, ", ")
	}
	return "an object"
}

// listInWords says what a list has.
func (c *checker) listInWords() string {
	if c.kind != "array" || c.items.kind == "" {
		return "a list"
	}
	if c.items.kind == "object" && len(c.items.required) > 0 {
		return "a list of objects with " + strings.Join(c.items.required, ", ")
	}
	return "a list of " + plurals[c.items.kind]
}

var plurals = map[string]string{
	"object": "objects", "array": "lists", "string": "texts", "boolean": "true and false", "integer": "whole numbers", "number": "numbers",
}

// arguments reads and checks a call's arguments. renamed are the pointers of those that
// were given under a former name, by the present ones.
func (c *checker) arguments(raw json.RawMessage) (object map[string]any, renamed map[string]string, found []fault.Violation) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var value any
	err := dec.Decode(&value)
	if errors.Is(err, io.EOF) {
		err = nil // no arguments at all
	}
	if err == nil && dec.More() {
		err = errors.New("something follows")
	}
	if err != nil {
		return nil, nil, []fault.Violation{{Expected: "a JSON object", Got: fmt.Sprintf("no JSON (%v)", err)}}
	}
	if value == nil {
		value = map[string]any{}
	}
	renamed = c.formerly.Rename(value)
	value = c.check(value, "", &found)
	for i := range found {
		found[i].Pointer = formerly.Given(renamed, found[i].Pointer)
	}
	object, _ = value.(map[string]any)
	return object, renamed, found
}

// check appends the violations of a value to found, and returns the value without nulls
// and with defaults. at is its JSON pointer.
func (c *checker) check(value any, at string, found *[]fault.Violation) any {
	ok := false
	if c.kind == "" {
		return value // anything
	}
	switch v := value.(type) {
	case map[string]any:
		if ok = c.kind == "object"; ok {
			c.checkObject(v, at, found)
		}
	case []any:
		if ok = c.kind == "array" && c.minItems <= len(v) && len(v) <= c.maxItems; c.kind == "array" {
			for i := range v {
				v[i] = c.items.check(v[i], at+"/"+strconv.Itoa(i), found)
			}
		}
	case string:
		ok = c.kind == "string" && c.allowsText(v)
		if c.kind == "string" && len(v) > maxText {
			*found = append(*found, fault.Violation{
				Pointer: at, Expected: "a text of at most 1 MB", Got: fmt.Sprintf("one of %d MB", len(v)>>20),
			})
			return value
		}
	case bool:
		ok = c.kind == "boolean"
	case json.Number:
		value, ok = c.number(v)
	}
	if !ok {
		*found = append(*found, fault.Violation{Pointer: at, Expected: c.expected + c.hint(value), Got: describeValue(value)})
	}
	return value
}

// hint shows how a value of another kind would be right, or is "".
func (c *checker) hint(value any) string {
	text, isText := value.(string)
	text = fault.Shorten(text)
	switch {
	case c.kind == "array" && c.items.takes(value):
		if isText {
			return fmt.Sprintf(", such as [%q]", text)
		}
		return ": put it in [ ]"
	case c.kind == "object" && isText && len(c.required) <= 1:
		name := "name"
		if len(c.required) == 1 {
			name = c.required[0]
		}
		if property := c.properties[name]; property != nil && property.kind == "string" {
			return fmt.Sprintf(", such as {%q: %q}", name, text)
		}
	}
	return ""
}

// checkObject is check for an object, which it changes in place.
func (c *checker) checkObject(object map[string]any, at string, found *[]fault.Violation) {
	maps.DeleteFunc(object, func(_ string, value any) bool { return value == nil })
	meant := c.guesses(object)
	for _, name := range c.order {
		if value, ok := object[name]; ok {
			object[name] = c.properties[name].check(value, fault.Pointer(at, name), found)
		} else if slices.Contains(c.required, name) && !slices.Contains(slices.Collect(maps.Values(meant)), name) {
			*found = append(*found, fault.Violation{
				Pointer: fault.Pointer(at, name), Expected: c.properties[name].expected, Got: "nothing",
			})
		} else if fallback := c.properties[name].fallback; fallback != nil {
			object[name] = fallback
		}
	}
	var others []string
	for name := range object {
		if c.properties[name] == nil {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	for _, name := range others {
		if c.additional != nil {
			object[name] = c.additional.check(object[name], fault.Pointer(at, name), found)
			continue
		}
		*found = append(*found, c.unknown(at, name, meant[name], object[name]))
		if property := c.properties[meant[name]]; property != nil { // all that is wrong with it, at once
			property.check(object[name], fault.Pointer(at, fault.Shorten(name)), found)
		}
	}
}

// unknown is the violation of an argument that there is not; meant is the one that it
// was meant to be, or "".
func (c *checker) unknown(at, name, meant string, value any) fault.Violation {
	v := fault.Violation{Pointer: fault.Pointer(at, fault.Shorten(name)), Expected: c.knownNames(), Got: describeValue(value)}
	if meant != "" {
		v.Expected = meant + " instead"
		v.Says = fmt.Sprintf("%s is called %s here", fault.Shorten(name), meant)
	}
	return v
}

// knownNames is what is expected instead of an unknown argument.
func (c *checker) knownNames() string {
	if len(c.order) == 0 {
		return "no arguments"
	}
	return "no such argument; there are " + strings.Join(c.order, ", ")
}

// maxText is the longest string in arguments, in bytes: much more than any note has.
const maxText = 1 << 20

// allowsText reports whether a string obeys the schema.
func (c *checker) allowsText(text string) bool {
	return utf8.RuneCountInString(text) >= c.minLength &&
		(c.minLength == 0 || strings.TrimSpace(text) != "") && c.rule.AllowsText(text)
}

// number checks a number without rounding it. An integer may have a fraction of zeros
// or an exponent; it is returned in plain digits.
func (c *checker) number(n json.Number) (json.Number, bool) {
	f, err := n.Float64()
	if err != nil || (c.kind != "number" && c.kind != "integer") {
		return n, false
	}
	if c.kind == "integer" {
		whole, ok := plainInteger(n.String())
		if !ok {
			return n, false
		}
		n = json.Number(whole)
	}
	return n, c.rule.AllowsNumber(f)
}

// plainInteger returns a JSON number as the digits of an int64, if it is one.
func plainInteger(text string) (string, bool) {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return text, true
	}
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(text) > 64 || len(exponent) > 3 {
		return "", false
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok || !exact.IsInt() || !exact.Num().IsInt64() {
		return "", false
	}
	return exact.Num().String(), true
}

// describeValue is a JSON value as a message shows it.
func describeValue(value any) string {
	switch v := value.(type) {
	case string:
		return strconv.Quote(fault.Shorten(v))
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case nil:
		return "null"
	}
	return fault.Shorten(fmt.Sprint(value))
}
