// Package redact hides what looks like a secret (a token, a key, a password in
// a URL) in texts that are kept or shown: logs and transcripts.
package redact

import (
	"regexp"
	"strings"
)

// Mark replaces a secret.
const Mark = "[hidden]"

var secretKey = regexp.MustCompile(`(?i)^(authorization|cookie|.*(token|secret|password|passwd|api_?key|private_?key))$`)

// Key reports whether name is that of a field whose value is a secret, such as
// api_key or authorization.
func Key(name string) bool { return secretKey.MatchString(name) }

// A pattern finds one kind of secret in a text.
type pattern struct {
	// hints are substrings, in lower case, of which every such secret has at least
	// one. They are looked for first: the expression takes a hundred times longer,
	// and most texts have no hint.
	hints []string
	// secret matches the secret. What its first group matches is kept.
	secret *regexp.Regexp
}

var patterns = []pattern{
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

// Text returns text with [Mark] in place of everything that looks like a secret.
func Text(text string) string {
	lower := strings.ToLower(text)
	for _, p := range patterns {
		if containsAny(lower, p.hints) {
			text = p.secret.ReplaceAllString(text, "${1}"+Mark)
		}
	}
	return text
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
// strings, and the strings in fields with a [Key] of secrets. Maps and slices are
// changed in place. It reports whether there was a secret.
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
			if _, isText := inner.(string); isText && Key(name) {
				v[name], found = Mark, true
				continue
			}
			v[name] = redactInner(inner, &found)
		}
	}
	return value, found
}

// redactInner is [Value] for a part of a value. It sets found when there was a secret.
func redactInner(value any, found *bool) any {
	redacted, secret := Value(value)
	*found = *found || secret
	return redacted
}
