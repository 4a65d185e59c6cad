// Package proving proves the moves and the named masks on the darktable that is
// installed, keeps what was found in the workspace, and says what holds here.
//
// The workspace's folder proofs has, for each darktable by its identity, a file of
// records, IDENTITY.jsonl, one line for each proof, and what is made of them: the page
// IDENTITY.html, the report IDENTITY.json and the folder IDENTITY with pictures.
package proving

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/filestamp"
	"github.com/chemigram/chemigram/internal/proving/testscenes"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp/iop"
)

// folder is that of the proofs in the workspace.
const folder = "proofs"

// State says where a move was proven.
type State string

// The states. None is that no proof is known.
const (
	None      State = ""
	Here      State = "here"
	Elsewhere State = "elsewhere"
	Failed    State = "failed here"
)

// Options say what is proven, and with what.
type Options struct {
	Workspace *workspace.Workspace
	// Vocabulary has the moves and masks, Shipped those that were proven before they were
	// published.
	Vocabulary, Shipped *vocab.Vocabulary
	// Darktable gives the installed one, Release what it knows.
	Darktable func() (*render.Darktable, error)
	Release   func() (iop.Release, error)
	// Chemigram is the program's version.
	Chemigram string
	// Allowed names moves and masks that may be used though they failed.
	Allowed []string
	Log     *slog.Logger
}

// Proofs are those of a workspace. It is safe for concurrent use.
type Proofs struct {
	Options
	paint   func(path string, scene vocab.Scene) error
	digests sync.Map // of *vocab.Entry and *vocab.NamedMask

	mu   sync.Mutex
	read map[string]recordFile // by identity
	// installed is the identity of the darktable that was there at lookedAt.
	installed string
	lookedAt  time.Time
	run       *Progress // nil when there is none
	ended     sync.WaitGroup
	cause     error // why the last run ended early
}

// Progress is how far a run is.
type Progress struct {
	Done, Total int
	What        string // the last that was proven
}

// recordFile is a file of records as it was read.
type recordFile struct {
	stamp   filestamp.Stamp
	settled bool
	records map[subject]Record
}

// New gives the proofs of a workspace.
func New(o Options) *Proofs {
	return &Proofs{Options: o, paint: testscenes.Write, read: map[string]recordFile{}}
}

// path is that of a file of a darktable's proofs.
func (p *Proofs) path(identity, extension string) string {
	return p.Workspace.Path(folder, identity+extension)
}

// identity names the installed darktable; empty when there is none. It looks at a
// hundred files for that, so it does not look again within a second: an edit asks for
// each of its moves and masks.
func (p *Proofs) identity() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.lookedAt) < time.Second {
		return p.installed
	}
	p.installed = ""
	if darktable, err := p.Darktable(); err == nil {
		p.installed = darktable.Identity()
	}
	p.lookedAt = time.Now()
	return p.installed
}

// records gives those of a darktable. Damaged lines are left out, with a warning.
func (p *Proofs) records(identity string) (map[subject]Record, error) {
	path := p.path(identity, ".jsonl")
	now := time.Now()
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	stamp := filestamp.Of(info)
	p.mu.Lock()
	defer p.mu.Unlock()
	if was := p.read[identity]; was.settled && was.stamp == stamp {
		return was.records, nil
	}
	if err := workspace.RefuseLink(p.Workspace.Path(folder), identity+".jsonl"); err != nil {
		return nil, err
	}
	found, damaged, why, err := records(path, identity)
	if err != nil {
		return nil, err
	}
	if damaged > 0 {
		p.Log.Warn("lines of a file of proofs are passed over", "path", path, "lines", damaged, "error", why)
	}
	p.read[identity] = recordFile{stamp, stamp.IsSettled(now), found}
	return found, nil
}

// digester is a move or a mask.
type digester interface{ Digest() string }

// digest is that of a move or a mask, made once.
func (p *Proofs) digest(of digester) string {
	if known, ok := p.digests.Load(of); ok {
		return known.(string)
	}
	made := of.Digest()
	p.digests.Store(of, made)
	return made
}

// current gives the record of a subject, unless it is of what the subject was before.
func (p *Proofs) current(known map[subject]Record, s subject, is digester) (Record, bool) {
	r, ok := known[s]
	return r, ok && r.Digest == p.digest(is)
}

// States gives a function that says where moves were proven.
func (p *Proofs) States() func(*vocab.Entry) State {
	here := p.here()
	others := sync.OnceValue(p.others)
	return func(e *vocab.Entry) State {
		s := subject{entry: e.Name}
		if r, ok := p.current(here, s, e); ok && r.Skipped == "" {
			if _, failed := r.Failure(); failed {
				return Failed
			}
			return Here
		}
		if shipped, err := p.Shipped.Entry(e.Name); err == nil && (shipped == e || p.digest(shipped) == p.digest(e)) {
			return Elsewhere
		}
		for _, known := range others() {
			if r, ok := p.current(known, s, e); ok && r.Skipped == "" {
				if _, failed := r.Failure(); !failed {
					return Elsewhere
				}
			}
		}
		return None
	}
}

// Any reports whether anything was ever proven in the workspace.
func (p *Proofs) Any() bool {
	_, err := os.Lstat(p.Workspace.Path(folder))
	return err == nil
}

// here gives the records of the installed darktable.
func (p *Proofs) here() map[subject]Record {
	if !p.Any() {
		return nil // and the darktable need not be asked who it is
	}
	return p.lookUp(p.identity())
}

// lookUp gives the records of a darktable. Those that cannot be read are none, with a
// warning.
func (p *Proofs) lookUp(identity string) map[subject]Record {
	if identity == "" {
		return nil
	}
	known, err := p.records(identity)
	if err != nil {
		p.Log.Warn("proofs cannot be read", "error", err)
	}
	return known
}

// mostOthers is how many darktables' proofs are looked at beside the installed one's.
const mostOthers = 32

// others gives the records of other darktables.
func (p *Proofs) others() (all []map[subject]Record) {
	entries, err := os.ReadDir(p.Workspace.Path(folder))
	if err != nil {
		return nil
	}
	identity := p.identity()
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), ".jsonl")
		if ok && name != identity && digest.MatchString(name) && len(all) < mostOthers {
			all = append(all, p.lookUp(name))
		}
	}
	return all
}

// CheckEntry refuses a move whose proof failed on this darktable, unless it is allowed.
func (p *Proofs) CheckEntry(e *vocab.Entry) error {
	return p.check(subject{entry: e.Name}, e.Name, e)
}

// CheckMask refuses a named mask whose proof failed on this darktable, unless it is
// allowed. A name of no mask is not refused.
func (p *Proofs) CheckMask(name string) error {
	for _, m := range p.Vocabulary.Masks() {
		if m.Name == name {
			return p.check(subject{mask: name}, name, m)
		}
	}
	return nil
}

func (p *Proofs) check(s subject, name string, is digester) error {
	if slices.Contains(p.Allowed, name) {
		return nil
	}
	r, ok := p.current(p.here(), s, is)
	if !ok {
		return nil
	}
	f, failed := r.Failure()
	if !failed {
		return nil
	}
	return fault.New(fault.NotImplemented,
		"%s does not do here what it says: its proof on this darktable %s failed: %s; take another, or allow it by name (chemigram-mcp -allow-failed %s, Options.AllowFailed)",
		s, r.Darktable, f, name).
		With("capability", name).With("requires", "a darktable on which this holds: "+strings.TrimSpace(f.Check+" "+f.Claim))
}

// Counts say how many moves and masks of the vocabulary were proven on a darktable.
type Counts struct {
	Total, Proven, Failed, Skipped, Missing int
	// Failures names those that failed, with what was found.
	Failures []Failure
}

// Failure is a move or a mask whose proof failed.
type Failure struct {
	Name string // of a mask, "the mask NAME"
	Says string
	name string
}

// count counts the records of the vocabulary's moves and masks.
func (p *Proofs) count(known map[subject]Record) (c Counts) {
	for s, is := range p.subjects() {
		c.Total++
		r, ok := p.current(known, s, is)
		f, failed := r.Failure()
		switch {
		case !ok:
			c.Missing++
		case r.Skipped != "":
			c.Skipped++
		case failed:
			c.Failed++
			c.Failures = append(c.Failures, Failure{s.String(), f.String(), s.entry + s.mask})
		default:
			c.Proven++
		}
	}
	return c
}

// subjects yields the moves and then the masks of the vocabulary, by name.
func (p *Proofs) subjects() iter.Seq2[subject, digester] {
	return func(yield func(subject, digester) bool) {
		for _, e := range p.Vocabulary.List(vocab.Filter{}) {
			if !yield(subject{entry: e.Name}, e) {
				return
			}
		}
		for _, m := range p.Vocabulary.Masks() {
			if !yield(subject{mask: m.Name}, m) {
				return
			}
		}
	}
}

// Summary says what holds on the installed darktable, and ok whether all of it that is not
// allowed does. It is empty when nothing was proven there, and nothing is.
func (p *Proofs) Summary() (says string, ok bool) {
	known := p.here()
	p.mu.Lock()
	run, cause := p.run, p.cause
	p.mu.Unlock()
	if len(known) == 0 && run == nil && cause == nil {
		return "", true
	}
	c := p.count(known)
	says = fmt.Sprintf("%d of %d moves and masks hold on this darktable", c.Proven, c.Total)
	ok = true
	if c.Failed > 0 {
		var names []string
		for _, f := range c.Failures {
			names = append(names, f.Name)
			ok = ok && slices.Contains(p.Allowed, f.name)
		}
		says += fmt.Sprintf("; %d failed and are refused unless they are allowed: %s", c.Failed, strings.Join(names, ", "))
	}
	if c.Skipped > 0 {
		says += fmt.Sprintf("; %d need another darktable", c.Skipped)
	}
	if c.Missing > 0 {
		says += fmt.Sprintf("; %d are not proven here", c.Missing)
	}
	switch {
	case run != nil:
		says += fmt.Sprintf("; a proof is running: %d of %d done", run.Done, run.Total)
	case cause != nil:
		says += fmt.Sprintf("; the last proof ended early: %v", cause)
	}
	return says, ok
}

// Close waits for what Start has started, whose context has to have ended.
func (p *Proofs) Close() { p.ended.Wait() }
