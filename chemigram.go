package chemigram

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"time"

	"github.com/chemigram/chemigram/internal/exchange"
	"github.com/chemigram/chemigram/internal/installed"
	"github.com/chemigram/chemigram/internal/maskers"
	"github.com/chemigram/chemigram/internal/notebook"
	"github.com/chemigram/chemigram/internal/packs"
	"github.com/chemigram/chemigram/internal/probe"
	"github.com/chemigram/chemigram/internal/proving"
	"github.com/chemigram/chemigram/internal/redact"
	"github.com/chemigram/chemigram/internal/timelimit"
	"github.com/chemigram/chemigram/internal/version"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
)

// Options say where an Engine works and with what. The zero value is a
// workspace in the user's data folder, the darktable of this machine and the
// packs that ship.
type Options struct {
	// Workspace is the folder that holds images, histories, previews and
	// exports. It is made when it is missing. Default: "chemigram" in the
	// user's data folder.
	Workspace string
	// Darktable is the path of darktable-cli. Default: the environment's
	// DARKTABLE_CLI, then PATH, then the usual places.
	Darktable string
	// Packs are folders of vocabulary packs, read after the embedded ones.
	Packs []string
	// Tastes is the folder of Markdown files that say what the photographer
	// likes; see docs/context.md. Default: "chemigram/tastes" in the user's
	// config folder.
	Tastes string
	// Actor is who edits, as the history records it. Default: "chemigram".
	Actor string
	// ReadOnly refuses every verb that writes, with a permission_error.
	ReadOnly bool
	// RawRoots are the folders below which a raw may be ingested. Default: no
	// restriction.
	RawRoots []string
	// ExportRoots are the folders, beside the workspace, below which an export
	// may be written. Default: no restriction.
	ExportRoots []string
	// Processes bounds the darktables that run at once. Default: the number
	// of CPUs.
	Processes int
	// Workers bounds the prepared darktables, which have loaded a raw and wait
	// for its next preview: 0.7 GB for 24 megapixels each, while they are used
	// and for two minutes after. Default: the number of CPUs, on Linux and
	// macOS; they prove themselves before they are used. Negative: none.
	Workers int
	// Maskers find regions for masks, before the engine's own: the first that can
	// is asked.
	Maskers []Masker
	// MaskerTimeout limits how long a masker may take. Default: 1 minute.
	MaskerTimeout time.Duration
	// TranscriptBytes bounds what the transcripts of sessions have together. When a
	// session begins, the oldest that have ended are removed, also those beyond 5,000.
	// Default: 256 MiB. Negative: all are kept.
	TranscriptBytes int64
	// AllowFailed names moves and masks that may be used though their proof failed on
	// this darktable; see Prove. Default: none.
	AllowFailed []string
	// LockWait limits how long a verb waits for another writer of the same
	// image. Default: 10 s.
	LockWait time.Duration
	// OpenRemote opens a store at a URL, where images are shared; see docs/sharing.md.
	// Default: remotes are in folders alone.
	OpenRemote func(ctx context.Context, location string) (objects.Store, error)
	// Renderer develops previews, exports and proofs on other machines; see docs/farm.md.
	// Default: this machine does.
	Renderer render.Elsewhere
	// Logger receives what is worth knowing, without what looks like a secret.
	// Default: nothing is logged.
	Logger *slog.Logger
}

// Engine works in one workspace. Open makes one; it is safe for concurrent
// use.
type Engine struct {
	opts       Options
	log        *slog.Logger
	workspace  *workspace.Workspace
	notebook   *notebook.Notebook
	vocabulary *vocab.Vocabulary
	packErrors []error

	// darktable is nil when none was found; darktableErr then says why.
	darktable    *render.Darktable
	darktableErr error
	workers      *render.Workers // nil when there are none
	installed    installed.Memo  // what the darktable knows
	cache        *render.Cache
	probe        *probe.Probe
	masker       maskers.BuiltIn
	proofs       *proving.Proofs
	exchange     *exchange.Exchange

	sessions openSessions

	// closing is cancelled by Close: it ends what is still running.
	closing context.Context
	cancel  context.CancelFunc
}

// Open opens a workspace, or makes it. A missing or too old darktable is not an
// error here: verbs that do not need it work, the others return a
// darktable_error, and HealthCheck says how to mend it. A pack that cannot be
// loaded is left out, and HealthCheck names it.
func Open(ctx context.Context, opts *Options) (_ *Engine, err error) {
	defer seal(&err, "open", "")
	e := &Engine{}
	if opts != nil {
		e.opts = *opts
	}
	if e.opts.Actor == "" {
		e.opts.Actor = "chemigram"
	}
	e.log = redact.Logger(e.opts.Logger)
	e.workspace, err = workspace.Open(e.opts.Workspace, &workspace.Options{ReadOnly: e.opts.ReadOnly, LockWait: e.opts.LockWait, Actor: e.opts.Actor})
	if err != nil {
		return nil, err
	}
	e.notebook = notebook.New(e.workspace, e.opts.Tastes, e.log)
	cache := e.workspace.Path("cache")
	if e.opts.ReadOnly {
		cache = "" // nothing is written into the workspace
	}
	if e.cache, err = render.OpenCache(cache, nil); err != nil {
		return nil, err
	}
	var shipped *vocab.Vocabulary
	if e.vocabulary, shipped, e.packErrors, err = packs.Load(e.opts.Packs); err != nil {
		return nil, err
	}
	for _, err := range e.packErrors {
		e.log.Warn("a vocabulary pack is left out", "error", err)
	}
	e.darktable, e.darktableErr = render.Find(ctx, &render.Options{Path: e.opts.Darktable, Processes: e.opts.Processes, Elsewhere: e.opts.Renderer})
	if e.darktableErr != nil {
		e.log.Warn("darktable is not usable", "error", e.darktableErr)
	}
	if e.darktable != nil && e.opts.Workers >= 0 && runtime.GOOS != "windows" {
		e.workers = render.NewWorkers(e.darktable, &render.WorkersOptions{Max: e.opts.Workers})
	}
	e.probe = probe.New(probe.Options{Darktable: e.renderer, TimeLeft: timelimit.Left})
	e.proofs = proving.New(proving.Options{
		Workspace: e.workspace, Vocabulary: e.vocabulary, Shipped: shipped, Darktable: e.renderer, Release: e.release,
		Chemigram: Version(), Allowed: e.opts.AllowFailed, Log: e.log,
	})
	e.exchange = exchange.New(exchange.Options{Workspace: e.workspace, Open: e.opts.OpenRemote, Roots: e.opts.ExportRoots, Progress: reportProgress})
	e.closing, e.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return e, nil
}

// Close ends what is still running. Everything that a verb returned is on disk
// already.
func (e *Engine) Close() error {
	e.cancel()
	e.proofs.Close()
	e.exchange.Close()
	if e.workers != nil {
		_ = e.workers.Close() // it never fails
	}
	return errors.Join(e.sessions.end(), e.cache.Close())
}

// WorkspaceDir is the folder that the engine works in.
func (e *Engine) WorkspaceDir() string { return e.workspace.Root() }

// ReadOnly reports whether every verb that writes is refused.
func (e *Engine) ReadOnly() bool { return e.opts.ReadOnly }

// image opens an image by id.
func (e *Engine) image(id ImageID) (*workspace.Image, error) { return e.workspace.Image(string(id)) }

// Version is the module's version as the Go toolchain recorded it, such as
// "v0.1.0", or "(devel)".
func Version() string { return version.OfModule("github.com/chemigram/chemigram") }

// renderer gives the installed darktable, or the darktable_error that says how
// to get one.
func (e *Engine) renderer() (*render.Darktable, error) {
	if e.darktable == nil {
		return nil, e.darktableErr
	}
	return e.darktable, nil
}

// darktables is how many of them run at once.
func (e *Engine) darktables() int { return max(1, cmp.Or(e.opts.Processes, runtime.GOMAXPROCS(0))) }

// renderContext derives the context of a verb that runs darktable: it ends with
// the caller's context, with the engine, or soon after the time limit.
func (e *Engine) renderContext(ctx context.Context, limit TimeoutSeconds) (context.Context, context.CancelFunc) {
	ctx, end := e.engineContext(ctx)
	ctx, cancel := timelimit.With(ctx, time.Duration(float64(limit)*float64(time.Second)))
	return ctx, func() { cancel(); end() }
}

// engineContext derives a context that ends with the engine, too.
func (e *Engine) engineContext(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(e.closing, cancel)
	return ctx, func() { stop(); cancel() }
}
