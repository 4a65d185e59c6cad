package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/share"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/versioning"
)

// said is what a process says before a call and after it.
type said struct {
	Call  int // counts the calls of a process
	Image string
	// To is where the branch is here that is pushed; "" asks where it is there.
	To string
	At int64 // nanoseconds of the machine's clock
	// Result is that of the call; "" before it.
	Result result
	// Tip is where the branch is there, as the answer says.
	Tip string
}

// result is how a call ends.
type result string

const (
	done result = "done"
	// lost is a push that another was faster than.
	lost result = "lost"
	// unknown is a call without an answer: it has no effect, or has it at any later time.
	unknown result = "unknown"
)

// openWorker opens the engine of a process with the bucket and its images.
func openWorker(ctx context.Context, workspace, darktable, location string) (*chemigram.Engine, []chemigram.RemoteImage, error) {
	e, err := chemigram.Open(ctx, &chemigram.Options{
		Workspace: workspace, Darktable: darktable, Workers: -1, Actor: filepath.Base(workspace), OpenRemote: Open,
	})
	if err != nil {
		return nil, nil, err
	}
	err = insist(func() error {
		_, err := e.AddRemote(ctx, chemigram.AddRemoteParams{Remote: "bucket", Location: location})
		return err
	})
	if err != nil {
		return e, nil, err
	}
	var images []chemigram.RemoteImage
	err = insist(func() error {
		list, err := e.ListRemoteImages(ctx, chemigram.ListRemoteImagesParams{})
		images = list.RemoteImages
		return err
	})
	for _, image := range images {
		err = errors.Join(err, insist(func() error {
			_, err := e.CloneImage(ctx, chemigram.CloneImageParams{RemoteImage: image.FirstEvent})
			return err
		}))
	}
	return e, images, err
}

// insist does something until the bucket answers.
func insist(do func() error) (err error) {
	for range 20 {
		if err = do(); err == nil || chemigram.AsError(err).Details["reason"] != "unreachable" {
			return err
		}
	}
	return err
}

// editAndShare edits images, pushes them, and merges what others have pushed, until so many
// pushes were acknowledged, or it is killed. It says each call before it is made, and how
// it ended.
func editAndShare(args []string) error {
	ctx := context.Background()
	moves, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	e, images, err := openWorker(ctx, args[0], args[1], args[2])
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()
	w := sharing{engine: e, out: json.NewEncoder(os.Stdout)}
	for w.acknowledged < moves {
		image := images[rand.IntN(len(images))].ImageID
		for {
			err := w.edit(ctx, image)
			if err == nil {
				err = w.push(ctx, image)
			}
			if err == nil {
				break
			}
			if chemigram.AsError(err).Details["winner"] == nil && chemigram.AsError(err).Details["reason"] != "unreachable" {
				return err
			}
			if err := insist(func() error { return w.pull(ctx, image) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// sharing is a process that shares images.
type sharing struct {
	engine              *chemigram.Engine
	out                 *json.Encoder
	calls, acknowledged int
}

// edit makes a snapshot that no other process makes.
func (w *sharing) edit(ctx context.Context, image chemigram.ImageID) error {
	value := float64(rand.IntN(1_000_000))/1_000_000 + 0.01
	_, err := w.engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: image, PrimitiveName: "exposure", Value: &value})
	return err
}

// call says a call, makes it, and says how it ended.
func (w *sharing) call(s said, do func() (tip string, err error)) error {
	w.calls++
	s.Call, s.At = w.calls, time.Now().UnixNano()
	if err := w.out.Encode(s); err != nil {
		return err
	}
	tip, err := do()
	s.At, s.Tip, s.Result = time.Now().UnixNano(), tip, done
	if err != nil {
		s.Result = unknown
		if winner, ok := chemigram.AsError(err).Details["winner"].(string); ok {
			s.Result, s.Tip = lost, winner
		}
	}
	return errors.Join(err, w.out.Encode(s))
}

// push sends the branch as it is here.
func (w *sharing) push(ctx context.Context, image chemigram.ImageID) error {
	log, err := w.engine.Log(ctx, chemigram.LogParams{ImageID: image, Limit: 1})
	if err != nil {
		return err
	}
	var failed error
	err = w.call(said{Image: string(image), To: log.Entries[0].Event}, func() (string, error) {
		var r chemigram.PushResult
		r, failed = w.engine.Push(ctx, chemigram.PushParams{ImageID: image})
		return r.Event, failed
	})
	if failed == nil {
		w.acknowledged++
		return err
	}
	return failed
}

// pull asks where the branch is there, and merges that.
func (w *sharing) pull(ctx context.Context, image chemigram.ImageID) error {
	var failed error
	err := w.call(said{Image: string(image)}, func() (string, error) {
		var r chemigram.FetchResult
		if r, failed = w.engine.Fetch(ctx, chemigram.FetchParams{ImageID: image}); failed != nil {
			return "", failed
		}
		return r.Branches[0].Event, nil
	})
	if failed != nil {
		return failed
	}
	if err == nil {
		_, err = w.engine.Pull(ctx, chemigram.PullParams{ImageID: image, Prefer: chemigram.Theirs})
	}
	return err
}

// branches is what the branch of an image may do: it is somewhere, and a push moves it to a
// snapshot that comes from there, or is told where it is. comesFrom reports whether a
// snapshot does.
func branches(comesFrom func(image, to, from string) bool) porcupine.Model {
	return porcupine.Model{
		Partition: func(history []porcupine.Operation) (parts [][]porcupine.Operation) {
			byImage := map[string][]porcupine.Operation{}
			for _, o := range history {
				image := o.Input.(said).Image
				byImage[image] = append(byImage[image], o)
			}
			for _, part := range byImage {
				parts = append(parts, part)
			}
			return parts
		},
		Init: func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			at, call, answer := state.(string), input.(said), output.(said)
			moves := call.To != "" && (at == "" || comesFrom(call.Image, call.To, at))
			switch {
			case answer.Result == unknown && call.To != "" && moves:
				return true, call.To
			case answer.Result == unknown:
				return true, at
			case call.To == "", answer.Result == lost:
				return answer.Tip == at, at
			case answer.Tip == call.To:
				return moves, call.To
			}
			return answer.Tip == at && comesFrom(call.Image, at, call.To), at // it has more
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v → %+v", input, output) },
	}
}

// A history in which a move was lost, or something was read that was not there any more, is
// found.
func TestLostMovesAreFound(t *testing.T) {
	t.Parallel()
	// Snapshots are named by those that they come from: "ab" comes from "a".
	model := branches(func(_, to, from string) bool { return strings.HasPrefix(to, from) })
	op := func(from, until int64, to string, r result, tip string) porcupine.Operation {
		in := said{Image: "a", To: to}
		out := in
		out.Result, out.Tip = r, tip
		return porcupine.Operation{Input: in, Call: from, Output: out, Return: until}
	}
	for name, c := range map[string]struct {
		history []porcupine.Operation
		want    bool
	}{
		"one after another":            {[]porcupine.Operation{op(1, 2, "a", done, "a"), op(3, 4, "ab", done, "ab"), op(5, 6, "", done, "ab")}, true},
		"both moves of one place":      {[]porcupine.Operation{op(1, 2, "a", done, "a"), op(3, 6, "ab", done, "ab"), op(4, 5, "ac", done, "ac")}, false},
		"one of two loses":             {[]porcupine.Operation{op(1, 2, "a", done, "a"), op(3, 6, "ab", done, "ab"), op(4, 5, "ac", lost, "ab")}, true},
		"one loses against nobody":     {[]porcupine.Operation{op(1, 2, "a", done, "a"), op(3, 4, "ac", lost, "ab"), op(5, 6, "ab", done, "ab")}, false},
		"what was is read":             {[]porcupine.Operation{op(1, 2, "a", done, "a"), op(3, 4, "ab", done, "ab"), op(5, 6, "", done, "a")}, false},
		"a lost answer, and it is":     {[]porcupine.Operation{op(1, 2, "a", done, "a"), op(3, 90, "ab", unknown, ""), op(5, 6, "", done, "ab")}, true},
		"a lost answer, and it is not": {[]porcupine.Operation{op(1, 2, "a", done, "a"), op(3, 90, "ab", unknown, ""), op(5, 6, "ac", done, "ac"), op(7, 8, "", done, "ac")}, true},
		"it is, and was overwritten":   {[]porcupine.Operation{op(1, 2, "a", done, "a"), op(3, 90, "ab", unknown, ""), op(5, 6, "", done, "ab"), op(7, 8, "ac", done, "ac")}, false},
		"it is, and then is not":       {[]porcupine.Operation{op(1, 2, "a", done, "a"), op(3, 90, "ab", unknown, ""), op(5, 6, "", done, "ab"), op(7, 8, "", done, "a")}, false},
		"the bucket has more":          {[]porcupine.Operation{op(1, 2, "ab", done, "ab"), op(3, 4, "a", done, "ab")}, true},
	} {
		if got := porcupine.CheckOperations(model, c.history); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Eight engines in eight processes share three images through one bucket, over a network
// that loses, breaks, delays and repeats requests and answers, and are killed in the middle:
// what they have seen of each branch is what one branch that moves step by step would show,
// no move that was acknowledged is lost, and no branch leads to nothing.
// CHEMIGRAM_MOVES is how many moves each process makes (make linearizable: 300).
func TestBranchesAreLinearizable(t *testing.T) {
	moves, kills := 4, 1
	if text := os.Getenv("CHEMIGRAM_MOVES"); text != "" {
		var err error
		if moves, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		kills = 4
	}
	const processes = 8
	f, random := gateway(t), testutil.Random(t)
	location := f.location("pictures")
	if random.IntN(2) == 0 {
		location = agePrefix + location
	}
	t.Logf("%d processes of %d moves through %s", processes, moves, location)
	start := time.Now()
	history := beginImages(t, location)
	f.spoil = func(*http.Request) fault { // one of five requests is spoilt, and one of five late
		switch n := random.IntN(100); {
		case n < 20:
			return fault(1 + n%int(delay-1))
		case n < 40:
			return delay
		}
		return none
	}
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1", XMP: baseline.Packet("5.4.1")})
	var mu sync.Mutex
	var all sync.WaitGroup
	acknowledged := map[string][]string{}
	for i := range processes {
		workspace := filepath.Join(t.TempDir(), fmt.Sprintf("worker-%d", i))
		chance := rand.New(rand.NewPCG(random.Uint64(), uint64(i)))
		all.Go(func() {
			left := moves
			for life := 0; left > 0; life++ {
				w := testutil.StartWorker(t, "edit and share", workspace, fake.CLI, location, strconv.Itoa(left))
				last := -1
				if life < kills {
					last = chance.IntN(4 * (left/(kills+1) + 1))
				}
				operations, made := live(t, w, i, last, chance)
				left -= len(made)
				t.Logf("process %d, life %d: %d calls, %d moves, after %v", i, life, len(operations), len(made), time.Since(start).Round(time.Second))
				mu.Lock()
				history = append(history, operations...)
				for _, s := range made {
					acknowledged[s.Image] = append(acknowledged[s.Image], s.To)
				}
				mu.Unlock()
				if t.Failed() {
					return
				}
			}
		})
	}
	all.Wait()
	f.later.Wait()
	f.mu.Lock()
	f.spoil = nil
	f.mu.Unlock()
	_, requests := f.counted()
	t.Logf("%d calls, requests %v, in %v", len(history), requests, time.Since(start).Round(time.Second))
	if t.Failed() {
		return
	}
	whole := readAll(t, location)
	for image, tos := range acknowledged {
		for _, to := range tos {
			if !whole.comesFrom(image, whole.tips[image], to) {
				t.Errorf("the move of %s to %s was acknowledged, and is lost", image, to)
			}
		}
	}
	checkHistory(t, history, whole)
}

// live reads what a process says until it ends. After so many messages it is killed.
func live(t *testing.T, w *testutil.Worker, process, last int, chance *rand.Rand) (operations []porcupine.Operation, acknowledged []said) {
	open := map[int]said{}
	n := 0
	for s := range testutil.Messages[said](w) {
		if n++; n == last+1 {
			time.AfterFunc(time.Duration(chance.IntN(20_000))*time.Microsecond, w.Kill)
		}
		if s.Result == "" {
			open[s.Call] = s
			continue
		}
		call := open[s.Call]
		if s.Result == unknown {
			continue
		}
		delete(open, s.Call)
		operations = append(operations, porcupine.Operation{ClientId: process, Input: call, Call: call.At, Output: s, Return: s.At})
		if s.To != "" && s.Result == done {
			acknowledged = append(acknowledged, s)
		}
	}
	if err := w.Wait(); err != nil {
		t.Errorf("process %d: %v", process, err)
	}
	for _, call := range open {
		answer := call
		answer.Result = unknown
		operations = append(operations, porcupine.Operation{ClientId: process, Input: call, Call: call.At, Output: answer, Return: 1<<63 - 1})
	}
	return operations, acknowledged
}

// beginImages pushes three images.
func beginImages(t *testing.T, location string) (history []porcupine.Operation) {
	t.Helper()
	e := openEngine(t, "ann")
	addRemote(t, location, e)
	for i := range 3 {
		id := fmt.Sprintf("image-%d", i)
		path := filepath.Join(t.TempDir(), id+".dng")
		if err := os.WriteFile(path, append(slices.Clone(raw), byte(i)), 0o600); err != nil {
			t.Fatal(err)
		}
		try[chemigram.IngestResult](t)(e.Ingest(t.Context(), chemigram.IngestParams{RawPath: path}))
		before := time.Now().UnixNano()
		pushed := try[chemigram.PushResult](t)(e.Push(t.Context(), chemigram.PushParams{ImageID: chemigram.ImageID(id)}))
		call := said{Image: id, To: pushed.Event}
		answer := call
		answer.Result, answer.Tip = done, pushed.Event
		history = append(history, porcupine.Operation{ClientId: 8, Input: call, Call: before, Output: answer, Return: time.Now().UnixNano()})
	}
	return history
}

// wholeHistory is what a bucket has in the end.
type wholeHistory struct {
	t         *testing.T
	histories map[string]*versioning.History
	tips      map[string]string
	moved     map[string]bool // the places where a branch ever was
	known     map[[3]string]bool
}

// readAll fetches all images of a bucket, which has to be whole.
func readAll(t *testing.T, location string) *wholeHistory {
	t.Helper()
	ctx, store := t.Context(), open(t, location)
	remote := share.New("bucket", store)
	if found, err := remote.Verify(ctx, nil); len(found) > 0 || err != nil {
		t.Errorf("%v, %v", found, err)
	}
	images, _, err := remote.Images(ctx, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	w := &wholeHistory{t, map[string]*versioning.History{}, map[string]string{}, map[string]bool{}, map[[3]string]bool{}}
	for _, image := range images {
		h, err := versioning.Open(filepath.Join(t.TempDir(), "history"), &versioning.Options{Durability: versioning.Relaxed})
		if err != nil {
			t.Fatal(err)
		}
		got, err := remote.Fetch(ctx, share.Fetch{History: h, Image: image.First, Ref: "refs/heads/main"})
		if err != nil {
			t.Fatal(err)
		}
		w.histories[image.ImageID], w.tips[image.ImageID] = h, got.To.String()
	}
	n := 0
	for page := ""; ; {
		list, next, err := store.List(ctx, "refs/", page)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range list {
			data, err := objects.Read(ctx, store, o.Name, 1<<20)
			var move struct{ To string }
			if err = errors.Join(err, json.NewDecoder(strings.NewReader(string(data))).Decode(&move)); err != nil {
				t.Fatal(err)
			}
			w.moved[move.To] = true
			n++
		}
		if page = next; next == "" {
			break
		}
	}
	t.Logf("the branches have moved %d times", n)
	return w
}

// comesFrom reports whether a snapshot is another, or has it among those that it follows.
func (w *wholeHistory) comesFrom(image, to, from string) bool {
	key := [3]string{image, to, from}
	if known, ok := w.known[key]; ok {
		return known
	}
	one, err := versioning.ParseHash(to)
	other, err2 := versioning.ParseHash(from)
	if err = errors.Join(err, err2); err != nil {
		w.t.Error(err)
		return false
	}
	here, err := w.histories[image].Here(w.t.Context(), []versioning.Hash{one, other})
	comes := here[one] && here[other]
	if err == nil && comes {
		var missing []versioning.Hash
		missing, err = w.histories[image].MissingFrom(w.t.Context(), []versioning.Hash{other}, []versioning.Hash{one})
		comes = len(missing) == 0
	}
	if err != nil {
		w.t.Error(err)
	}
	w.known[key] = comes
	return comes
}

// checkHistory makes sure that what was seen of the branches is what one that moves step by
// step would show.
func checkHistory(t *testing.T, history []porcupine.Operation, whole *wholeHistory) {
	t.Helper()
	counts := map[result]int{}
	// What has no answer and has moved nothing never will.
	history = slices.DeleteFunc(history, func(o porcupine.Operation) bool {
		r := o.Output.(said).Result
		counts[r]++
		return r == unknown && !whole.moved[o.Input.(said).To]
	})
	for image, tip := range whole.tips {
		now := time.Now().UnixNano()
		history = append(history, porcupine.Operation{ClientId: 8, Input: said{Image: image}, Call: now, Output: said{Image: image, Result: done, Tip: tip}, Return: now + 1})
	}
	for i := range history {
		if history[i].Output.(said).Result == unknown {
			history[i].Return = time.Now().Add(time.Hour).UnixNano()
		}
	}
	model := branches(whole.comesFrom)
	var mu sync.Mutex // parts are checked at once
	step := model.Step
	model.Step = func(state, input, output any) (bool, any) {
		mu.Lock()
		defer mu.Unlock()
		return step(state, input, output)
	}
	start := time.Now()
	verdict := porcupine.CheckOperationsTimeout(model, history, 5*time.Minute)
	t.Logf("%v: %s, in %v", counts, verdict, time.Since(start).Round(time.Millisecond))
	if verdict != porcupine.Ok {
		t.Errorf("the history of %d calls is %s", len(history), verdict)
	}
}
