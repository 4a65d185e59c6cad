package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/mcp"
	"github.com/chemigram/chemigram/studio"
)

// studioFlag is -studio[=HOST:PORT]: the address of the person's page.
type studioFlag string

// anyLocalPort is the address of -studio without one.
const anyLocalPort = "127.0.0.1:0"

func (f *studioFlag) String() string { return string(*f) }

// IsBoolFlag lets the flag stand without a value.
func (f *studioFlag) IsBoolFlag() bool { return true }

func (f *studioFlag) Set(value string) error {
	switch strings.ToLower(value) {
	case "true", "1":
		value = anyLocalPort
	case "false", "0":
		value = ""
	}
	*f = studioFlag(value)
	return nil
}

// serveStudio serves the page, prints its address once and returns the tool that gives
// it to agents, and a function that ends the page.
func (c config) serveStudio(ctx context.Context, engine *chemigram.Engine, stderr io.Writer, logger *slog.Logger) (open mcp.Tool, end func(), err error) {
	host, _, err := net.SplitHostPort(string(c.studio))
	if err != nil {
		return open, nil, fmt.Errorf("-studio wants HOST:PORT, such as 127.0.0.1:8081: %w", err)
	}
	if !isLocal(host) && !c.wide {
		return open, nil, fmt.Errorf("-studio %s is reached by other machines: take 127.0.0.1, or say -listen-wide", string(c.studio))
	}
	page, err := studio.New(engine, &studio.Options{
		AnyAddress: c.wide, Actor: c.engine.Actor, Transcripts: c.transcripts, Logger: logger,
	})
	if err != nil {
		return open, nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", string(c.studio))
	if err != nil {
		return open, nil, errors.Join(err, page.Close())
	}
	web := &http.Server{
		Handler: page, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("the page is served no longer", "error", err)
		}
	}()
	// Not through the log, which may be kept: it hides tokens.
	address := "http://" + listener.Addr().String() + "/"
	fmt.Fprintln(stderr, "studio:", page.Address(address))
	return page.Tool(address), func() {
		_ = page.Close()
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if web.Shutdown(grace) != nil {
			_ = web.Close()
		}
		<-served
	}, nil
}

// isLocal reports whether a host is reached from this machine alone.
func isLocal(host string) bool {
	address := net.ParseIP(host)
	return host == "localhost" || (address != nil && address.IsLoopback())
}
