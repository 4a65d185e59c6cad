package farm

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// mostQueued is how many bytes of jobs the queue has at most, and mostAge how old one gets.
const (
	mostQueued = 1 << 30
	mostAge    = 24 * time.Hour
)

// credentials are the options that the environment gives, by the names that the tools of
// NATS have for them.
func credentials() (options []nats.Option, err error) {
	file := func(name string, option func(path string) (nats.Option, error)) {
		path := os.Getenv(name)
		if path == "" || err != nil {
			return
		}
		made, failed := option(path)
		if failed != nil {
			err = fmt.Errorf("the file that %s names cannot be used", name) // without what is in it
			return
		}
		options = append(options, made)
	}
	readable := func(path string) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		return f.Close()
	}
	file("NATS_CREDS", func(path string) (nats.Option, error) { return nats.UserCredentials(path), readable(path) })
	file("NATS_NKEY", nats.NkeyOptionFromSeed)
	file("NATS_CA", func(path string) (nats.Option, error) { return nats.RootCAs(path), readable(path) })
	file("NATS_CERT", func(path string) (nats.Option, error) {
		return nats.ClientCert(path, os.Getenv("NATS_KEY")), readable(path)
	})
	if user := os.Getenv("NATS_USER"); user != "" {
		options = append(options, nats.UserInfo(user, os.Getenv("NATS_PASSWORD")))
	}
	if token := os.Getenv("NATS_TOKEN"); token != "" {
		options = append(options, nats.Token(token))
	}
	return options, err
}

// checkURLs makes sure that no URL of a list has credentials: it would be shown in errors,
// and stand in the list of processes.
func checkURLs(list string) error {
	for text := range strings.SplitSeq(list, ",") {
		u, err := url.Parse(strings.TrimSpace(text))
		switch {
		case err != nil || u.Host == "":
			return errors.New("the address of the broker is no URL such as nats://host:4222")
		case u.User != nil || u.RawQuery != "" || u.Fragment != "":
			return errors.New("the address of the broker has credentials or parameters: give them in the environment, as NATS_CREDS or NATS_USER and NATS_PASSWORD")
		case u.Scheme != "nats" && u.Scheme != "tls" && u.Scheme != "ws" && u.Scheme != "wss":
			return errors.New("the address of the broker has another scheme than nats, tls, ws and wss")
		}
	}
	return nil
}

// dial connects to a broker. It succeeds also when the broker is away, and connects when
// it is there.
func dial(address, name string, more ...nats.Option) (*nats.Conn, error) {
	options, err := credentials()
	if err != nil {
		return nil, err
	}
	options = append(options,
		nats.Name(name), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(250*time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 500*time.Millisecond), nats.Timeout(3*time.Second),
		nats.PingInterval(5*time.Second), nats.MaxPingsOutstanding(2), nats.ReconnectBufSize(-1),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // which would write to stderr
	)
	nc, err := nats.Connect(address, append(options, more...)...)
	if err != nil {
		return nil, fmt.Errorf("cannot connect to the broker: %w", withoutURL(err))
	}
	return nc, nil
}

// withoutURL leaves out of an error of the network what it was called with.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// replicas is how many brokers keep the queue: three of a cluster.
func replicas(nc *nats.Conn, wanted int) int {
	switch {
	case wanted > 0:
		return wanted
	case nc.ConnectedClusterName() != "":
		return 3
	}
	return 1
}

// queue makes the stream of jobs, or takes the one that is there: one job for a key, which
// goes when it is done.
func queue(ctx context.Context, nc *nats.Conn, wanted int) (jetstream.JetStream, jetstream.Stream, error) {
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(3*time.Second))
	if err != nil {
		return nil, nil, err
	}
	stream, err := js.Stream(ctx, streamName)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = js.CreateStream(ctx, jetstream.StreamConfig{
			Name: streamName, Description: "jobs of Chemigram's render farm", Subjects: []string{jobsPrefix + "*.*.*"},
			Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1,
			MaxAge: mostAge, MaxBytes: mostQueued, MaxMsgSize: mostMessage, Storage: jetstream.FileStorage, Replicas: replicas(nc, wanted),
		})
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another one made it, with another number of replicas
			stream, err = js.Stream(ctx, streamName)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if c := stream.CachedInfo().Config; c.Retention != jetstream.WorkQueuePolicy || c.MaxMsgsPerSubject != 1 || !c.DiscardNewPerSubject {
		return nil, nil, fmt.Errorf("the broker has another stream of the name %s: remove it", streamName)
	}
	return js, stream, nil
}

// codeStoreFailed is the code of JetStream's error when a stream does not take a message.
const codeStoreFailed = 10077

// isQueued reports whether a job was not taken because it is queued already.
func isQueued(err error) bool {
	e, ok := errors.AsType[*jetstream.APIError](err)
	return ok && e.ErrorCode == codeStoreFailed && strings.Contains(e.Description, "per subject")
}
