// Package redact hides what looks like a secret (a token, a key, a password in
// a URL) in texts that are kept or shown: logs and transcripts.
package redact

import (
	"regexp"
	"strings"
)

// Mark takes a secret's place.
const Mark = "[hidden]"

var secretKey = regexp.MustCompile(`(?i)^(authorization|cookie|.*(token|secret|password|passwd|api_?key|private_?key))$`)

// Key reports whether a field's name says that its value is a secret, as api_key
// and authorization do.
func Key(name string) bool { return secretKey.MatchString(name) }

// A shape is what a kind of secret looks like in running text. The first group
// of the expression stays.
type shape struct {
	// signs are parts of which a text with such a secret has at least one, in
	// lower case. They are looked for first: expressions take a hundred times
	// longer, and most texts have no sign.
	signs []string
	find  *regexp.Regexp
}

var shapes = []shape{
	{[]string{"bearer", "basic"}, regexp.MustCompile(`(?i)\b(bearer\s+|basic\s+)[A-Za-z0-9._~+/=-]{8,}`)},
	{
		[]string{"token", "secret", "passw", "api"},
		regexp.MustCompile(`(?i)\b((?:[a-z0-9_-]*(?:token|secret|password|passwd|api[_-]?key))["']?\s*[=:]\s*["']?)[^\s"'&,;}]+`),
	},
	{[]string{"://"}, regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)[^\s/@]*:[^\s/@]+@`)},
	{
		[]string{"sk", "pk", "ghp", "gho", "ghs", "github_pat", "glpat", "xox"},
		regexp.MustCompile(`()\b(?:sk|pk|ghp|gho|ghs|github_pat|glpat|xox[abprs])[-_][A-Za-z0-9_-]{12,}`),
	},
	{[]string{"akia"}, regexp.MustCompile(`()\bAKIA[A-Z0-9]{16}\b`)},
	{[]string{"eyj"}, regexp.MustCompile(`()\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`)},
	{[]string{"private key"}, regexp.MustCompile(`()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)},
}

// Text puts [Mark] in the place of what looks like a secret.
func Text(text string) string {
	lower := strings.ToLower(text)
	for _, s := range shapes {
		if containsAny(lower, s.signs) {
			text = s.find.ReplaceAllString(text, "${1}"+Mark)
		}
	}
	return text
}

func containsAny(text string, signs []string) bool {
	for _, sign := range signs {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// Value hides the secrets in the texts of a decoded JSON value: those that [Text]
// finds, and the values of fields whose [Key] says so. Maps and lists are changed
// in place. It reports whether it hid anything.
func Value(value any) (clean any, hid bool) {
	switch v := value.(type) {
	case string:
		text := Text(v)
		return text, text != v
	case []any:
		for i := range v {
			v[i] = note(&hid, v[i])
		}
	case map[string]any:
		for name, inner := range v {
			if _, isText := inner.(string); isText && Key(name) {
				v[name], hid = Mark, true
				continue
			}
			v[name] = note(&hid, inner)
		}
	}
	return value, hid
}

func note(hid *bool, value any) any {
	clean, found := Value(value)
	*hid = *hid || found
	return clean
}
