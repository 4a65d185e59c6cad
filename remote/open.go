package remote

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"cloud.google.com/go/storage"
	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/logging"
	"gocloud.dev/blob"
	"gocloud.dev/blob/azureblob"
	"gocloud.dev/blob/gcsblob"
	"gocloud.dev/blob/memblob"
	"gocloud.dev/blob/s3blob"
	"gocloud.dev/gcp"

	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/remote/encrypted"
)

// Open opens the store at a location:
//
//	s3://bucket?region=eu-central-1&endpoint=https://host&use_path_style=true
//	gs://bucket
//	azblob://container?storage_account=name
//	file:///folder
//	mem://
//	age+s3://bucket?region=eu-central-1&fingerprint=…
//
// Each may have the parameter prefix, with which all names in the bucket begin. A folder
// is opened by [objects.OpenFolder]; memory is another one each time. With age+ before its
// scheme, names and content are encrypted before they leave ([encrypted.Store]), and the
// environment says who opens them ([encrypted.FromEnvironment]). A location that has
// a name, a password, a token or any parameter that Open does not know is Invalid. Nothing
// is asked of the service yet: whether the store is there, and keeps what it should,
// [objects.Probe] finds out.
func Open(ctx context.Context, text string) (objects.Store, error) {
	l, err := parse(text)
	if err != nil {
		return nil, err
	}
	if !l.encrypted {
		return openPlain(ctx, l)
	}
	s, err := openEncrypted(ctx, l)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// OpenEncrypted is [Open] of a location that begins with age+.
func OpenEncrypted(ctx context.Context, text string) (*encrypted.Store, error) {
	l, err := parse(text)
	if err == nil && !l.encrypted {
		err = invalid("it does not begin with age+, as that of an encrypted remote does")
	}
	if err != nil {
		return nil, err
	}
	return openEncrypted(ctx, l)
}

func openEncrypted(ctx context.Context, l location) (*encrypted.Store, error) {
	people, err := encrypted.FromEnvironment()
	if err != nil {
		return nil, err
	}
	inner, err := openPlain(ctx, l)
	if err != nil {
		return nil, err
	}
	s, err := encrypted.New(inner, people, l.fingerprint)
	if err != nil {
		if c, ok := inner.(io.Closer); ok {
			_ = c.Close()
		}
	}
	return s, err
}

// openPlain opens the store in which objects are as they are.
func openPlain(ctx context.Context, l location) (objects.Store, error) {
	if l.scheme == "file" {
		return objects.OpenFolder(l.folder())
	}
	s, err := &store{prefix: l.prefix}, error(nil)
	switch l.scheme {
	case "s3":
		err = s.openS3(ctx, l)
	case "gs":
		err = s.openGCS(ctx, l)
	case "azblob":
		err = s.openAzure(ctx, l)
	case "mem":
		s.bucket = memblob.OpenBucket(nil)
	}
	if err != nil {
		return nil, s.fail(ctx, "Open", "", err)
	}
	return s, nil
}

// folder is the path of a folder as this system writes it.
func (l *location) folder() string {
	path := l.path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // of /C:/pictures
	}
	return filepath.FromSlash(path)
}

// How long a service may take to accept a connection, and to answer a request that it has
// whole.
const (
	mostDial   = 10 * time.Second
	mostAnswer = time.Minute
)

// openS3 opens a bucket of S3, or of what speaks like it. A request is made once: whoever
// uses a store tries again, and knows what to do when an answer was lost.
func (s *store) openS3(ctx context.Context, l location) error {
	opener := s3blob.URLOpener{}
	bucket, err := opener.OpenBucketURL(ctx, &url.URL{Scheme: l.scheme, Host: l.bucket, RawQuery: l.query.Encode()})
	if err != nil {
		return err
	}
	var client *s3.Client
	if !bucket.As(&client) {
		return errNoClient
	}
	options := client.Options()
	options.Retryer = aws.NopRetryer{}
	options.Logger = logging.Nop{}
	options.HTTPClient = awshttp.NewBuildableClient().
		WithDialerOptions(func(d *net.Dialer) { d.Timeout = mostDial }).
		WithTransportOptions(func(t *http.Transport) { t.ResponseHeaderTimeout = mostAnswer })
	client = s3.New(options)
	s.s3 = &s3Bucket{client: client, name: l.bucket, encryption: opener.Options.EncryptionType, key: opener.Options.KMSEncryptionID}
	s.bucket, err = s3blob.OpenBucket(ctx, client, l.bucket, &opener.Options)
	return err
}

// openGCS opens a bucket of Google Cloud Storage. It does not use gocloud's opener, which
// writes to stdout when there are no credentials.
func (s *store) openGCS(ctx context.Context, l location) error {
	transport := gcp.DefaultTransport()
	client := gcp.NewAnonymousHTTPClient(transport)
	if l.query.Get("anonymous") != "true" && os.Getenv("STORAGE_EMULATOR_HOST") == "" {
		credentials, err := gcp.DefaultCredentials(ctx)
		if err != nil {
			return err
		}
		if client, err = gcp.NewHTTPClient(transport, gcp.CredentialsTokenSource(credentials)); err != nil {
			return err
		}
	}
	bucket, err := gcsblob.OpenBucket(ctx, client, l.bucket, nil)
	if err != nil {
		return err
	}
	var service *storage.Client
	if !bucket.As(&service) {
		return errNoClient
	}
	service.SetRetry(storage.WithPolicy(storage.RetryNever))
	s.bucket, s.buffer = bucket, -1 // nothing is kept to be sent again
	return nil
}

// openAzure opens a container of Azure Blob Storage.
func (s *store) openAzure(ctx context.Context, l location) error {
	bucket, err := blob.OpenBucket(ctx, (&url.URL{Scheme: azureblob.Scheme, Host: l.bucket, RawQuery: l.query.Encode()}).String())
	s.bucket, s.buffer = bucket, 4<<20
	return err
}
