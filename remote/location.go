package remote

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/objects"
)

// location is what a URL says of a bucket.
type location struct {
	scheme string
	bucket string
	prefix string // of all names; "", or it ends with a slash
	path   string // of a folder
	query  url.Values
	// encrypted says that objects are encrypted before they leave, with the key of that
	// fingerprint alone, when it is not "".
	encrypted   bool
	fingerprint string
}

// allowed are the parameters that a location of a scheme may have, beside prefix. None
// chooses credentials, or sends those that a service takes for its own to another host.
var allowed = map[string][]string{
	"s3": {
		"region", "endpoint", "use_path_style", "anonymous", "accelerate", "dualstack", "fips", "ssetype", "kmskeyid",
		"request_checksum_calculation", "response_checksum_validation",
	},
	"gs":     {"anonymous"},
	"azblob": {"storage_account"},
	"file":   {},
	"mem":    {},
}

// agePrefix begins the scheme of what is encrypted.
const agePrefix = "age+"

// mostLocation is how many bytes a location may have.
const mostLocation = 2048

var (
	bucketName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{1,221}[A-Za-z0-9]$`)
	prefixPart = regexp.MustCompile(`^[A-Za-z0-9_=-][A-Za-z0-9._=-]*$`)
)

// parse reads a location. Its errors say nothing of what stands there: it may be a secret.
func parse(text string) (l location, err error) {
	u, err := url.Parse(text)
	if err != nil || len(text) > mostLocation {
		return l, invalid("it is no URL such as s3://bucket?region=eu-central-1&prefix=pictures/")
	}
	scheme, encrypted := strings.CutPrefix(u.Scheme, agePrefix)
	params, ok := allowed[scheme]
	if encrypted {
		params = append(slices.Clone(params), "fingerprint")
	}
	switch {
	case !ok:
		return l, invalid("its scheme is none of s3, gs, azblob, file and mem, with or without age+ before it")
	case u.User != nil || strings.Contains(u.Host, "@"):
		return l, invalid("it has a name or a password: give credentials in the environment")
	case u.Fragment != "" || u.Opaque != "":
		return l, invalid("it has more than a bucket and parameters")
	}
	l = location{scheme: scheme, bucket: u.Host, path: u.Path, encrypted: encrypted}
	if l.query, err = url.ParseQuery(u.RawQuery); err != nil {
		return l, invalid("its parameters cannot be read")
	}
	for name, values := range l.query {
		if len(values) != 1 || name != "prefix" && !slices.Contains(params, name) {
			return l, invalid(fmt.Sprintf("it has a parameter, or one twice, that is none of %s; give credentials in the environment",
				strings.Join(append(slices.Clone(params), "prefix"), ", ")))
		}
	}
	l.fingerprint = l.query.Get("fingerprint")
	l.query.Del("fingerprint")
	if err = l.takePrefix(); err == nil {
		err = l.check()
	}
	return l, err
}

// takePrefix takes the prefix out of the parameters.
func (l *location) takePrefix() error {
	l.prefix = strings.TrimSuffix(l.query.Get("prefix"), "/")
	l.query.Del("prefix")
	if l.prefix == "" {
		return nil
	}
	for part := range strings.SplitSeq(l.prefix, "/") {
		if !prefixPart.MatchString(part) {
			return invalid("its prefix is not like pictures/2026: letters, digits, - _ = and ., and no part begins with a dot")
		}
	}
	l.prefix += "/"
	return nil
}

// check makes sure that the place is one of its scheme.
func (l *location) check() error {
	switch l.scheme {
	case "file":
		if l.bucket != "" || l.path == "" || l.prefix != "" {
			return invalid("a folder is file:///path/of/it, without a prefix")
		}
		return nil
	case "mem":
		if l.bucket != "" || strings.Trim(l.path, "/") != "" {
			return invalid("memory is mem://, with nothing after it")
		}
		return nil
	}
	if !bucketName.MatchString(l.bucket) {
		return invalid("it names no bucket as in " + l.scheme + "://bucket")
	}
	if strings.Trim(l.path, "/") != "" {
		return invalid("it has a path: what all names begin with is its parameter prefix")
	}
	endpoint := l.query.Get("endpoint")
	if endpoint == "" {
		return nil
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return invalid("its endpoint is not like https://host:port, without a name, a password and parameters")
	}
	return nil
}

func invalid(message string) error {
	return &objects.Error{Op: "Open", Kind: objects.Invalid, Message: "the location cannot be used: " + message}
}
