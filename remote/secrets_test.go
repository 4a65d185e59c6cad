package remote

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gocloud.dev/blob"
	"gocloud.dev/blob/gcsblob"
	"gocloud.dev/gcp"

	"github.com/chemigram/chemigram/objects"
)

// sealedLips fails when an error has a credential or the query of a URL.
func sealedLips(t *testing.T, err error) {
	t.Helper()
	for _, secret := range []string{secretKey, accessKey, "hunter2", "sig=", "Signature=", "Security-Token", "x-id="} {
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%q is in: %v", secret, err)
		}
	}
}

func TestALocationHasNoCredentials(t *testing.T) {
	t.Parallel()
	for _, location := range []string{
		"s3://AKID:hunter2@pictures", "s3://hunter2@pictures", "s3://pictures?X-Amz-Signature=hunter2", "s3://pictures?awsaccesskeyid=hunter2",
		"s3://pictures?endpoint=https://u:hunter2@host", "s3://pictures?endpoint=https://host%3Fsig%3Dhunter2", "s3://pictures?profile=hunter2",
		"s3://pictures?role=arn:hunter2", "s3://pictures#hunter2", "s3://pictures?prefix=a&prefix=hunter2", "s3://pictures/hunter2", "s3://pictures?%zz=hunter2",
		"azblob://pictures?sig=hunter2", "azblob://pictures?domain=hunter2.example.com", "azblob://pictures?protocol=http", "azblob://pictures?localemu=true",
		"gs://pictures?access_id=hunter2", "gs://pictures?private_key_path=/hunter2", "gs://pictures?universe_domain=hunter2",
		"https://host/hunter2?sig=hunter2", "hunter2", "", "s3://", "s3://a", "s3:hunter2", "s3://pic tures", "mem://hunter2", "file://hunter2", "file://host/hunter2",
		"s3://pictures?prefix=../hunter2", "s3://pictures?prefix=/a", "s3://pictures?prefix=.hunter2", "s3://pictures?prefix=a%20b",
		"s3://pictures?prefix=" + strings.Repeat("a", 3000), "\x7f://hunter2",
	} {
		_, err := Open(t.Context(), location)
		if !errors.Is(err, objects.Invalid) {
			t.Errorf("%s: %v", location, err)
		}
		sealedLips(t, err)
	}
}

// A server answers what it was sent, and the network's errors have URLs.
func TestErrorsHaveNoCredentials(t *testing.T) {
	t.Parallel()
	echo := newFront(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := r.URL.String() + " " + r.Header.Get("Authorization") + " " + secretKey
		w.Header().Set("Location", "http://127.0.0.1:1/?sig=hunter2")
		w.WriteHeader(map[string]int{http.MethodGet: 400, http.MethodPut: 307, http.MethodDelete: 403}[r.Method])
		_, _ = w.Write([]byte("<Error><Code>" + sent + "</Code><Message>" + sent + "</Message></Error>"))
	}))
	s := open(t, echo.location("pictures"))
	_, getErr := s.Get(t.Context(), "a")
	_, _, listErr := s.List(t.Context(), "", "")
	for _, err := range []error{getErr, listErr, s.Create(t.Context(), "a", strings.NewReader("x")), s.Delete(t.Context(), "a")} {
		if err == nil {
			t.Error("no error")
		}
		sealedLips(t, err)
		for cause := err; cause != nil; cause = errors.Unwrap(cause) {
			sealedLips(t, cause)
		}
	}
}

func TestTextsAreHidden(t *testing.T) {
	t.Setenv("AZURE_STORAGE_SAS_TOKEN", "?sv=2024-01-01&sig=hunter2hunter2")
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", "AccountName=a;AccountKey=hunter2+hunter2==;EndpointSuffix=core.windows.net")
	s := store{}
	for _, text := range []string{
		"Get https://a.blob.core.windows.net/c/k?sv=2024-01-01&sig=hunter2hunter2 failed", "dial https://me:hunter2@host/x",
		"the key hunter2+hunter2== is wrong", "sig=hunter2hunter2", "presigned s3.amazonaws.com/a?X-Amz-Signature=hunter2 and " + strings.Repeat("more ", 200),
		"key " + secretKey + " of " + accessKey,
	} {
		got := s.hide(t.Context(), text)
		sealedLips(t, errors.New(got))
		if len(got) > 2*mostText {
			t.Errorf("%d bytes", len(got))
		}
	}
}

// Who has no credentials is told so, and nothing is written to stdout, where a client of
// MCP would read it.
func TestNoCredentialsAreDenied(t *testing.T) {
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		t.Setenv(name, "")
	}
	s, err := Open(t.Context(), fake(t).location("pictures"))
	if err == nil {
		_, err = s.Get(t.Context(), "a")
	}
	if !errors.Is(err, objects.Denied) {
		t.Errorf("s3: %v", err)
	}
	if _, err := Open(t.Context(), "gs://pictures"); !errors.Is(err, objects.Denied) {
		t.Errorf("gs: %v", err)
	}
	if _, err := Open(t.Context(), "azblob://pictures"); err == nil {
		t.Error("azblob without an account")
	}
}

// refused sends nothing.
type refused struct{}

func (refused) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, &url.Error{Op: r.Method, URL: r.URL.String(), Err: errors.New("dial tcp: lookup storage.googleapis.com: no such host")}
}

func refusedGCS(t *testing.T) *blob.Bucket {
	t.Helper()
	b, err := gcsblob.OpenBucket(t.Context(), gcp.NewAnonymousHTTPClient(refused{}), "pictures", nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func FuzzLocations(f *testing.F) {
	f.Add("s3://pictures?region=eu-central-1&prefix=a/b")
	f.Add("s3://u:hunter2@pictures?endpoint=http://x")
	f.Add("file:///a")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := parse(text)
		if err != nil {
			if !errors.Is(err, objects.Invalid) || len(text) > 40 && strings.Contains(err.Error(), text) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if l.prefix != "" && (!strings.HasSuffix(l.prefix, "/") || strings.HasPrefix(l.prefix, "/") || strings.Contains(l.prefix, "..")) {
			t.Errorf("%q has the prefix %q", text, l.prefix)
		}
	})
}
