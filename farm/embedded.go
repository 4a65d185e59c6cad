package farm

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/chemigram/chemigram/internal/owned"
)

// embedded is the broker in this process.
type embedded struct {
	server *server.Server
	folder *owned.Folder // of its queue, which need not outlive it
}

// brokerPrefix begins the names of the folders of queues.
const brokerPrefix = "chemigram-broker-"

// errTaken says that somebody else listens at the address: another engine's broker.
var errTaken = errors.New("the address is taken")

// startEmbedded starts a broker in this process. It listens at an address, or serves this
// process alone when there is none. Other machines may reach it only with a name and a
// password, or a token.
func startEmbedded(ctx context.Context, listen string) (_ *embedded, err error) {
	o := &server.Options{
		ServerName: "chemigram-" + strings.ToLower(rand.Text()), JetStream: true, DontListen: listen == "", NoSigs: true, NoLog: true,
		MaxPayload: mostMessage + 64<<10, JetStreamMaxMemory: 64 << 20, JetStreamMaxStore: 2 * mostQueued,
		Username: os.Getenv("NATS_USER"), Password: os.Getenv("NATS_PASSWORD"), Authorization: os.Getenv("NATS_TOKEN"),
	}
	if listen != "" {
		host, port, err := listenAddress(listen)
		if err != nil {
			return nil, err
		}
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) && o.Username == "" && o.Authorization == "" {
			return nil, fmt.Errorf("the broker at %s could be reached by other machines: whoever reaches it can let workers develop. "+
				"Set NATS_USER and NATS_PASSWORD, or NATS_TOKEN, for it and for its workers, or listen at 127.0.0.1", listen)
		}
		o.Host, o.Port = host, port
		if err := tryAddress(ctx, listen); err != nil {
			return nil, err
		}
	}
	owned.Sweep(os.TempDir(), brokerPrefix)
	folder, err := owned.MakeFolder(os.TempDir(), brokerPrefix)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			folder.Remove()
		}
	}()
	o.StoreDir = folder.Path("queue")
	s, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("cannot make the broker: %w", err)
	}
	go s.Start()
	limit, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	ready := make(chan bool, 1)
	go func() { ready <- s.ReadyForConnections(10 * time.Second) }()
	select {
	case ok := <-ready:
		if ok {
			return &embedded{s, folder}, nil
		}
	case <-limit.Done():
	}
	s.Shutdown()
	return nil, errors.Join(errors.New("the broker does not start"), ctx.Err())
}

// tryAddress makes sure that a broker can listen at an address: it would not say why not.
func tryAddress(ctx context.Context, listen string) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", listen)
	if err == nil {
		return l.Close()
	}
	if there, dialErr := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", listen); dialErr == nil {
		return errors.Join(errTaken, there.Close())
	}
	return err
}

func listenAddress(listen string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(listen)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err == nil && port == 0 {
		port = server.RANDOM_PORT
	}
	if err != nil {
		return "", 0, fmt.Errorf("%q is no address such as 127.0.0.1:4222", listen)
	}
	return host, port, nil
}

// url is where other processes reach it.
func (e *embedded) url() string { return e.server.ClientURL() }

// dial connects to it without a network.
func (e *embedded) dial(name string) (*nats.Conn, error) {
	return dial("", name, nats.InProcessServer(e.server))
}

// close ends it.
func (e *embedded) close() {
	e.server.Shutdown()
	e.server.WaitForShutdown()
	e.folder.Remove()
}
