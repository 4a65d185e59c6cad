package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"cloud.google.com/go/storage"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"gocloud.dev/blob/memblob"
	"google.golang.org/api/googleapi"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/objects/objectstest"
)

func TestMemoryAndAFolderAreStores(t *testing.T) {
	t.Parallel()
	objectstest.Conform(t, func(t *testing.T) objects.Store { return open(t, "mem://") })
	objectstest.Conform(t, func(*testing.T) objects.Store { return New(memblob.OpenBucket(nil)) })
	for _, scheme := range []string{"file", "age+file"} {
		objectstest.Conform(t, func(t *testing.T) objects.Store {
			return open(t, (&url.URL{Scheme: scheme, Path: filepath.ToSlash(t.TempDir())}).String())
		})
	}
	objectstest.Conform(t, func(t *testing.T) objects.Store { return open(t, "age+mem://") })
}

func TestARealS3ServerIsAStore(t *testing.T) {
	t.Parallel()
	f := gateway(t)
	objectstest.Conform(t, func(t *testing.T) objects.Store {
		name := fmt.Sprintf("pictures-%x", testutil.Random(t).Uint64())
		makeBucket(t, f, name)
		return open(t, f.location(name))
	})
	objectstest.Conform(t, func(t *testing.T) objects.Store {
		name := fmt.Sprintf("secrets-%x", testutil.Random(t).Uint64())
		makeBucket(t, f, name)
		return open(t, agePrefix+f.location(name))
	})
}

func TestAnImitationOfS3IsAStore(t *testing.T) {
	t.Parallel()
	objectstest.Conform(t, func(t *testing.T) objects.Store { return open(t, fake(t).location("pictures")) })
}

func TestAServerThatIgnoresTheConditionIsRefused(t *testing.T) {
	t.Parallel()
	for _, wrong := range []fault{ignoreCreation, claimCreation} {
		f := fake(t)
		f.spoil = func(*http.Request) fault { return wrong }
		if err := objects.Probe(t.Context(), open(t, f.location("pictures"))); !errors.Is(err, objects.Unsuitable) {
			t.Errorf("fault %d: %v", wrong, err)
		}
	}
	f := newFront(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<Error><Code>NotImplemented</Code></Error>", http.StatusNotImplemented)
	}))
	if err := objects.Probe(t.Context(), open(t, f.location("pictures"))); !errors.Is(err, objects.Unsuitable) {
		t.Error(err)
	}
}

// One call is one request, but that of an object of more than 4 MB, which is looked for
// first; no call tries again by itself.
func TestACallIsARequest(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(testing.TB) *front{"real": gateway, "imitation": fake} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := start(t)
			s, ctx := open(t, f.location("pictures")), t.Context()
			f.counted()
			big := bytes.NewReader(make([]byte, 20<<20))
			for _, c := range []struct {
				what string
				call func() error
				want int
			}{
				{"create", func() error { return s.Create(ctx, "a", strings.NewReader("x")) }, 1},
				{"create large", func() error { return s.Create(ctx, "b", big) }, 2},
				{"create large again", func() error { return ignore(s.Create(ctx, "b", big), objects.Exists) }, 1},
				{"read", func() error { _, err := objects.Read(ctx, s, "a", 9); return err }, 1},
				{"read nothing", func() error { _, err := s.Get(ctx, "c"); return ignore(err, objects.NotFound) }, 1},
				{"list", func() error { _, _, err := s.List(ctx, "", ""); return err }, 1},
				{"delete", func() error { return s.Delete(ctx, "a") }, 1},
			} {
				if err := c.call(); err != nil {
					t.Errorf("%s: %v", c.what, err)
				}
				if got, by := f.counted(); got != c.want {
					t.Errorf("%s: %d requests %v, want %d", c.what, got, by, c.want)
				}
			}
			f.spoil = func(*http.Request) fault { return busy }
			if err := s.Create(ctx, "d", strings.NewReader("x")); !errors.Is(err, objects.Unreachable) {
				t.Error(err)
			}
			if got, by := f.counted(); got != 1 {
				t.Errorf("a busy server gets %v", by)
			}
		})
	}
}

func ignore(err error, kind objects.Kind) error {
	if errors.Is(err, kind) {
		return nil
	}
	return fmt.Errorf("want %w, got %w", kind, err)
}

// Whatever the network does, an object is there, whole, or not; and what is not there is
// said of no object that is.
func TestFaultsOfANetwork(t *testing.T) {
	t.Parallel()
	f := fake(t)
	s, ctx, random := open(t, f.location("pictures")), t.Context(), testutil.Random(t)
	f.spoil = func(*http.Request) fault { return fault(random.IntN(int(delay) + 1)) }
	content := bytes.Repeat([]byte("0123456789"), 5000)
	there := map[string]bool{}
	for i := range 150 {
		name := fmt.Sprintf("a/%d", i%50)
		err := s.Create(ctx, name, bytes.NewReader(content))
		switch {
		case err == nil && there[name]:
			t.Fatalf("%s was made twice", name)
		case err == nil:
			there[name] = true
		case !errors.Is(err, objects.Exists) && !errors.Is(err, objects.Unreachable):
			t.Fatal(err)
		}
		got, err := objects.Read(ctx, s, name, 1<<20)
		switch {
		case err == nil:
			there[name] = true
			if !bytes.Equal(got, content) {
				t.Fatalf("%s has %d bytes", name, len(got))
			}
		case errors.Is(err, objects.NotFound) && there[name], !errors.Is(err, objects.NotFound) && !errors.Is(err, objects.Unreachable):
			t.Fatalf("%s: %v", name, err)
		}
		if _, _, err := s.List(ctx, "", ""); err != nil && !errors.Is(err, objects.Unreachable) {
			t.Fatal(err)
		}
	}
	if len(there) < 20 {
		t.Errorf("%d of 50 objects were made", len(there))
	}
}

// Kinds of what servers answer: above all, only a 404 says that an object is not there.
func TestAnswersHaveKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status              int
		code                string
		get, list, creation objects.Kind
	}{
		{404, "NoSuchKey", objects.NotFound, objects.Unreachable, objects.Unreachable},
		{404, "", objects.NotFound, objects.Unreachable, objects.Unreachable},
		{404, "NoSuchBucket", objects.Unreachable, objects.Unreachable, objects.Unreachable},
		{403, "AccessDenied", objects.Denied, objects.Denied, objects.Denied},
		{401, "", objects.Denied, objects.Denied, objects.Denied},
		{400, "ExpiredToken", objects.Denied, objects.Denied, objects.Denied},
		{412, "PreconditionFailed", objects.Unreachable, objects.Unreachable, objects.Exists},
		{409, "ConditionalRequestConflict", objects.Unreachable, objects.Unreachable, objects.Unreachable},
		{301, "PermanentRedirect", objects.Unreachable, objects.Unreachable, objects.Unreachable},
		{429, "TooManyRequests", objects.Unreachable, objects.Unreachable, objects.Unreachable},
		{500, "InternalError", objects.Unreachable, objects.Unreachable, objects.Unreachable},
		{507, "", objects.Full, objects.Full, objects.Full},
	} {
		f := newFront(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, "<Error><Code>"+c.code+"</Code><Message>words of the server "+secretKey+"</Message></Error>")
		}))
		s, ctx := open(t, f.location("pictures")), t.Context()
		_, getErr := objects.Read(ctx, s, "a", 1000)
		_, _, listErr := s.List(ctx, "", "")
		for what, got := range map[string]struct {
			err  error
			want objects.Kind
		}{"get": {getErr, c.get}, "list": {listErr, c.list}, "create": {s.Create(ctx, "a", strings.NewReader("x")), c.creation}} {
			if !errors.Is(got.err, got.want) {
				t.Errorf("%d %s: %s is %v, want %s", c.status, c.code, what, got.err, got.want)
			}
			if got.err != nil && (strings.Contains(got.err.Error(), "words") || strings.Contains(got.err.Error(), "://")) {
				t.Errorf("%d %s: %s says %v", c.status, c.code, what, got.err)
			}
		}
	}
}

// What gocloud calls NotFound is often something else.
func TestErrorsOfOtherServicesHaveKinds(t *testing.T) {
	t.Parallel()
	google := func(status int, reason string) error {
		return &googleapi.Error{Code: status, Errors: []googleapi.ErrorItem{{Reason: reason, Message: "words"}}, Body: "words"}
	}
	for _, c := range []struct {
		op   string
		err  error
		want objects.Kind
	}{
		{"Get", fmt.Errorf("%w: %w", storage.ErrObjectNotExist, google(404, "notFound")), objects.NotFound},
		{"Get", fmt.Errorf("%w: %w", storage.ErrObjectNotExist, &googleapi.Error{Code: 404, Body: "The specified bucket does not exist."}), objects.Unreachable},
		{"List", google(403, "forbidden"), objects.Denied},
		{"Get", google(403, "forbidden"), objects.Denied},
		{"Create", google(412, "conditionNotMet"), objects.Exists},
		{"Create", google(429, "rateLimitExceeded"), objects.Unreachable},
		{"Create", &azcore.ResponseError{StatusCode: 409, ErrorCode: "BlobAlreadyExists"}, objects.Exists},
		{"Create", &azcore.ResponseError{StatusCode: 412, ErrorCode: "ConditionNotMet"}, objects.Exists},
		{"Create", &azcore.ResponseError{StatusCode: 409, ErrorCode: "LeaseAlreadyPresent"}, objects.Unreachable},
		{"Get", &azcore.ResponseError{StatusCode: 404, ErrorCode: "BlobNotFound"}, objects.NotFound},
		{"Get", &azcore.ResponseError{StatusCode: 404, ErrorCode: "ContainerNotFound"}, objects.Unreachable},
		{"Get", &azcore.ResponseError{StatusCode: 403, ErrorCode: "AuthenticationFailed"}, objects.Denied},
		{"Get", fmt.Errorf("get: %w", &net.DNSError{Err: "no such host", Name: "a.blob.core.windows.net", IsNotFound: true}), objects.Unreachable},
		{"Create", &fs.PathError{Op: "write", Path: "/a", Err: syscall.ENOSPC}, objects.Full},
		{"Get", errors.New("DefaultAzureCredential: failed to acquire a token"), objects.Denied},
		{"Get", errors.New("something"), objects.Unreachable},
	} {
		err := new(store).fail(t.Context(), c.op, "a", c.err)
		if !errors.Is(err, c.want) || strings.Contains(err.Error(), "words") {
			t.Errorf("%s: %v is %v, want %s", c.op, c.err, err, c.want)
		}
	}
}

func TestAServerThatIsAwayIsUnreachable(t *testing.T) {
	t.Parallel()
	for _, location := range []string{
		"s3://pictures?endpoint=http://127.0.0.1:1&use_path_style=true", "s3://pictures?endpoint=http://nowhere.invalid&use_path_style=true",
		"gs://pictures?anonymous=true",
	} {
		s, err := Open(t.Context(), location)
		if err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		if strings.HasPrefix(location, "gs") {
			s.(*store).bucket = refusedGCS(t)
		}
		_, getErr := s.Get(ctx, "a")
		_, _, listErr := s.List(ctx, "", "")
		for _, err := range []error{getErr, listErr, s.Create(ctx, "a", strings.NewReader("x")), s.Delete(ctx, "a")} {
			if !errors.Is(err, objects.Unreachable) || strings.Contains(err.Error(), "?") {
				t.Errorf("%s: %v", location, err)
			}
		}
	}
}

// A call that is cancelled in the middle of a transfer gives the context's own error.
func TestATransferIsCancelled(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	f := newFront(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Length", "10")
			_, _ = io.WriteString(w, "12345")
			_ = http.NewResponseController(w).Flush()
		} else {
			_, _ = io.Copy(io.Discard, r.Body)
		}
		begun <- struct{}{}
		<-r.Context().Done()
	}))
	s := open(t, f.location("pictures"))
	for what, call := range map[string]func(ctx context.Context) error{
		"get":    func(ctx context.Context) error { _, err := objects.Read(ctx, s, "a", 1000); return err },
		"create": func(ctx context.Context) error { return s.Create(ctx, "a", strings.NewReader("1234567890")) },
		"list":   func(ctx context.Context) error { _, _, err := s.List(ctx, "", ""); return err },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-begun
			cancel()
		}()
		if err := call(ctx); !errors.Is(err, context.Canceled) || errors.Is(err, objects.Unreachable) {
			t.Errorf("%s: %v", what, err)
		}
		cancel()
	}
}

// An object of 64 MB is sent and read by a process that never has a quarter of it.
func TestTransfersTakeLittleMemory(t *testing.T) {
	f := gateway(t)
	for _, location := range []string{f.location("pictures"), agePrefix + f.location("secrets")} {
		if location != f.location("pictures") {
			makeBucket(t, f, "secrets")
		}
		takesLittleMemory(t, open(t, location))
	}
}

func takesLittleMemory(t *testing.T, s objects.Store) {
	t.Helper()
	const size = 64 << 20
	ctx := t.Context()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := s.Create(ctx, "raws/a", &zeros{size: size}); err != nil {
		t.Fatal(err)
	}
	r, err := s.Get(ctx, "raws/a")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, r); n != size || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	_ = r.Close()
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > size/4 {
		t.Errorf("%d MB were allocated in all", grown>>20)
	}
}

// zeros is content of a size.
type zeros struct{ at, size int64 }

func (z *zeros) Read(p []byte) (int, error) {
	n := min(int64(len(p)), z.size-z.at)
	clear(p[:n])
	if z.at += n; n == 0 {
		return 0, io.EOF
	}
	return int(n), nil
}

func (z *zeros) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
		z.at = offset
	case io.SeekCurrent:
		z.at += offset
	case io.SeekEnd:
		z.at = z.size + offset
	}
	return z.at, nil
}
