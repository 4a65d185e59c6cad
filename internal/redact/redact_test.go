package redact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTextReplacesSecrets(t *testing.T) {
	t.Parallel()
	for secret, want := range map[string]string{
		"Authorization: Bearer abcdefgh12345678":                              "Authorization: Bearer " + Mark,
		"https://me:hunter22@example.org/x":                                   "https://" + Mark + "example.org/x",
		"api_key=abc123def&x=1":                                               "api_key=" + Mark + "&x=1",
		`"password": "hunter22"`:                                              `"password": "` + Mark + `"`,
		"see ghp_abcdefghijklmnop1234.":                                       "see " + Mark + ".",
		"AKIAABCDEFGHIJKLMNOP":                                                Mark,
		"client_secret: s3cr3t":                                               "client_secret: " + Mark,
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x":                              Mark,
		"-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----": Mark,
		"-----BEGIN PRIVATE KEY-----\ncut off":                                Mark,
	} {
		got := Text(secret)
		if got != want {
			t.Errorf("%q became %q, want %q", secret, got, want)
		}
		if again := Text(got); again != got {
			t.Errorf("%q, redacted again, became %q", got, again)
		}
	}
}

func TestTextKeepsWhatIsNoSecret(t *testing.T) {
	t.Parallel()
	const plain = "there is no image \"nope\" in /home/x/photos: see https://example.org/a@b, token ring, a secret place"
	if got := Text(plain); got != plain {
		t.Errorf("became %q", got)
	}
}

func TestValueReplacesSecretsAtEveryDepth(t *testing.T) {
	t.Parallel()
	got, found := Value(map[string]any{
		"label": "token=abc123", "api_key": "plain", "tokens": 3.0, "value": 0.5, "none": nil,
		"list": []any{"warm", map[string]any{"url": "https://me:hunter22@example.org"}},
	})
	want := map[string]any{
		"label": "token=" + Mark, "api_key": Mark, "tokens": 3.0, "value": 0.5, "none": nil,
		"list": []any{"warm", map[string]any{"url": "https://" + Mark + "example.org"}},
	}
	if diff := cmp.Diff(any(want), got); diff != "" || !found {
		t.Errorf("found is %v (-want +got):\n%s", found, diff)
	}
	if _, found := Value(map[string]any{"image_id": "a", "values": []any{1.0, "x"}}); found {
		t.Error("a secret was found where there is none")
	}
}

// Almost no text has a hint of a secret, so that the expressions are not tried.
func BenchmarkText(b *testing.B) {
	text := strings.Repeat("the darkest parts of the picture, lifted by a third of a stop; ", 16)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Text(text)
	}
}
