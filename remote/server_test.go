package remote

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/remote/encrypted"
)

// The credentials of all servers here.
const (
	accessKey = "AKIDFORTESTSALONE123"
	secretKey = "a/secret+that/no/error/may/show/1234567"
)

func TestMain(m *testing.M) {
	nowhere := filepath.Join(os.TempDir(), "chemigram-no-such-file")
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secretKey, "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
		"AWS_CONFIG_FILE": nowhere, "AWS_SHARED_CREDENTIALS_FILE": nowhere, "GOOGLE_APPLICATION_CREDENTIALS": nowhere,
		"AZURE_STORAGE_ACCOUNT": "", "AZURE_STORAGE_KEY": "", "AZURE_STORAGE_SAS_TOKEN": "",
	} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(runTests(m))
}

// runTests runs the tests, of which a person has an identity of age.
func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "age-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if os.Getenv(encrypted.IdentityFile) == "" { // else it is a worker of such a run
		_, path, err := newIdentity(dir, "somebody")
		err = errors.Join(err, os.Setenv(encrypted.IdentityFile, path), os.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config")))
		if err != nil {
			panic(err)
		}
	}
	return testutil.RunTests(m, map[string]testutil.Work{"edit and share": editAndShare})
}

// front stands before a server: it counts requests, and lets some go wrong.
type front struct {
	dir  string // of the real server's files, or ""
	next http.Handler
	url  string
	// spoil says what goes wrong with a request; nil: nothing.
	spoil func(r *http.Request) fault

	mu       sync.Mutex
	requests map[string]int
	bytes    int64 // of answers and requests
	later    sync.WaitGroup
}

// fault is what goes wrong with a request.
type fault int

const (
	none           fault = iota
	loseRequest          // the connection ends before anything is done
	loseAnswer           // it is done, and the connection ends
	breakAnswer          // it is done, and half of the answer comes
	busy                 // 503
	duplicate            // it is done twice, and the second answer comes
	late                 // the connection ends, and it is done later
	delay                // it takes some milliseconds
	ignoreCreation       // what is there is written over
	claimCreation        // what is there is written over, and 412 comes
	numFaults
)

func newFront(t testing.TB, next http.Handler) *front {
	f := &front{next: next, requests: map[string]int{}}
	server := httptest.NewServer(f)
	t.Cleanup(func() {
		server.Close()
		f.later.Wait()
	})
	f.url = server.URL
	return f
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.requests[r.Method]++
	f.bytes += max(r.ContentLength, 0)
	var wrong fault
	if f.spoil != nil {
		wrong = f.spoil(r)
	}
	f.mu.Unlock()
	switch wrong {
	case loseRequest:
		panic(http.ErrAbortHandler)
	case loseAnswer:
		f.next.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	case breakAnswer:
		answer := httptest.NewRecorder()
		f.next.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.Header().Set("Content-Length", "100000")
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
		panic(http.ErrAbortHandler)
	case busy:
		http.Error(w, "<Error><Code>SlowDown</Code><Message>not so fast</Message></Error>", http.StatusServiceUnavailable)
		return
	case delay:
		<-time.After(time.Duration(1+rand.IntN(5)) * time.Millisecond)
	case duplicate, late:
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		again := r.Clone(context.WithoutCancel(r.Context()))
		again.Body, r.Body = io.NopCloser(bytes.NewReader(body)), io.NopCloser(bytes.NewReader(body))
		if wrong == duplicate {
			f.next.ServeHTTP(httptest.NewRecorder(), again)
			break
		}
		f.later.Go(func() {
			<-time.After(time.Duration(rand.IntN(300)) * time.Millisecond)
			f.next.ServeHTTP(httptest.NewRecorder(), again)
		})
		panic(http.ErrAbortHandler)
	case ignoreCreation, claimCreation:
		conditional := r.Header.Get("If-None-Match") != ""
		r.Header.Del("If-None-Match")
		if wrong == claimCreation && conditional && f.there(r) {
			f.next.ServeHTTP(httptest.NewRecorder(), r)
			http.Error(w, "<Error><Code>PreconditionFailed</Code><Message>it is there</Message></Error>", http.StatusPreconditionFailed)
			return
		}
	}
	f.next.ServeHTTP(w, r)
}

// there reports whether a request is about an object that is there.
func (f *front) there(r *http.Request) bool {
	head := httptest.NewRecorder()
	f.next.ServeHTTP(head, httptest.NewRequest(http.MethodHead, r.URL.Path, nil))
	return head.Code == http.StatusOK
}

// counted gives how many requests there were since the last call.
func (f *front) counted() (all int, by map[string]int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	by, f.requests = f.requests, map[string]int{}
	for _, n := range by {
		all += n
	}
	return all, by
}

// location is the URL of a bucket on the server.
func (f *front) location(bucket string) string {
	return "s3://" + bucket + "?" + url.Values{"endpoint": {f.url}, "use_path_style": {"true"}, "prefix": {"Pictures/2026"}}.Encode()
}

// fake starts an S3 server in this process, which knows no credentials, with a bucket.
func fake(t testing.TB) *front {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("pictures"); err != nil {
		t.Fatal(err)
	}
	return newFront(t, gofakes3.New(backend).Server())
}

// gateway starts a real S3 server as a process: versitygw over a folder.
func gateway(t testing.TB) *front {
	t.Helper()
	program := buildGateway(t)
	dir, err := os.MkdirTemp("", "s3-") //nolint:usetesting // a socket's path has to be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for _, name := range []string{"root", "meta"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	socket := filepath.Join(dir, "s")
	cmd := exec.CommandContext(t.Context(), program, "--port", socket, "--quiet", "posix", "--sidecar", filepath.Join(dir, "meta"), filepath.Join(dir, "root"))
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+accessKey, "ROOT_SECRET_KEY="+secretKey)
	log := new(strings.Builder)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		if t.Failed() {
			t.Log(log.String())
		}
	})
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}
	testutil.WaitFor(t, "the S3 server", func() bool {
		conn, err := dial(t.Context(), "", "")
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
	f := newFront(t, &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = "http", "s3", r.In.Host // which is signed
		},
		Transport: &http.Transport{DialContext: dial},
	})
	f.dir = dir
	makeBucket(t, f, "pictures")
	return f
}

func makeBucket(t testing.TB, f *front, name string) {
	t.Helper()
	if _, err := open(t, f.location(name)).(*store).s3.client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &name}); err != nil {
		t.Fatal(err)
	}
}

// gatewayVersion is that of versitygw (Apache-2.0).
const gatewayVersion = "v1.8.0"

var building sync.Mutex

// buildGateway gives the path of versitygw, which is built once into the cache folder:
// that takes minutes.
func buildGateway(t testing.TB) string {
	t.Helper()
	building.Lock()
	defer building.Unlock()
	cache := os.Getenv("CHEMIGRAM_CACHE")
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(user, "chemigram")
	}
	program := filepath.Join(cache, "bin", "versitygw-"+gatewayVersion)
	if _, err := os.Stat(program); err == nil {
		return program
	}
	if err := os.MkdirAll(filepath.Dir(program), 0o755); err != nil {
		t.Fatal(err)
	}
	// Built aside and moved, so that whoever runs at the same time sees all or nothing.
	aside := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "install", "-ldflags=-s -w", "github.com/versity/versitygw/cmd/versitygw@"+gatewayVersion)
	cmd.Env = append(os.Environ(), "GOBIN="+aside, "GOFLAGS=", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		if os.Getenv("CI") == "" {
			t.Skipf("no S3 server: versitygw %s cannot be built: %v\n%s", gatewayVersion, err, out)
		}
		t.Fatalf("versitygw %s cannot be built: %v\n%s", gatewayVersion, err, out)
	}
	data, err := os.ReadFile(filepath.Join(aside, "versitygw"))
	if err == nil {
		err = errors.Join(os.WriteFile(program+".new", data, 0o755), os.Rename(program+".new", program))
	}
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func open(t testing.TB, location string) objects.Store {
	t.Helper()
	s, err := Open(t.Context(), location)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
