package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/mcp"
	"github.com/chemigram/chemigram/studio"
)

func run(ctx context.Context, openRemote OpenRemote, completions []Complete, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	c, err := parse(args, os.Getenv, stderr)
	if err != nil {
		return err
	}
	// Nothing that the server starts needs it.
	_ = os.Unsetenv("CHEMIGRAM_TOKEN")
	switch {
	case c.version:
		_, err := fmt.Fprintln(stdout, "chemigram-mcp", chemigram.Version())
		return err
	case c.printConfig != "":
		program, err := os.Executable()
		if err != nil {
			return err
		}
		return printClientConfig(c.printConfig, program, serverArgs(args), stdout, stderr)
	}
	logger := c.logger(stderr)
	c.engine.Logger, c.engine.OpenRemote = logger, openRemote
	var ends []func()
	defer func() {
		for _, end := range slices.Backward(ends) {
			end()
		}
	}()
	for _, complete := range completions {
		end, err := complete(ctx, &c.engine)
		if err != nil {
			return err
		}
		ends = append(ends, end)
	}
	engine, err := chemigram.Open(ctx, &c.engine)
	if err != nil {
		return err
	}
	defer func() { _ = engine.Close() }()
	switch {
	case c.check:
		return check(ctx, engine, stdout)
	case c.prove:
		return prove(ctx, engine, stdout, stderr)
	}
	// A signal closes the engine, which ends running darktables and lets their calls
	// return errors.
	defer context.AfterFunc(ctx, func() {
		exitInTime(logger)
		_ = engine.Close()
	})()

	var tools []mcp.Tool
	if c.studio != "" {
		open, end, err := c.serveStudio(ctx, engine, stderr, logger)
		if err != nil {
			return err
		}
		defer end()
		tools = append(tools, open)
	}
	server := mcp.NewServer(engine, &mcp.Options{
		Tools: tools, Views: studio.Views(engine), Groups: c.groups, Names: c.tools, ReadOnly: c.engine.ReadOnly, Actor: c.engine.Actor, Transcripts: c.transcripts,
		PictureBytes: c.pictureBytes, Logger: logger,
	})
	var calls inFlight
	server.AddReceivingMiddleware(calls.count)
	defer calls.finish(10 * time.Second)
	if c.http != "" {
		return c.serveHTTP(ctx, server, logger)
	}
	in := bufio.NewReader(&endingReader{Reader: stdin, ended: func() { exitInTime(logger) }})
	out := &messageWriter{Writer: stdout}
	err = server.Run(ctx, &sdk.IOTransport{
		Reader: &messageReader{lines: in, answers: out, logger: logger}, Writer: out, MaxLineLength: maxLineBytes,
	})
	if ctx.Err() != nil {
		return nil // a signal ended it
	}
	return err
}

// mostEnding is how long the program may take to end when it was asked to, or when its
// client has gone.
const mostEnding = 11 * time.Second

// exitInTime ends the program when it has not ended by itself in time. What a call has
// not written by then is taken back by the next program that opens the workspace.
func exitInTime(logger *slog.Logger) {
	time.AfterFunc(mostEnding, func() {
		logger.Error("calls that were cancelled have not returned in time", "seconds", mostEnding.Seconds())
		os.Exit(1)
	})
}

// endingReader tells once that there is no more to read.
type endingReader struct {
	io.Reader
	once  sync.Once
	ended func()
}

func (r *endingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil {
		r.once.Do(r.ended)
	}
	return n, err
}

// inFlight counts the requests in progress.
type inFlight struct{ requests sync.WaitGroup }

func (f *inFlight) count(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		f.requests.Add(1)
		defer f.requests.Done()
		return next(ctx, method, req)
	}
}

// finish waits until no request is in progress, at most for the limit: a cancelled call
// still has to end its darktable.
func (f *inFlight) finish(limit time.Duration) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.requests.Wait()
	}()
	select {
	case <-done:
	case <-time.After(limit):
	}
}

func (c config) logger(stderr io.Writer) *slog.Logger {
	var handler slog.Handler
	switch c.logFormat {
	case "off":
		return slog.New(slog.DiscardHandler)
	case "json":
		handler = slog.NewJSONHandler(stderr, nil)
	default:
		handler = slog.NewTextHandler(stderr, nil)
	}
	return slog.New(mcp.NewLogHandler(handler, &mcp.LogOptions{HideHome: c.hideHome}))
}

// errDegraded makes -check exit with status 1. The checks have been printed.
var errDegraded = errors.New("something is wrong; see the checks above")

// check prints the engine's health.
func check(ctx context.Context, engine *chemigram.Engine, stdout io.Writer) error {
	health, err := engine.HealthCheck(ctx, chemigram.HealthCheckParams{})
	if err != nil {
		return err
	}
	out := json.NewEncoder(stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(health); err != nil {
		return err
	}
	if health.Status != "ok" {
		return errDegraded
	}
	return nil
}

// serveHTTP serves until the context ends, and then waits up to 10 s for calls to
// finish.
func (c config) serveHTTP(ctx context.Context, server *sdk.Server, logger *slog.Logger) error {
	if err := c.safeToListen(); err != nil {
		return err
	}
	handler, err := mcp.NewHTTPHandler(server, &mcp.HTTPOptions{
		Token: c.token, TrustedOrigins: c.origins, AnyHost: c.anyHost || c.wide, Logger: logger,
	})
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.http)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	web := &http.Server{
		Handler: mux, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	logger.Info("listening", "url", "http://"+listener.Addr().String()+"/mcp", "token", c.token != "")
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		stopped <- web.Shutdown(grace)
	})
	if err := web.Serve(listener); stop() || !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

// safeToListen refuses what lets in others than the user: an address that other machines
// reach, or other host names, or no token, unless that is said, too.
func (c config) safeToListen() error {
	host, _, err := net.SplitHostPort(c.http)
	if err != nil {
		return fmt.Errorf("-http wants HOST:PORT, such as 127.0.0.1:8080: %w", err)
	}
	local := isLocal(host)
	const give = "give a token in CHEMIGRAM_TOKEN, or its file with -token-file"
	switch {
	case !local && !c.wide:
		return fmt.Errorf("-http %s is reached by other machines: take 127.0.0.1, or say -listen-wide and give a token", c.http)
	case c.token != "":
		return nil
	case !local:
		return fmt.Errorf("-http %s is reached by other machines: %s", c.http, give)
	case c.anyHost || c.wide:
		return fmt.Errorf("-any-host and -listen-wide let pages of any web site reach the server: %s", give)
	case !c.tokenless:
		return fmt.Errorf("-http without a token serves every program and user of this machine: %s, or say -without-token", give)
	}
	return nil
}
