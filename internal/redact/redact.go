// Package redact hides what looks like a secret (a token, a key, a password in
// a URL) in texts that are kept or shown: logs, transcripts and the audit log.
package redact

import (
	"encoding/json"
	"strings"
)

// Mark replaces a secret.
const Mark = "[hidden]"

// Text returns text with [Mark] in place of everything that looks like a secret: what
// is said to be one by a name before it, what has the form of a service's keys, and
// what stands before the host of a URL.
func Text(text string) string {
	lower, run := strings.ToLower(text), longestRun(text)
	for _, p := range patterns {
		if run >= p.run && containsAny(lower, p.hints) {
			text = p.hide(text)
		}
	}
	if containsAny(lower, nameHints) {
		text = hideNamed(text)
	}
	return text
}

// longestRun is how many letters, digits, hyphens and underscores stand in a row.
func longestRun(text string) (longest int) {
	run := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			run++
			longest = max(longest, run)
		default:
			run = 0
		}
	}
	return longest
}

func containsAny(text string, substrings []string) bool {
	for _, s := range substrings {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// Value replaces the secrets in a decoded JSON value: those that [Text] finds in its
// strings and in the names of its fields, and all that is in fields with a [Key] of
// secrets, but for true, false, null and an empty string. Maps and slices are changed in
// place. It reports whether there was a secret.
func Value(value any) (redacted any, found bool) {
	switch v := value.(type) {
	case string:
		text := Text(v)
		return text, text != v
	case []any:
		for i := range v {
			v[i] = redactInner(v[i], &found)
		}
	case map[string]any:
		for name, inner := range v {
			if hidden := Text(name); hidden != name {
				delete(v, name)
				v[hidden], found = redactInner(inner, &found), true
				continue
			}
			if saysSomething(inner) && Key(name) {
				v[name], found = Mark, true
				continue
			}
			v[name] = redactInner(inner, &found)
		}
	}
	return value, found
}

// saysSomething reports whether a value can be a secret.
func saysSomething(value any) bool {
	switch v := value.(type) {
	case nil, bool:
		return false
	case string:
		return v != "" && v != Mark
	}
	return true
}

// redactInner is [Value] for a part of a value. It sets found when there was a secret.
func redactInner(value any, found *bool) any {
	redacted, secret := Value(value)
	*found = *found || secret
	return redacted
}

// JSON is [Value] for an encoded value. Text that is no JSON is redacted as [Text].
func JSON(encoded json.RawMessage) json.RawMessage {
	var value any
	decoder := json.NewDecoder(strings.NewReader(string(encoded)))
	decoder.UseNumber() // numbers keep their digits
	if decoder.Decode(&value) != nil {
		if text := Text(string(encoded)); text != string(encoded) {
			quoted, _ := json.Marshal(text)
			return quoted
		}
		return encoded
	}
	redacted, found := Value(value)
	if !found {
		return encoded
	}
	out, err := json.Marshal(redacted)
	if err != nil {
		return json.RawMessage(`"` + Mark + `"`)
	}
	return out
}
