package chemigram

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
)

const (
	// proposalLife is how long a proposal waits for an answer.
	proposalLife = 7 * 24 * time.Hour
	// proposalMemory is how long an answered or expired proposal is remembered,
	// so that answering it again can be told from a wrong id.
	proposalMemory = 30 * 24 * time.Hour
	// mostPending bounds the proposals that wait for an answer.
	mostPending = 100
	// mostContent is the size of what one proposal may add, in bytes.
	mostContent = 16 << 10

	proposalIDPattern = `[a-z2-7]{16}`
)

// ProposalID names a proposal: 16 lower-case letters and digits 2 to 7.
type ProposalID string

// ProposalKind is what a proposal changes: taste or notes.
type ProposalKind string

const (
	tasteProposal ProposalKind = "taste"
	notesProposal ProposalKind = "notes"
)

// Proposal is a change of a Markdown file that waits for a person's answer.
type Proposal struct {
	// ProposalID names the proposal.
	ProposalID ProposalID `json:"proposal_id"`
	// Kind is taste, for confirm_taste_update, or notes, for
	// confirm_notes_update.
	Kind ProposalKind `json:"kind"`
	// ImageID is the image whose notes it changes; empty for a taste.
	ImageID ImageID `json:"image_id"`
	// TargetFile is the file that it changes.
	TargetFile string `json:"target_file"`
	// Diff is the change as a unified diff.
	Diff string `json:"diff"`
	// ProposedAt is when, as ISO 8601 in UTC.
	ProposedAt string `json:"proposed_at"`
	// ExpiresAt is when it can no longer be confirmed, 7 days later.
	ExpiresAt string `json:"expires_at"`
}

// proposalFile is proposals/ID.json.
type proposalFile struct {
	Proposal
	Taste    string `json:"taste,omitempty"`
	Category string `json:"category,omitempty"`
	Actor    string `json:"actor"`
	Content  string `json:"content"`
	// Before and After are the SHA-256 of the target without the change and
	// with it.
	Before    string    `json:"before"`
	After     string    `json:"after"`
	Answer    answer    `json:"answer,omitempty"`
	SettledAt time.Time `json:"settled_at,omitzero"`
}

type answer string

const (
	confirmed answer = "confirmed"
	declined  answer = "declined"
)

// expired tells whether it is too late for an answer. A time that is damaged is
// long ago.
func (p *proposalFile) expired() bool { return !time.Now().Before(Time(p.ExpiresAt).time()) }

func (p *proposalFile) pending() bool { return p.Answer == "" && !p.expired() }

// forgotten tells whether the file may go.
func (p *proposalFile) forgotten() bool {
	end := Time(p.ExpiresAt).time()
	if p.Answer != "" {
		end = p.SettledAt
	}
	return time.Since(end) > proposalMemory
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// proposals is the folder of the proposals.
func (w *workspace) proposals() string { return w.path("proposals") }

// lockProposals makes the folder when it is missing, and takes its lock.
func (e *Engine) lockProposals(ctx context.Context) (unlock func(), err error) {
	dir := e.workspace.proposals()
	if err := makeOwnFolder(dir); err != nil {
		return nil, err
	}
	return e.lockFile(ctx, filepath.Join(dir, ".lock"))
}

// makeOwnFolder makes a folder, and refuses a link in its place.
func makeOwnFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return notALink(filepath.Dir(dir), filepath.Base(dir))
}

// lockFile takes a lock that other goroutines and processes see. It waits as
// long as other writers of the engine do. The lock of a process that died is
// free.
func (e *Engine) lockFile(ctx context.Context, path string) (unlock func(), err error) {
	return lockFile(ctx, path, cmp.Or(e.opts.LockWait, 10*time.Second))
}

func lockFile(ctx context.Context, path string, wait time.Duration) (unlock func(), err error) {
	if err := notALink(filepath.Dir(path), filepath.Base(path)); err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	lock := flock.New(path, flock.SetPermissions(0o644))
	if _, err := lock.TryLockContext(waiting, 2*time.Millisecond); err != nil {
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			return nil, fault.New(fault.State, "another writer held %s for %s: try again", path, wait)
		}
		return nil, err
	}
	return func() { _ = lock.Unlock() }, nil
}

// writeProposal publishes a proposal's file.
func (w *workspace) writeProposal(p *proposalFile) error {
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(w.proposals(), string(p.ProposalID)+".json"), append(data, '\n'), 0o600)
}

// readProposal reads a proposal's file.
func (w *workspace) readProposal(id ProposalID) (*proposalFile, error) {
	data, err := readBounded(w.proposals(), string(id)+".json", 1<<20)
	if err != nil {
		return nil, err
	}
	p := &proposalFile{}
	if err := json.Unmarshal(data, p); err != nil || p.ProposalID != id {
		return nil, fault.New(fault.State, "the file of proposal %s is damaged, and nothing was written: propose again", id)
	}
	return p, nil
}

// readBounded reads a small file, and no more than most bytes of it.
func readBounded(dir, name string, most int64) ([]byte, error) {
	f, _, err := openText(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readRange(f, 0, most)
}

// everyProposal reads all proposals that are kept, newest first. Files that are
// damaged are left out.
func (e *Engine) everyProposal() ([]*proposalFile, error) {
	folder, err := os.Open(e.workspace.proposals())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	const most = 10_000
	names, _ := folder.Readdirnames(most)
	var all []*proposalFile
	for _, name := range names {
		id := ProposalID(strings.TrimSuffix(name, ".json"))
		if !rules[reflect.TypeFor[ProposalID]()].allowsText(string(id)) {
			continue
		}
		p, err := e.workspace.readProposal(id)
		if err != nil {
			e.log.Warn("a proposal is left out", "id", id, "error", err)
			continue
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *proposalFile) int {
		return cmp.Or(cmp.Compare(b.ProposedAt, a.ProposedAt), cmp.Compare(a.ProposalID, b.ProposalID))
	})
	return all, nil
}

// pendingProposals lists what waits for an answer: all of it, or what concerns
// one image, which tastes always do.
func (e *Engine) pendingProposals(id ImageID) ([]Proposal, error) {
	all, err := e.everyProposal()
	pending := []Proposal{}
	for _, p := range all {
		if p.pending() && (id == "" || p.ImageID == "" || p.ImageID == id) {
			pending = append(pending, p.Proposal)
		}
	}
	return pending, err
}

// keepProposal gives a proposal its id and times, and publishes it. Those that
// are forgotten go.
func (e *Engine) keepProposal(ctx context.Context, p *proposalFile) error {
	unlock, err := e.lockProposals(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	all, err := e.everyProposal()
	if err != nil {
		return err
	}
	pending := 0
	for _, old := range all {
		if old.forgotten() {
			_ = os.Remove(filepath.Join(e.workspace.proposals(), string(old.ProposalID)+".json"))
		} else if old.pending() {
			pending++
		}
	}
	if pending >= mostPending {
		return fault.New(fault.State, "%d proposals wait for an answer: confirm or decline some first", pending)
	}
	now := time.Now().UTC()
	p.ProposalID = ProposalID(strings.ToLower(rand.Text()[:16]))
	p.Actor = e.actor(ctx)
	p.ProposedAt, p.ExpiresAt = now.Format(stampLayout), now.Add(proposalLife).Format(stampLayout)
	return e.workspace.writeProposal(p)
}

// stampLayout is ISO 8601 with all its digits, so that texts sort as times do.
const stampLayout = "2006-01-02T15:04:05.000000000Z07:00"
