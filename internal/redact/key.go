package redact

import (
	"slices"
	"strings"
	"unicode"
)

// Key reports whether name is that of a field whose value is a secret, such as
// api_key, X-Api-Key, awsSecretAccessKey or authorization, in whatever way its words are
// joined.
func Key(name string) bool { return isSecret(words(name)) }

// secretEnds are the last words of the names of secrets.
var secretEnds = []string{
	"password", "passwd", "pwd", "passphrase", "passcode", "secret", "secrets", "token", "jwt",
	"credential", "credentials", "creds", "authorization", "cookie", "cookies", "bearer", "otp",
	"apikey", "accesskey", "secretkey", "privatekey", "authkey", "signingkey", "encryptionkey", "accountkey",
	"api key", "api keys", "access key", "access keys", "access key id", "secret key", "private key", "auth key", "signing key", "encryption key",
	"account key", "storage key", "service key", "master key", "shared access key", "subscription key", "deploy key",
	"session key", "app key", "client key", "webhook key", "license key", "recovery key", "signature key",
	"accesstoken", "refreshtoken", "authtoken", "clientsecret", "passwort", "kennwort",
	"amz signature", "amz credential", "sas signature",
}

// bare are names that are secrets alone, and say nothing at the end of others.
var bare = []string{"pass", "auth", "pw", "psk", "pgpassword", "sshpass", "x auth", "sig", "mysql pwd"}

// harmless are the beginnings of names that end like a secret's and are none: they tell
// whether there is one, how it is made, or where a list goes on.
var harmless = []string{"has", "is", "needs", "need", "requires", "require", "no", "num", "max", "min", "page", "next", "continuation", "sync", "public", "without"}

// isSecret reports whether words are the name of a secret.
func isSecret(name []string) bool {
	if len(name) == 0 || slices.Contains(harmless, name[0]) && len(name) > 1 {
		return false
	}
	joined := strings.Join(name, " ")
	if slices.Contains(bare, joined) {
		return true
	}
	for _, end := range secretEnds {
		if joined == end || strings.HasSuffix(joined, " "+end) {
			return true
		}
		// PGPASSWORD, DBPASSWORD, MYAPIKEY: words that nothing parts.
		if len(end) >= 6 && len(name) == 1 && strings.HasSuffix(joined, end) && !strings.Contains(end, " ") {
			return true
		}
	}
	return false
}

// words takes a name apart, where its letters change from small to capital and where
// there is neither a letter nor a digit, and gives its words in lower case.
func words(name string) (list []string) {
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			list = append(list, strings.ToLower(word.String()))
			word.Reset()
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			continue
		}
		small := i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]))
		last := i > 0 && unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if unicode.IsUpper(r) && (small || last) {
			end()
		}
		word.WriteRune(r)
	}
	end()
	return list
}
