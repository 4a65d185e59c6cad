package redact

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// corpusLines reads a file of testdata. No secret in it was ever one: all were drawn.
func corpusLines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) < 300 {
		t.Fatalf("%s has %d lines, want 300 at least", name, len(lines))
	}
	return lines
}

// TestOfThreeHundredSecretsAtLeast99PercentAreHidden asks that nothing of them can be
// read, wherever they stand: in a text, and in a field of a JSON value.
func TestOfThreeHundredSecretsAtLeast99PercentAreHidden(t *testing.T) {
	t.Parallel()
	lines := corpusLines(t, "secrets.tsv")
	var shown []string
	for _, line := range lines {
		secret, text, _ := strings.Cut(line, "\t")
		text = strings.ReplaceAll(text, `\n`, "\n")
		hidden := Text(text)
		value, found := Value(map[string]any{"params": []any{text}})
		inside, err := json.Marshal(value)
		if strings.Contains(hidden, secret) || !strings.Contains(hidden, Mark) || !found || err != nil || strings.Contains(string(inside), secret) {
			shown = append(shown, text+"\n\t\tbecame "+hidden)
		}
		if again := Text(hidden); again != hidden {
			t.Errorf("%q, redacted again, became %q", hidden, again)
		}
	}
	t.Logf("%d of %d are shown:\n\t%s", len(shown), len(lines), strings.Join(shown, "\n\t"))
	if len(shown)*100 > len(lines) {
		t.Errorf("%d of %d secrets are shown, more than 1 %%", len(shown), len(lines))
	}
}

func TestOfThreeHundredLookAlikesAtMost1PercentAreHidden(t *testing.T) {
	t.Parallel()
	lines := corpusLines(t, "lookalikes.txt")
	var changed []string
	for _, text := range lines {
		if hidden := Text(text); hidden != text {
			changed = append(changed, text+"\n\t\tbecame "+hidden)
		}
	}
	t.Logf("%d of %d are hidden:\n\t%s", len(changed), len(lines), strings.Join(changed, "\n\t"))
	if len(changed)*100 > len(lines) {
		t.Errorf("%d of %d look-alikes are hidden, more than 1 %%", len(changed), len(lines))
	}
}

func TestAllThatIsUnderASecretsNameIsHidden(t *testing.T) {
	t.Parallel()
	var value any
	if err := json.Unmarshal([]byte(`{"password": 12345678, "x-api-key": ["a", "b"], "credentials": {"user": "x", "n": 1}, "awsSecretAccessKey": 1.5,
		"Set-Cookie": ["a=b"], "passphrase": "two words", "token": true, "secret": null, "api_key": "", "keywords": ["key"], "image_id": "a", "ghp_abcdefghijklmnopqrstuvwxyz0123456789": 1}`), &value); err != nil {
		t.Fatal(err)
	}
	got, found := Value(value)
	fields := got.(map[string]any)
	for _, name := range []string{"password", "x-api-key", "credentials", "awsSecretAccessKey", "Set-Cookie", "passphrase"} {
		if fields[name] != Mark {
			t.Errorf("%s is %v", name, fields[name])
		}
	}
	if !found || fields["token"] != true || fields["secret"] != nil || fields["api_key"] != "" || fields["image_id"] != "a" || fields[Mark] != 1.0 {
		t.Errorf("the rest is %v", fields)
	}
}

func TestJSONKeepsItsNumbersAndWhatIsNoSecret(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"a": 12345678901234567890, "reason": "a blur"}`: `{"a": 12345678901234567890, "reason": "a blur"}`,
		`{"a":12345678901234567890,"token":"x"}`:          `{"a":12345678901234567890,"token":"` + Mark + `"}`,
		`password=hunter2 {`:                              `"password=` + Mark + ` {"`,
	} {
		if got := string(JSON(json.RawMessage(in))); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("password: \"a b")
	f.Add("Authorization: Basic dXNlcjpwYXNz")
	f.Fuzz(func(t *testing.T, text string) {
		once := Text(text)
		if len(once) > 10*len(text)+100 {
			t.Errorf("%q became %d bytes", text, len(once))
		}
	})
}
