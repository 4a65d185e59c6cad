package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// TestMain makes this test program one that soaks, when it is asked to.
func TestMain(m *testing.M) {
	os.Exit(testutil.RunTests(m, map[string]testutil.Work{"soak": soak}))
}

const (
	soakEnv       = "CHEMIGRAM_SOAK" // how long; without it there is no soak
	soakProcesses = 4
	soakers       = 8 // goroutines of each process
)

// An ack is what a process of the soak tells of a verb that has returned.
type ack struct {
	Verb    string
	Soaker  string // the process and the goroutine
	Code    chemigram.Code
	Message string // of an error

	Image chemigram.ImageID
	Event string // a snapshot that it published
	Ref   string // a branch or a tag that it made
	Shown *shown
}

// soaker is one goroutine of a process.
type soaker struct {
	*chemigram.Engine
	ctx   context.Context //nolint:containedctx // a soaker is one call
	dir   string
	label string // the process and the goroutine
	r     *rand.Rand
	looks []string
	tell  func(ack) error
	busy  chan struct{} // heavy verbs that the process is at

	verb  string // that it is at
	names int
	kept  map[string]int // pictures, by the verb that showed them
}

// name is a name that nobody else gives.
func (s *soaker) name() string {
	s.names++
	return fmt.Sprintf("n%s-%d", s.label, s.names)
}

func (s *soaker) acknowledge(a ack, err error) error {
	if err != nil {
		return err
	}
	a.Verb, a.Soaker = s.verb, s.label
	return s.tell(a)
}

// edited tells of an edit.
func (s *soaker) edited(id chemigram.ImageID, res chemigram.EditResult, err error) error {
	if err != nil || !res.Changed {
		return err
	}
	return s.acknowledge(ack{Image: id, Event: res.Event}, nil)
}

func (s *soaker) series(res chemigram.SeriesResult, err error) error {
	for _, o := range res.Outcomes {
		if o.ErrorCode != "" {
			err = first(err, &chemigram.Error{Code: o.ErrorCode, Message: o.Error})
		} else if o.Changed {
			err = first(err, s.acknowledge(ack{Image: o.ImageID, Event: o.Event}, nil))
		}
	}
	return err
}

// soak is a process: it gets its number, the folder of the soak, and how long.
func soak(args []string) error {
	number, err1 := strconv.Atoi(args[0])
	length, err2 := time.ParseDuration(args[2])
	dir, ctx := args[1], context.Background()
	engine, err := openSoak(ctx, filepath.Join(dir, "workspace"), 1)
	if err := errors.Join(err1, err2, err); err != nil {
		return err
	}
	list, err := engine.ListVocabulary(ctx, chemigram.ListVocabularyParams{Layer: "L2", Limit: 500, AvailableOnly: true})
	if err != nil {
		return err
	}
	var looks []string
	for _, entry := range list.Entries {
		looks = append(looks, entry.Name)
	}
	busy := make(chan struct{}, 2)
	var mu sync.Mutex
	out := json.NewEncoder(os.Stdout)
	tell := func(a ack) error {
		mu.Lock()
		defer mu.Unlock()
		return out.Encode(a)
	}
	end := time.Now().Add(length)
	errs := make([]error, soakers)
	var last *soaker
	var group sync.WaitGroup
	for g := range soakers {
		s := &soaker{
			Engine: engine, ctx: ctx, dir: dir, label: fmt.Sprintf("%d-%d", number, g), looks: looks, tell: tell, busy: busy,
			r: rand.New(rand.NewPCG(uint64(number), uint64(g))), kept: map[string]int{},
		}
		group.Go(func() { errs[g] = s.run(end.Add(-length/6), end) })
		last = s
	}
	group.Wait()
	return errors.Join(errors.Join(errs...), last.lastLook(number), engine.Close())
}

func openSoak(ctx context.Context, root string, workers int) (*chemigram.Engine, error) {
	return chemigram.Open(ctx, &chemigram.Options{
		Workspace: root, Processes: 1, Workers: workers, LockWait: 5 * time.Minute, Tastes: filepath.Join(root, "tastes"),
	})
}

// run does all verbs in a random order, again and again, until the end: those that wait
// for darktable begin no later than last, so that few are under way then.
func (s *soaker) run(last, end time.Time) error {
	verbs := slices.Sorted(maps.Keys(soakVerbs))
	for {
		s.r.Shuffle(len(verbs), func(i, j int) { verbs[i], verbs[j] = verbs[j], verbs[i] })
		for _, s.verb = range verbs {
			if !time.Now().Before(end) {
				return nil
			}
			if heavy[s.verb] {
				if !time.Now().Before(last) {
					continue
				}
				select {
				case s.busy <- struct{}{}:
				default:
					continue // another time
				}
			}
			err := soakVerbs[s.verb](s)
			if heavy[s.verb] {
				<-s.busy
			}
			if err := s.tell(s.ended(err)); err != nil {
				return err
			}
		}
	}
}

// ended is what is told of the present verb when it has returned.
func (s *soaker) ended(err error) ack {
	told := ack{Verb: s.verb, Soaker: s.label}
	if err != nil {
		told.Message = err.Error()
		if coded, ok := errors.AsType[*chemigram.Error](err); ok {
			told.Code = coded.Code
		}
	}
	return told
}

// expected are the codes with which a verb may fail because of what others do at the
// same time: HEAD is elsewhere, there is nothing to undo, an image or a branch has
// gone or is back already, a file has changed since it was proposed to.
func expected(a ack) bool {
	switch a.Code {
	case chemigram.ErrVersioning, chemigram.ErrNotFound, chemigram.ErrState:
		return true
	case chemigram.ErrInvalidInput: // of what the present look is
		return slices.Contains([]string{"CherryPick", "RemoveModule", "WBFromPoint", "MatchExposure", "MatchSeries"}, a.Verb)
	case chemigram.ErrMasking: // no even place to heal from
		return a.Verb == "ApplySpot"
	case chemigram.ErrDarktable: // only on a machine that does much else
		return strings.Contains(a.Message, "its time was over")
	}
	return false
}

func soakRaw(dir string, id chemigram.ImageID) string {
	return filepath.Join(dir, "raws", string(id)+".dng")
}

// The soak has an action for every verb of the engine.
func TestTheSoakKnowsEveryVerb(t *testing.T) {
	t.Parallel()
	engine := reflect.TypeFor[*chemigram.Engine]()
	var verbs []string
	for m := range engine.Methods() {
		if m.Type.NumIn() == 3 && m.Type.NumOut() == 2 && strings.HasSuffix(m.Type.In(2).Name(), "Params") {
			verbs = append(verbs, m.Name)
		}
	}
	if known := slices.Sorted(maps.Keys(soakVerbs)); !slices.Equal(known, verbs) {
		t.Errorf("the soak does\n%q, and the engine has\n%q", known, verbs)
	}
}

// All verbs from several goroutines of several processes at once, on a real
// darktable: what was acknowledged is there at the end, every picture shows what it
// should, and nothing is left over.
func TestSoak(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv(soakEnv))
	if os.Getenv(soakEnv) == "" {
		t.Skip("run `make soak`: it takes as long as it is told to")
	} else if err != nil {
		t.Fatal(err)
	}
	testutil.UseDarktable(t)
	dir := t.TempDir()
	for _, name := range []string{"raws", "kept", "temp"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("OMP_NUM_THREADS", "1")
	t.Setenv("TMPDIR", filepath.Join(dir, "temp"))
	ingestAll(t, dir)
	workers := make([]*testutil.Worker, soakProcesses)
	for n := range workers {
		workers[n] = testutil.StartWorker(t, "soak", fmt.Sprint(n), dir, length.String())
	}
	all := testutil.AllMessages[ack](t, workers...)
	report, unexpected := countVerbs(all, length)
	t.Log(report)
	e, err := openSoak(t.Context(), filepath.Join(dir, "workspace"), -1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	checkAcks(t, e, all)
	if found, err := e.Verify(t.Context(), chemigram.VerifyParams{}); err != nil || len(found.Findings) > 0 {
		t.Errorf("verify finds %+v, %v", found.Findings, err)
	}
	checkPictures(t, dir, all)
	checkLeftovers(t, dir)
	for _, what := range unexpected { // last, where they are seen
		t.Error(what)
	}
}

func ingestAll(t *testing.T, dir string) {
	t.Helper()
	e, err := chemigram.Open(t.Context(), &chemigram.Options{Workspace: filepath.Join(dir, "workspace"), Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var group sync.WaitGroup
	for i, id := range soakImages {
		raw := soakRaw(dir, id)
		view := []scene.Scene{scene.Chart{}, scene.Landscape{}, scene.Ramp{}}[i%3]
		if err := scene.Write(raw, view, scene.Options{Megapixels: 0.06, DNG: dng.Options{EV: float64(i/3) * 0.7}}); err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			if _, err := e.Ingest(t.Context(), chemigram.IngestParams{RawPath: raw, ImageID: id}); err != nil {
				t.Error(err)
			}
		})
	}
	if group.Wait(); t.Failed() {
		t.FailNow()
	}
}

// countVerbs lists how often each verb was done, how often one failed as expected, and what
// was not expected.
func countVerbs(all []ack, length time.Duration) (report string, unexpected []string) {
	done, failed, examples := map[string]int{}, map[string]int{}, map[string]string{}
	for _, a := range all {
		switch {
		case a.Image != "": // told twice
		case a.Message == "":
			done[a.Verb]++
		case expected(a):
			failed[a.Verb+" "+string(a.Code)]++
			examples[string(a.Code)+" of "+a.Verb] = a.Message
		default:
			unexpected = append(unexpected, fmt.Sprintf("%s of %s: %s", a.Verb, a.Soaker, a.Message))
		}
	}
	for verb := range soakVerbs {
		if done[verb] == 0 && length >= 10*time.Minute {
			unexpected = append(unexpected, verb+" never succeeded")
		}
	}
	var lines strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(examples)) {
		fmt.Fprintf(&lines, "\n%s, such as: %s", kind, examples[kind])
	}
	return fmt.Sprintf("done: %v\nfailed as expected: %v%s", done, failed, &lines), unexpected
}

// checkAcks makes sure that snapshots and refs are there that were acknowledged, and
// that those of each goroutine are in the order in which it made them.
func checkAcks(t *testing.T, e *chemigram.Engine, all []ack) {
	t.Helper()
	last, refs, snapshots := map[string]string{}, map[chemigram.ImageID][]string{}, 0
	for _, a := range all {
		if a.Image == "" || a.Image == pruned || a.Image == tossed {
			continue
		}
		if a.Ref != "" {
			if refs[a.Image] == nil {
				log, err := e.Log(t.Context(), chemigram.LogParams{ImageID: a.Image, Limit: 1})
				if err != nil {
					t.Fatal(err)
				}
				refs[a.Image] = log.Refs
			}
			if !slices.Contains(refs[a.Image], a.Ref) {
				t.Errorf("%s of %s, which %s made, is not there", a.Ref, a.Image, a.Soaker)
			}
		}
		if a.Event == "" {
			continue
		}
		snapshots++
		log, err := e.Log(t.Context(), chemigram.LogParams{ImageID: a.Image, Ref: chemigram.RefOrHash(a.Event), Limit: 1})
		if err != nil || log.Entries[0].Event != a.Event {
			t.Errorf("the snapshot of %s by %s: %v", a.Verb, a.Soaker, err)
			continue
		}
		line := a.Soaker + " " + string(a.Image)
		at, err := time.Parse(time.RFC3339Nano, log.Entries[0].Time)
		before, _ := time.Parse(time.RFC3339Nano, last[line])
		if err != nil || at.Before(before) {
			t.Errorf("the snapshot of %s by %s on %s is of %v, before its last one of %v", a.Verb, a.Soaker, a.Image, at, before)
		}
		last[line] = log.Entries[0].Time
	}
	t.Logf("%d snapshots were acknowledged", snapshots)
}

// checkLeftovers makes sure that no temporary files are there, and no process that
// works in the folder.
func checkLeftovers(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, "workspace"), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".tmp") || strings.HasPrefix(filepath.Base(path), ".tmp-") {
			t.Errorf("%s is left over", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(filepath.Join(dir, "temp"))
	if err != nil {
		t.Error(err)
	}
	for _, entry := range left {
		t.Errorf("%s is left over in the folder for temporary files", entry.Name())
	}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Error(err)
	}
	for _, path := range lines {
		if line, err := os.ReadFile(path); err == nil && strings.Contains(string(line), dir) {
			t.Errorf("a process is left over: %q", line)
		}
	}
}
