package notebook

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
)

const (
	// proposalLife is how long a proposal waits for an answer.
	proposalLife = 7 * 24 * time.Hour
	// proposalMemory is how long an answered or expired proposal is remembered,
	// so that answering it again can be told from a wrong id.
	proposalMemory = 30 * 24 * time.Hour
	// mostPending bounds the proposals that wait for an answer.
	mostPending = 100
	// mostSettled bounds those that are remembered after their answer.
	mostSettled = 400
	// mostContent is the size of what one proposal may add, in bytes.
	mostContent = 16 << 10
)

// proposalID is what a proposal's id looks like, which names its file.
var proposalID = regexp.MustCompile(`\A[a-z2-7]{16}\z`)

// What a proposal changes.
const (
	TasteProposal = "taste"
	NotesProposal = "notes"
)

// Categories are what a taste may be about, each a section of its file.
func Categories() []string { return []string{"appearance", "process", "value"} }

// Proposal is a change of a Markdown file that waits for a person's answer.
type Proposal struct {
	ID         string `json:"proposal_id"`
	Kind       string `json:"kind"`        // taste or notes
	ImageID    string `json:"image_id"`    // whose notes it changes; empty for a taste
	TargetFile string `json:"target_file"` // that it changes
	Diff       string `json:"diff"`        // the change as a unified diff
	ProposedAt string `json:"proposed_at"` // as ISO 8601 in UTC
	ExpiresAt  string `json:"expires_at"`  // from when on it cannot be confirmed
	// AlreadyThere are lines of its content that the file has, and that it leaves out.
	AlreadyThere []string `json:"already_there,omitempty"`
}

// proposalFile is proposals/ID.json.
type proposalFile struct {
	Proposal
	Image    *workspace.Identity `json:"image,omitempty"` // whose notes it changes
	Taste    string              `json:"taste,omitempty"`
	Category string              `json:"category,omitempty"`
	Actor    string              `json:"actor"`
	Content  string              `json:"content"`
	// File is the target's name, as the diff shows it.
	File string `json:"file"`
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

// expired reports whether it is too late for an answer.
func (p *proposalFile) expired() bool { return !time.Now().Before(p.end()) }

// end is when the proposal expires. A time that is damaged is long ago.
func (p *proposalFile) end() time.Time {
	end, _ := time.Parse(time.RFC3339Nano, p.ExpiresAt)
	return end
}

func (p *proposalFile) pending() bool { return p.Answer == "" && !p.expired() }

// forgotten reports whether the file may go.
func (p *proposalFile) forgotten() bool {
	end := p.end()
	if p.Answer != "" {
		end = p.SettledAt
	}
	return time.Since(end) > proposalMemory
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// dir is the folder of the proposals.
func (n *Notebook) dir() string { return n.workspace.Path("proposals") }

// lock makes the folder of the proposals when it is missing, and takes its lock.
func (n *Notebook) lock(ctx context.Context) (unlock func(), err error) {
	dir, err := n.workspace.MakeFolder("proposals")
	if err != nil {
		return nil, err
	}
	return n.workspace.Lock(ctx, filepath.Join(dir, ".lock"))
}

// write publishes a proposal's file.
func (n *Notebook) write(p *proposalFile) error {
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	return workspace.Write(filepath.Join(n.dir(), p.ID+".json"), append(data, '\n'), 0o600)
}

// read reads a proposal's file.
func (n *Notebook) read(id string) (*proposalFile, error) {
	if !proposalID.MatchString(id) {
		return nil, fs.ErrNotExist
	}
	data, err := workspace.ReadBounded(n.dir(), id+".json", 1<<20)
	if err != nil {
		return nil, err
	}
	return decodeProposal(data, id)
}

func decodeProposal(data []byte, id string) (*proposalFile, error) {
	p := &proposalFile{}
	if err := json.Unmarshal(data, p); err != nil || p.ID != id {
		return nil, fault.New(fault.State, "the file of proposal %s is damaged, and nothing was written: propose again", id)
	}
	return p, nil
}

// all reads all proposals that are kept, newest first. Files that cannot be read are
// skipped.
func (n *Notebook) all() (all []*proposalFile, skipped int, err error) {
	folder, err := os.Open(n.dir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer folder.Close()
	const most = 10_000
	names, err := folder.Readdirnames(most)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	for _, name := range names {
		id, ok := strings.CutSuffix(name, ".json")
		if !ok || !proposalID.MatchString(id) {
			continue
		}
		p, err := n.read(id)
		if errors.Is(err, fs.ErrNotExist) {
			continue // forgotten meanwhile
		}
		if err != nil {
			n.log.Warn("a proposal is left out", "id", id, "error", err)
			skipped++
			continue
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *proposalFile) int {
		return cmp.Or(cmp.Compare(b.ProposedAt, a.ProposedAt), cmp.Compare(a.ID, b.ID))
	})
	return all, skipped, nil
}

// Pending lists what waits for an answer: all of it, or what concerns
// one image, which tastes always do. The newest are first. skipped is how many files
// of proposals cannot be read.
func (n *Notebook) Pending(ctx context.Context, imageID string) (_ []Proposal, skipped int, err error) {
	all, skipped, err := n.all()
	pending := []Proposal{}
	matches := n.imageCheck(ctx)
	for _, p := range all {
		if p.pending() && (imageID == "" || p.ImageID == "" || p.ImageID == imageID && matches(p) == nil) {
			pending = append(pending, p.Proposal)
		}
	}
	return pending, skipped, err
}

// keep gives a proposal its id and times, and publishes it. Those that are forgotten
// go.
func (n *Notebook) keep(ctx context.Context, p *proposalFile) error {
	unlock, err := n.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	all, _, err := n.all()
	if err != nil {
		return err
	}
	pending, settled := 0, 0
	for _, old := range all { // newest first
		if old.pending() {
			pending++
		} else if settled++; settled > mostSettled || old.forgotten() {
			_ = n.workspace.Remove("proposals", old.ID+".json")
		}
	}
	if pending >= mostPending {
		return fault.New(fault.State, "%d proposals wait for an answer: confirm or decline some first", pending)
	}
	now := time.Now().UTC()
	p.ID, p.Actor = strings.ToLower(rand.Text()[:16]), n.workspace.Actor(ctx)
	p.ProposedAt, p.ExpiresAt = now.Format(stampLayout), now.Add(proposalLife).Format(stampLayout)
	return n.write(p)
}

// stampLayout is ISO 8601 with all its digits, so that texts sort as times do.
const stampLayout = "2006-01-02T15:04:05.000000000Z07:00"
