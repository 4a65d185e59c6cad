package vocab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

const maxDepth = 16

// node is a JSON value with its line in the file, for errors. Objects keep the
// order of their keys.
type node struct {
	line  int
	value any // nil, bool, float64, string; for containers nil
	kind  nodeKind
	items []*node  // of an array, or an object's values
	keys  []string // of an object
}

type nodeKind uint8

const (
	nullNode nodeKind = iota
	boolNode
	numberNode
	stringNode
	arrayNode
	objectNode
)

func (k nodeKind) String() string {
	return [...]string{"null", "true or false", "a number", "a text", "a list", "an object"}[k]
}

// jsonError is an error in the text itself.
type jsonError struct {
	line int
	key  string
	msg  string
}

func (e *jsonError) Error() string { return e.msg }

// parseJSON reads one JSON value and nothing after it. Keys that occur twice
// in one object are refused.
func parseJSON(data []byte) (*node, *jsonError) {
	if !utf8.Valid(data) {
		return nil, &jsonError{line: 1, msg: "not JSON: the text is not UTF-8"}
	}
	p := &jsonParser{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	n, err := p.value(0, "")
	if err != nil {
		return nil, p.wrap(err)
	}
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, &jsonError{line: p.line(), msg: "more text after the end of the JSON value"}
	}
	return n, nil
}

type jsonParser struct {
	data    []byte
	dec     *json.Decoder
	counted int64 // the offset up to which lines are counted
	lines   int
}

func (p *jsonParser) line() int {
	at := min(p.dec.InputOffset(), int64(len(p.data)))
	p.lines += bytes.Count(p.data[p.counted:at], []byte("\n"))
	p.counted = at
	return p.lines + 1
}

func (p *jsonParser) wrap(err error) *jsonError {
	if e, ok := errors.AsType[*jsonError](err); ok {
		return e
	}
	msg := err.Error()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		msg = "the text ends too early"
	}
	return &jsonError{line: p.line(), msg: "not JSON: " + msg}
}

func (p *jsonParser) value(depth int, key string) (*node, error) {
	if depth > maxDepth {
		return nil, &jsonError{line: p.line(), key: key, msg: fmt.Sprintf("nested deeper than %d levels", maxDepth)}
	}
	tok, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	n := &node{line: p.line()}
	switch t := tok.(type) {
	case nil:
		n.kind = nullNode
	case bool:
		n.kind, n.value = boolNode, t
	case string:
		n.kind, n.value = stringNode, t
	case json.Number:
		f, err := strconv.ParseFloat(t.String(), 64)
		if err != nil {
			return nil, &jsonError{line: n.line, key: key, msg: fmt.Sprintf("the number %s is too large", t)}
		}
		n.kind, n.value = numberNode, f
	case json.Delim:
		if t == '[' {
			return n, p.array(n, depth, key)
		}
		return n, p.object(n, depth, key)
	}
	return n, nil
}

func (p *jsonParser) array(n *node, depth int, key string) error {
	n.kind = arrayNode
	for p.dec.More() {
		item, err := p.value(depth+1, fmt.Sprintf("%s[%d]", key, len(n.items)))
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	_, err := p.dec.Token()
	return err
}

func (p *jsonParser) object(n *node, depth int, key string) error {
	n.kind = objectNode
	seen := map[string]bool{}
	for p.dec.More() {
		tok, err := p.dec.Token()
		if err != nil {
			return err
		}
		name := tok.(string) // the decoder admits nothing else here
		at := joinKey(key, name)
		if seen[name] {
			return &jsonError{line: p.line(), key: at, msg: "the key occurs twice"}
		}
		seen[name] = true
		item, err := p.value(depth+1, at)
		if err != nil {
			return err
		}
		n.keys, n.items = append(n.keys, name), append(n.items, item)
	}
	_, err := p.dec.Token()
	return err
}

// joinKey gives the path of a key in an object at a path.
func joinKey(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
