package mcp

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/suggest"
)

// words are what arguments are called by agents that guess, and what tools call them,
// the likeliest first. A guess is told what the tool at hand has of these.
var words = map[string][]string{
	"a": {"hash_a"}, "b": {"hash_b"}, "ref_a": {"hash_a"}, "ref_b": {"hash_b"}, "right": {"hash_b"},
	"ref1": {"hash_a"}, "ref2": {"hash_b"}, "hash1": {"hash_a"}, "hash2": {"hash_b"}, "version_a": {"hash_a"}, "version_b": {"hash_b"},
	"before": {"hash_a", "until"}, "after": {"hash_b", "since"}, "to": {"hash_b", "ref_or_hash", "until", "targets"}, "base": {"hash_a"},
	"from": {"hash_a", "since"}, "source": {"image_id", "hash_a"}, "target": {"targets", "ref_or_hash"}, "other": {"hash_b"},
	"l1": {"l1_template"}, "l2": {"l2_template"}, "look": {"l2_template"}, "template": {"l2_template", "l1_template"},
	"id": {"image_id", "proposal_id", "session_id"}, "image": {"image_id"}, "img": {"image_id"}, "photo": {"image_id"}, "picture": {"image_id"},
	"image_name": {"image_id"}, "images": {"targets", "items", "image_id"}, "image_ids": {"targets", "items"},
	"move": {"primitive_name"}, "move_name": {"primitive_name"}, "primitive": {"primitive_name"}, "entry": {"primitive_name"},
	"name": {"primitive_name", "module_name", "label", "image_id", "mask"}, "adjustment": {"primitive_name"}, "operation": {"primitive_name", "op"},
	"amount": {"value", "strength"}, "ev": {"value"}, "val": {"value"}, "level": {"value", "strength"}, "intensity": {"strength", "value"},
	"params": {"values", "fields"}, "parameters": {"values", "fields"}, "settings": {"values", "fields"}, "args": {"values"},
	"path": {"raw_path", "bundle_path", "output_dir"}, "file": {"raw_path", "bundle_path", "path"}, "raw": {"raw_path"}, "raw_file": {"raw_path"},
	"file_path": {"raw_path", "bundle_path", "path"}, "filename": {"raw_path", "output_dir"}, "input": {"raw_path"},
	"ref": {"ref_or_hash", "hash", "event", "from"}, "hash": {"ref_or_hash", "event", "ref"}, "version": {"ref_or_hash", "hash", "event"},
	"snapshot": {"ref_or_hash", "event", "hash"}, "commit": {"ref_or_hash", "event", "hash"}, "revision": {"ref_or_hash", "event"},
	"branch": {"ref_or_hash", "name", "ref"}, "tag": {"ref_or_hash", "name"}, "state": {"ref_or_hash"}, "event": {"ref_or_hash", "hash"},
	"start": {"from", "offset"}, "at": {"ref_or_hash", "from", "hash"},
	"width": {"size"}, "height": {"size"}, "max_size": {"size"}, "resolution": {"size"}, "dimension": {"size"}, "longest_edge": {"size"}, "pixels": {"size"},
	"search": {"query"}, "words": {"query"}, "text": {"query", "content", "label", "description"}, "q": {"query"}, "keywords": {"query", "tags"},
	"filter": {"query", "tags"}, "keyword": {"query"}, "request": {"query"},
	"n": {"limit"}, "count": {"limit"}, "max": {"limit"}, "page_size": {"limit"}, "max_results": {"limit"}, "skip": {"offset"}, "page": {"offset"},
	"message": {"label", "content", "description"}, "title": {"label", "name"}, "comment": {"label", "content"}, "caption": {"label"},
	"module": {"module_name"}, "operation_name": {"module_name"},
	"dir": {"output_dir"}, "folder": {"output_dir"}, "output": {"output_dir"}, "output_path": {"output_dir"}, "dest": {"output_dir"},
	"destination": {"output_dir"}, "out": {"output_dir"}, "directory": {"output_dir"},
	"type": {"format", "kind"}, "ext": {"format"}, "extension": {"format"}, "file_format": {"format"},
	"timeout": {"timeout_seconds"}, "seconds": {"timeout_seconds"},
	"note": {"content"}, "notes": {"content"}, "markdown": {"content"}, "proposal": {"proposal_id"}, "session": {"session_id"},
	"left": {"x", "hash_a"}, "top": {"y"}, "w": {"width"}, "h": {"height"}, "reference": {"image_id"}, "size": {"radius"},
	"mask_name": {"mask"}, "crop": {"region"}, "roi": {"region"}, "area": {"region", "mask"}, "selection": {"mask"}, "masks": {"mask"},
	"stars": {"rating"}, "label": {"name", "color_label"}, "labels": {"color_labels"}, "why": {"reason"}, "force": {"confirm"},
	"feather": {"softness"}, "falloff": {"softness"}, "min": {"from"}, "angle": {"rotation"}, "cx": {"x"}, "cy": {"y"}, "r": {"radius"},
	"subject": {"query", "tags"}, "gap": {"description"}, "fix": {"workaround"},
}

// guesses returns, for names that an object may not have, the properties that they were
// meant to be: by the words of those who guess, or as the nearest name. Each property is
// meant by one name at most, and not when it is given.
func (c *checker) guesses(object map[string]any) map[string]string {
	meant := map[string]string{}
	if c.additional != nil {
		return meant
	}
	free := func(name string) bool {
		_, given := object[name]
		return c.properties[name] != nil && !given && !slices.Contains(slices.Collect(maps.Values(meant)), name)
	}
	for _, guess := range slices.Sorted(maps.Keys(object)) {
		if c.properties[guess] != nil {
			continue
		}
		plain := strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(guess))
		likely := append(slices.Clone(words[plain]), plain)
		if len(plain) >= fewestLetters {
			likely = append(likely, suggest.Nearest(plain, c.order)...)
		}
		likely = slices.DeleteFunc(likely, func(name string) bool { return !free(name) })
		if fits := slices.IndexFunc(likely, func(name string) bool { return c.properties[name].takes(object[guess]) }); fits > 0 {
			likely = likely[fits:]
		}
		if len(likely) > 0 {
			meant[guess] = likely[0]
		}
	}
	return meant
}

// fewestLetters is how many letters a name has that others are like: any name of one
// letter is like any other.
const fewestLetters = 3

// takes reports whether a value is of the kind that the schema has.
func (c *checker) takes(value any) bool {
	switch value.(type) {
	case string:
		return c.kind == "string"
	case json.Number:
		return c.kind == "number" || c.kind == "integer"
	case bool:
		return c.kind == "boolean"
	case []any:
		return c.kind == "array"
	case map[string]any:
		return c.kind == "object"
	}
	return c.kind == ""
}
