package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"
	"gocloud.dev/gcerrors"
	"google.golang.org/api/googleapi"

	"github.com/chemigram/chemigram/internal/fserr"
	"github.com/chemigram/chemigram/internal/redact"
	"github.com/chemigram/chemigram/objects"
)

// fail gives an error of a service a kind, and words of its own: those of the service can
// have credentials, or a signed URL. The context's own stays as it is.
func (s *store) fail(ctx context.Context, op, name string, err error) error {
	if ctxErr := ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	a := read(err)
	kind, message := a.kind(op)
	return &objects.Error{Op: op, Kind: kind, Name: name, Message: message, Err: errors.New(s.hide(ctx, a.text()))}
}

// answer is what is known of a request that failed.
type answer struct {
	err    error
	status int    // of HTTP, or 0: there was no answer
	code   string // of the service
}

// code matches what services name their errors by.
var code = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._]{0,63}$`)

// read finds what a service has answered.
func read(err error) answer {
	a := answer{err: err}
	if e, ok := errors.AsType[*awshttp.ResponseError](err); ok {
		a.status = e.HTTPStatusCode()
	}
	if e, ok := errors.AsType[smithy.APIError](err); ok {
		a.code = e.ErrorCode()
	}
	if e, ok := errors.AsType[*googleapi.Error](err); ok {
		a.status = e.Code
		if len(e.Errors) > 0 {
			a.code = e.Errors[0].Reason
		}
		if e.Code == http.StatusNotFound && strings.Contains(e.Error(), "bucket does not exist") {
			a.code = "NoSuchBucket"
		}
	}
	if e, ok := errors.AsType[*azcore.ResponseError](err); ok {
		a.status, a.code = e.StatusCode, e.ErrorCode
	}
	if !code.MatchString(a.code) {
		a.code = ""
	}
	return a
}

// kind says what is wrong. What gocloud says of an error it takes only where there is no
// answer of HTTP and no network: it calls a host that is away, or a refusal, NotFound, too.
func (a answer) kind(op string) (kind objects.Kind, message string) {
	switch {
	case a.status != 0:
		return a.byStatus(op)
	case fserr.NoSpace(a.err):
		return objects.Full, ""
	case isNetwork(a.err):
		return objects.Unreachable, "it does not answer"
	case strings.Contains(strings.ToLower(a.err.Error()), "credential"):
		return objects.Denied, "there are no credentials that can be used: docs/sharing.md says where they are looked for"
	}
	switch gcerrors.Code(a.err) {
	case gcerrors.NotFound:
		return objects.NotFound, ""
	case gcerrors.FailedPrecondition, gcerrors.AlreadyExists:
		return objects.Exists, ""
	case gcerrors.PermissionDenied:
		return objects.Denied, ""
	}
	return objects.Unreachable, ""
}

func (a answer) byStatus(op string) (kind objects.Kind, message string) {
	switch a.code {
	case "NoSuchBucket", "ContainerNotFound":
		return objects.Unreachable, "there is no such bucket"
	case "BlobAlreadyExists":
		return objects.Exists, ""
	case "QuotaExceeded", "XMinioStorageFull", "InsufficientCapacity", "AccountQuotaExceeded":
		return objects.Full, ""
	case "ExpiredToken", "TokenRefreshRequired", "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken":
		return objects.Denied, ""
	}
	switch a.status {
	case http.StatusNotFound:
		if op == "Get" || op == "Delete" {
			return objects.NotFound, ""
		}
		return objects.Unreachable, "there is no such bucket"
	case http.StatusPreconditionFailed:
		if op == "Create" {
			return objects.Exists, ""
		}
	case http.StatusUnauthorized, http.StatusForbidden:
		return objects.Denied, ""
	case http.StatusInsufficientStorage:
		return objects.Full, ""
	case http.StatusNotImplemented:
		return objects.Unsuitable, "it does not know the condition that an object is not there (If-None-Match)"
	case http.StatusMovedPermanently, http.StatusTemporaryRedirect:
		return objects.Unreachable, "the bucket is in another region"
	}
	return objects.Unreachable, ""
}

func isNetwork(err error) bool {
	_, isURL := errors.AsType[*url.Error](err)
	_, isNet := errors.AsType[net.Error](err)
	return isURL || isNet
}

// text says what went wrong. Where the service has answered, it has none of its words but
// the name of the error, as a stranger's server can answer what it was sent.
func (a answer) text() string {
	if a.status != 0 {
		return strings.TrimSpace(fmt.Sprintf("HTTP %d %s", a.status, a.code))
	}
	err := a.err
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the URL
	}
	return err.Error()
}

// mostText is how long the text of an error may be.
const mostText = 400

var (
	queries  = regexp.MustCompile(`\?[^\s"'<>]*`)
	userinfo = regexp.MustCompile(`://[^\s/@"']*@`)
)

// hide takes out of a text what can be a credential.
func (s *store) hide(ctx context.Context, text string) string {
	secrets := fromEnvironment(os.Environ())
	if s.s3 != nil {
		secrets = append(secrets, s.s3.secrets(ctx)...)
	}
	for _, secret := range secrets {
		if len(secret) >= 8 {
			text = strings.ReplaceAll(text, secret, redact.Mark)
		}
	}
	text = queries.ReplaceAllString(text, "")
	text = redact.Text(userinfo.ReplaceAllString(text, "://"))
	if len(text) > mostText {
		text = strings.ToValidUTF8(text[:mostText], "") + " …"
	}
	return text
}

// fromEnvironment gives the credentials that the environment has.
func fromEnvironment(environ []string) (secrets []string) {
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		switch name {
		case "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AZURE_STORAGE_KEY", "AZURE_CLIENT_SECRET", "AZURE_PASSWORD":
			secrets = append(secrets, value)
		case "AZURE_STORAGE_SAS_TOKEN":
			secrets = append(append(secrets, value), strings.FieldsFunc(value, func(r rune) bool { return r == '?' || r == '&' })...)
		case "AZURE_STORAGE_CONNECTION_STRING", "AZURE_STORAGEBLOB_CONNECTIONSTRING":
			for part := range strings.SplitSeq(value, ";") {
				if key, inner, ok := strings.Cut(part, "="); ok && (key == "AccountKey" || key == "SharedAccessSignature") {
					secrets = append(secrets, inner)
				}
			}
		}
	}
	return secrets
}
