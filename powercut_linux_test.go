package chemigram

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/workspace"
)

// place is where a name is: in a folder, by its inode.
type place struct {
	folder uint64
	name   string
}

// disk is what a disk has: files and folders by inode, and the names that lead to them.
type disk struct {
	names   map[place]uint64
	content map[uint64][]byte // of files
	folders map[uint64]bool
}

// cuttable is a workspace whose power can be cut: it keeps what was synced, and, each
// time that something is, all that there is.
type cuttable struct {
	root   string
	top    uint64
	synced disk
	cuts   []cut
}

// cut is what a disk is when the power goes: what was synced is there, and of the rest
// any part.
type cut struct {
	synced, now disk
	done        int  // how many verbs had returned
	idle        bool // none was at work
}

func inodeOf(t testing.TB, info os.FileInfo) uint64 {
	t.Helper()
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatal("no inodes here")
	}
	return stat.Ino
}

// look reads all that is in the workspace.
func (c *cuttable) look(t testing.TB) disk {
	t.Helper()
	d := disk{map[place]uint64{}, map[uint64][]byte{}, map[uint64]bool{}}
	var walk func(path string, inode uint64)
	walk = func(path string, inode uint64) {
		d.folders[inode] = true
		entries, _ := os.ReadDir(path)
		for _, entry := range entries {
			full := filepath.Join(path, entry.Name())
			info, err := os.Lstat(full)
			if err != nil {
				continue
			}
			child := inodeOf(t, info)
			d.names[place{inode, entry.Name()}] = child
			if info.IsDir() {
				walk(full, child)
			} else if data, err := os.ReadFile(full); err == nil {
				d.content[child] = data
			}
		}
	}
	walk(c.root, c.top)
	return d
}

// sync notes that a file or folder was synced. A rename is one change of the disk: what
// has its new name in a folder that was synced has its old one no more.
func (c *cuttable) sync(t testing.TB, f *os.File, done int) {
	info, err := f.Stat()
	if err != nil || !strings.HasPrefix(f.Name(), c.root) {
		return
	}
	inode, now := inodeOf(t, info), c.look(t)
	next := disk{maps.Clone(c.synced.names), maps.Clone(c.synced.content), maps.Clone(c.synced.folders)}
	if info.IsDir() {
		next.folders[inode] = true
		maps.DeleteFunc(next.names, func(p place, _ uint64) bool { return p.folder == inode })
		for p, child := range now.names {
			if p.folder == inode {
				maps.DeleteFunc(next.names, func(old place, moved uint64) bool { return moved == child && now.names[old] != child })
				next.names[p] = child
			}
		}
	} else {
		next.content[inode] = now.content[inode]
	}
	c.synced = next
	c.cuts = append(c.cuts, cut{next, now, done, false})
}

// write makes a folder of what a disk is after the power went; kept says of each part that
// was not synced whether it is there.
func (c cut) write(t testing.TB, top uint64, to string, kept func() bool) {
	t.Helper()
	names := maps.Clone(c.synced.names)
	for p, child := range c.now.names {
		if names[p] != child && kept() {
			maps.DeleteFunc(names, func(old place, moved uint64) bool { return moved == child && c.now.names[old] != child })
			names[p] = child
		}
	}
	for p, child := range c.synced.names {
		if _, there := c.now.names[p]; !there && names[p] == child && !leads(c.now, child) && kept() {
			delete(names, p)
		}
	}
	var fill func(inode uint64, path string)
	fill = func(inode uint64, path string) {
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		for p, child := range names {
			if p.folder != inode {
				continue
			}
			full := filepath.Join(path, p.name)
			if c.now.folders[child] || c.synced.folders[child] {
				fill(child, full)
				continue
			}
			data := c.synced.content[child]
			if kept() {
				data = c.now.content[child]
			}
			if err := os.WriteFile(full, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	fill(top, to)
}

// leads reports whether a name leads to an inode.
func leads(d disk, inode uint64) bool {
	for _, child := range d.names {
		if child == inode {
			return true
		}
	}
	return false
}

// powerStep is a verb, and what is true when it has returned and the power went.
type powerStep struct {
	name string
	do   func(ctx context.Context, e *Engine) error
	kept func(ctx context.Context, e *Engine) bool
}

// powerSteps are verbs that write the root's files, and what is true when they have
// returned and the power went.
var powerSteps = []powerStep{
	{"add", func(ctx context.Context, e *Engine) error { return addBaseline(ctx, e, "a", "5.4.1") }, nil},
	{"set_rating", func(ctx context.Context, e *Engine) error {
		stars := Rating(3)
		_, err := e.SetRating(ctx, SetRatingParams{ImageID: "a", Rating: &stars})
		return err
	}, func(ctx context.Context, e *Engine) bool {
		list, err := e.ListImages(ctx, ListImagesParams{})
		return err == nil && len(list.Images) > 0 && list.Images[0].Rating == 3
	}},
	{"log_vocabulary_gap", func(ctx context.Context, e *Engine) error {
		_, err := e.LogVocabularyGap(ctx, LogVocabularyGapParams{ImageID: "a", Description: "no flare", Workaround: "none"})
		return err
	}, func(ctx context.Context, e *Engine) bool {
		list, err := e.ListGaps(ctx, ListGapsParams{})
		return err == nil && list.Total == 1
	}},
	{"propose_notes_update", func(ctx context.Context, e *Engine) error {
		_, err := e.ProposeNotesUpdate(ctx, ProposeNotesUpdateParams{ImageID: "a", Content: "Watch the veil."})
		return err
	}, func(ctx context.Context, e *Engine) bool {
		list, err := e.ListProposals(ctx, ListProposalsParams{})
		return err == nil && len(list.Proposals) == 1
	}},
	{"confirm_notes_update", func(ctx context.Context, e *Engine) error {
		list, err := e.ListProposals(ctx, ListProposalsParams{})
		if err == nil {
			_, err = e.ConfirmNotesUpdate(ctx, ConfirmParams{ProposalID: list.Proposals[0].ProposalID})
		}
		return err
	}, func(ctx context.Context, e *Engine) bool {
		read, err := e.ReadContext(ctx, ReadContextParams{ImageID: "a"})
		list, listErr := e.ListProposals(ctx, ListProposalsParams{})
		return err == nil && listErr == nil && strings.Contains(read.Notes, "Watch the veil.") &&
			!slices.ContainsFunc(list.Proposals, func(p Proposal) bool { return p.Kind == "notes" })
	}},
	{"propose_taste_update", func(ctx context.Context, e *Engine) error {
		_, err := e.ProposeTasteUpdate(ctx, ProposeTasteUpdateParams{Content: "Quiet skies.", Category: "appearance"})
		return err
	}, func(ctx context.Context, e *Engine) bool {
		list, err := e.ListProposals(ctx, ListProposalsParams{})
		return err == nil && len(list.Proposals) == 1
	}},
	{"confirm_taste_update", func(ctx context.Context, e *Engine) error {
		list, err := e.ListProposals(ctx, ListProposalsParams{})
		if err == nil {
			_, err = e.ConfirmTasteUpdate(ctx, ConfirmParams{ProposalID: list.Proposals[0].ProposalID})
		}
		return err
	}, func(ctx context.Context, e *Engine) bool {
		read, err := e.ReadContext(ctx, ReadContextParams{ImageID: "a"})
		return err == nil && len(read.Tastes) == 1 && strings.Contains(read.Tastes[0].Content, "Quiet skies.")
	}},
	{"decline_proposal", func(ctx context.Context, e *Engine) error {
		proposed, err := e.ProposeTasteUpdate(ctx, ProposeTasteUpdateParams{Content: "No flare.", Category: "appearance"})
		if err == nil {
			_, err = e.DeclineProposal(ctx, DeclineProposalParams{ProposalID: proposed.ProposalID})
		}
		return err
	}, func(ctx context.Context, e *Engine) bool {
		list, err := e.ListProposals(ctx, ListProposalsParams{})
		return err == nil && len(list.Proposals) == 0
	}},
	{"audit", func(ctx context.Context, e *Engine) error {
		return e.Audit(ctx, AuditRecord{Verb: "delete_all", Reason: "a test"})
	}, func(_ context.Context, e *Engine) bool {
		lines, err := os.ReadFile(e.workspace.Path(workspace.AuditLog))
		return err == nil && strings.Contains(string(lines), `"delete_all"`)
	}},
	{"export_sidecar", func(ctx context.Context, e *Engine) error {
		_, err := e.ExportSidecar(ctx, ExportSidecarParams{ImageID: "a"})
		return err
	}, func(_ context.Context, e *Engine) bool {
		found, _ := filepath.Glob(e.workspace.Path("exports", "a", "*.xmp"))
		info, err := os.Stat(append(found, "none")[0])
		return err == nil && info.Size() > 1000
	}},
	{"begin_session", func(ctx context.Context, e *Engine) error {
		s, err := e.BeginSession(ctx, nil)
		if err == nil {
			err = s.End()
		}
		return err
	}, func(ctx context.Context, e *Engine) bool {
		list, err := e.ListTranscripts(ctx, ListTranscriptsParams{})
		return err == nil && list.Total == 1 && list.Transcripts[0].Ended
	}},
	{"export_bundle", func(ctx context.Context, e *Engine) error {
		_, err := e.ExportBundle(ctx, ExportBundleParams{ImageID: "a"})
		return err
	}, func(ctx context.Context, e *Engine) bool {
		return len(bundlesOf(e)) == 1
	}},
	{"import_bundle", func(ctx context.Context, e *Engine) error {
		_, err := e.ImportBundle(ctx, ImportBundleParams{BundlePath: bundlesOf(e)[0], ImageID: "b"})
		return err
	}, func(ctx context.Context, e *Engine) bool { return isThere(ctx, e, "b") }},
	{"delete_image", func(ctx context.Context, e *Engine) error {
		_, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: "b", Reason: "a test"})
		return err
	}, func(ctx context.Context, e *Engine) bool {
		name, err := e.inTrash("b")
		return err == nil && name != ""
	}},
	{"restore_image", func(ctx context.Context, e *Engine) error {
		name, err := e.inTrash("b")
		if err == nil {
			_, err = e.RestoreImage(ctx, RestoreImageParams{TrashName: name})
		}
		return err
	}, func(ctx context.Context, e *Engine) bool { return isThere(ctx, e, "b") }},
}

func bundlesOf(e *Engine) []string {
	found, _ := filepath.Glob(e.workspace.Path("exports", "a", "*.chemigram"))
	return found
}

func isThere(ctx context.Context, e *Engine, id ImageID) bool {
	_, err := e.GetState(ctx, GetStateParams{ImageID: id})
	return err == nil
}

// lasting are the steps whose effect no later step takes back.
var lasting = map[string]bool{
	"set_rating": true, "log_vocabulary_gap": true, "confirm_notes_update": true, "confirm_taste_update": true, "audit": true,
	"export_sidecar": true, "begin_session": true, "export_bundle": true,
}

// When the power goes, what was acknowledged is there, and nothing is half there.
func TestAPowerCutLosesNothingOfTheWorkspace(t *testing.T) {
	ctx := t.Context()
	root := filepath.Join(t.TempDir(), "workspace")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(root)
	if err != nil {
		t.Fatal(err)
	}
	c := &cuttable{root: root, top: inodeOf(t, info)}
	c.synced = disk{map[place]uint64{}, map[uint64][]byte{}, map[uint64]bool{c.top: true}}
	done := 0
	atomicfile.Observe(func(f *os.File) { c.sync(t, f, done) })
	defer atomicfile.Observe(nil)
	e := openWithout(t, Options{Workspace: root, Tastes: filepath.Join(root, "tastes")})
	for _, step := range powerSteps {
		if err := step.do(ctx, e); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		done++
		c.cuts = append(c.cuts, cut{c.synced, c.look(t), done, true})
	}
	atomicfile.Observe(nil)
	t.Logf("%d cuts", len(c.cuts))
	every := testutil.Repeats(5, 3, 1)
	for i, one := range c.cuts {
		if i%every != 0 && !one.idle {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(i), 7))
		for _, kept := range []func() bool{func() bool { return false }, func() bool { return r.IntN(2) == 0 }} {
			to := filepath.Join(t.TempDir(), "workspace")
			one.write(t, c.top, to, kept)
			checkAfterPowerCut(t, to, one)
		}
		if t.Failed() {
			t.Fatalf("at cut %d of %d, after %d verbs", i, len(c.cuts), one.done)
		}
	}
}

// checkAfterPowerCut opens what a cut left.
func checkAfterPowerCut(t *testing.T, root string, c cut) {
	t.Helper()
	e, err := Open(t.Context(), &Options{
		Workspace: root, Tastes: filepath.Join(root, "tastes"), Darktable: filepath.Join(root, "no-darktable-here"),
	})
	if err != nil {
		t.Errorf("it does not open: %v", err)
		return
	}
	defer e.Close()
	found, err := e.Verify(t.Context(), VerifyParams{})
	if err != nil {
		t.Error(err)
	}
	for _, f := range found.Findings {
		// What never was acknowledged may leave a temporary file or a torn end.
		if f.Fault != "raw_missing" && f.Fault != "temp_file" && f.Fault != "torn_tail" && f.Fault != "torn_line" && f.Fault != "damaged_index" {
			t.Errorf("verify finds %+v", f)
		}
	}
	for n, step := range powerSteps[:c.done] {
		if step.kept != nil && (c.idle && n == c.done-1 || lasting[step.name]) && !step.kept(t.Context(), e) {
			t.Errorf("what %s did is lost", step.name)
		}
	}
	if c.done > 0 && !isThere(t.Context(), e, "a") {
		t.Error("the image a is lost")
	}
	imported := 1 + slices.IndexFunc(powerSteps, func(s powerStep) bool { return s.name == "import_bundle" })
	name, err := e.inTrash("b")
	if err != nil || c.done >= imported && isThere(t.Context(), e, "b") == (name != "") {
		t.Errorf("b is in the trash as %q, %v, and among the images: %t", name, err, isThere(t.Context(), e, "b"))
	}
	if err := addBaseline(t.Context(), e, "new", "5.4.1"); err != nil {
		t.Errorf("nothing can be added: %v", err)
	}
}

// A picture that an export or a batch has acknowledged is whole when the power goes.
func TestAPowerCutLosesNoExport(t *testing.T) {
	e, _ := openFake(t, testutil.FakeOptions{}, "a")
	root := e.workspace.Root()
	info, err := os.Stat(root)
	if err != nil {
		t.Fatal(err)
	}
	c := &cuttable{root: root, top: inodeOf(t, info)}
	c.synced = c.look(t)
	atomicfile.Observe(func(f *os.File) { c.sync(t, f, 0) })
	defer atomicfile.Observe(nil)
	for name, export := range map[string]func() error{
		"export_final": func() error {
			_, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a"})
			return err
		},
		"export_batch": func() error {
			_, err := e.ExportBatch(t.Context(), ExportBatchParams{Items: []ExportItem{{ImageID: "a"}}, Size: 100})
			return err
		},
	} {
		before, err := filepath.Glob(e.workspace.Path("exports", "a", "*.jpg"))
		if err != nil {
			t.Fatal(err)
		}
		if err := export(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		to := filepath.Join(t.TempDir(), "workspace")
		cut{c.synced, c.look(t), 0, true}.write(t, c.top, to, func() bool { return false })
		written, err := filepath.Glob(filepath.Join(to, "exports", "a", "*.jpg"))
		if err != nil || len(written) != len(before)+1 {
			t.Errorf("%s: %v is there, %v", name, written, err)
		}
		for _, path := range written {
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Errorf("%s: %s is not whole: %v", name, path, err)
			}
		}
	}
}
