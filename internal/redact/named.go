package redact

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// nameHints are parts of every name of a secret, in lower case.
var nameHints = []string{"pass", "pwd", "pw", "secret", "token", "key", "cred", "cookie", "auth", "jwt", "bearer", "psk", "otp", "sig", "kennwort"}

// named matches a name of up to four words with what gives it a value: a sign of
// equality, a colon, or for a flag of a command line a blank.
var named = regexp.MustCompile(
	`(--?[A-Za-z][A-Za-z0-9_-]*)(?:=|[ \t]+)` + `|` +
		`((?:[A-Za-z][A-Za-z0-9_.-]*[ ]){0,3}[A-Za-z][A-Za-z0-9_.-]*)\\?["'` + "`" + `]?[ \t]*(?:=>|:=|==|=|:)[ \t]*`)

// hideNamed hides the values of names of secrets.
func hideNamed(text string) string {
	var out strings.Builder
	for {
		at := named.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		isFlag, from, to := at[2] >= 0, at[4], at[5]
		if isFlag {
			from, to = at[2], at[3]
		}
		name, rest := words(text[from:to]), text[at[1]:]
		if said := lastOf(name, 1); len(name) > 1 && slices.Contains([]string{"is", "are", "was"}, said[0]) {
			name = name[:len(name)-1] // the password is: …
		}
		if !isSecret(name) && !isSecret(lastOf(name, 2)) && !isSecret(lastOf(name, 1)) || strings.HasPrefix(rest, "//") {
			out.WriteString(text[:at[1]])
			text = rest
			continue
		}
		out.WriteString(text[:at[1]])
		s := saying{name: name, sign: strings.TrimSpace(text[to:at[1]]), isFlag: isFlag}
		kept, length := s.secret(rest)
		if length > 0 {
			out.WriteString(rest[:kept] + Mark)
		}
		text = rest[max(length, 0):]
	}
	out.WriteString(text)
	return out.String()
}

func lastOf(list []string, n int) []string { return list[max(0, len(list)-n):] }

// saying is a name and how it is given a value.
type saying struct {
	name   []string
	sign   string
	isFlag bool
}

// schemes are the words before the secret of an Authorization header.
var schemes = []string{"bearer", "basic", "token", "apikey", "digest", "negotiate", "aws4-hmac-sha256"}

// innocent are the words that are said of a secret and are none.
var innocent = []string{
	"true", "false", "yes", "no", "on", "off", "null", "nil", "none", "undefined", "empty", "required", "optional", "missing", "invalid", "expired",
	"wrong", "rejected", "accepted", "unknown", "unset", "set", "not", "must", "is", "was", "has", "should", "the", "a", "an", "your", "my", "to",
	"for", "and", "or", "in", "string", "number", "text", "type", "refused", "denied", "needed", "absent", "given", "revoked", "rotated",
}

// secret finds the secret that begins a text: what of the text before it stays, and
// where it ends. A length of 0 is none.
func (s saying) secret(text string) (kept, length int) {
	if text == "" || strings.HasPrefix(text, Mark) {
		return 0, 0
	}
	if quote, inside, ok := quoted(text); ok {
		if inside == "" || inside == Mark {
			return 0, 0
		}
		return len(quote), len(quote) + len(inside)
	}
	end := strings.IndexAny(text, " \t\r\n\"'`&,;)}]<>")
	if end < 0 {
		end = len(text)
	}
	value := text[:end]
	line, _, _ := strings.Cut(text, "\n")
	switch last := s.name[len(s.name)-1]; {
	case last == "authorization" && slices.Contains(schemes, strings.ToLower(value)) && strings.HasPrefix(text[end:], " "):
		return afterScheme(line, end)
	case last == "cookie" || last == "cookies":
		if !strings.Contains(value, "=") || strings.Contains(value, Mark) {
			return 0, 0
		}
		return 0, len(strings.TrimRight(line, "\r\"'`"))
	case last == "passphrase" && !s.isFlag && s.sign != "=":
		if s.isInnocent(value) {
			return 0, 0
		}
		return 0, len(strings.TrimRight(line, "\r\"'`.,;"))
	}
	if s.isHarmless(value) {
		return 0, 0
	}
	return 0, len(strings.TrimRight(value, ".:!?"))
}

// afterScheme finds the secret of an Authorization header behind its scheme, which
// ends at a place of the line.
func afterScheme(line string, end int) (kept, length int) {
	rest := strings.TrimLeft(line[end:], " ")
	if rest == "" || strings.HasPrefix(rest, Mark) || strings.HasPrefix(rest, "[") {
		return 0, 0
	}
	return len(line) - len(rest), len(strings.TrimRight(line, "\r\"'`"))
}

// isHarmless reports whether a value is no secret: nothing, a common word, the next
// flag, the name of a variable, or a placeholder.
func (s saying) isHarmless(value string) bool {
	return value == "" || s.isInnocent(value) || s.isProse(value) ||
		s.isFlag && strings.HasPrefix(value, "-") || len(value) > 1 && value[0] == '$' || value[0] == '['
}

func (s saying) isInnocent(value string) bool {
	return slices.Contains(innocent, strings.ToLower(strings.Trim(value, ".:!?…*<>")))
}

// isProse reports whether what follows a name and a colon is a sentence rather than a
// secret: a word of letters alone after a name that is also a common word.
func (s saying) isProse(value string) bool {
	common := []string{"secret", "secrets", "token", "cookie", "authorization", "auth", "pass", "credential", "credentials", "key", "bearer", "sig", "otp", "pw"}
	if s.name[len(s.name)-1] == "pass" && isShortNumber(value) {
		return true
	}
	if s.sign == "=" || s.sign == ":=" || !slices.Contains(common, s.name[len(s.name)-1]) {
		return false
	}
	letters := strings.IndexFunc(strings.Trim(value, ".:!?-…"), func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' }) < 0
	if s.isFlag {
		return letters && len(value) < 8
	}
	return letters && len(value) <= 14 || isShortNumber(value) && s.name[len(s.name)-1] != "otp"
}

// isShortNumber reports whether a value is a number that counts or measures something.
func isShortNumber(value string) bool {
	value = strings.TrimRight(value, "%.")
	return len(value) > 0 && len(value) <= 5 && strings.Trim(value, "0123456789.,+-/") == ""
}

// quoted takes a quoted text from the beginning of another. A quotation that does not
// end goes to the end of its line.
func quoted(text string) (quote, inside string, ok bool) {
	for _, q := range []string{`\"`, `"`, `'`, "`", "“", "„", "«"} {
		rest, found := strings.CutPrefix(text, q)
		if !found {
			continue
		}
		closing := map[string]string{"“": "”", "„": "“", "«": "»"}[q]
		if closing == "" {
			closing = q
		}
		for at := 0; at < len(rest); at++ {
			if strings.HasPrefix(rest[at:], closing) {
				return q, rest[:at], true
			}
			if rest[at] == '\\' && q == `"` {
				at++
			} else if rest[at] == '\n' {
				return q, rest[:at], true
			}
		}
		return q, rest, true
	}
	return "", "", false
}
