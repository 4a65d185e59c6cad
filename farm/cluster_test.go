package farm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/render"
)

// brokerTask is a broker of a cluster as a process.
type brokerTask struct {
	Name          string
	Port, Cluster int
	Routes        []int // the cluster's ports
	Dir           string
}

func (b brokerTask) run() error {
	o := &server.Options{
		ServerName: b.Name, Host: "127.0.0.1", Port: b.Port, JetStream: true, StoreDir: b.Dir, NoLog: true, NoSigs: true, MaxPayload: mostMessage + 64<<10,
		JetStreamMaxMemory: 64 << 20, JetStreamMaxStore: 2 * mostQueued,
		Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: b.Cluster},
	}
	for _, port := range b.Routes {
		o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.Start()
	s.WaitForShutdown()
	return nil
}

// workerTask is a worker as a process.
type workerTask struct {
	URL, Store, Dir, CLI, Name string
	Processes, Replicas        int
	Verbose                    bool
}

func (w workerTask) run() error {
	if err := os.Setenv("FARM_ROLE", "worker"); err != nil {
		return err
	}
	store, err := objects.OpenFolder(w.Store)
	if err != nil {
		return err
	}
	defer store.Close()
	o := WorkerOptions{
		Store: store, URL: w.URL, Dir: w.Dir, Darktable: w.CLI, Name: w.Name, Processes: max(1, w.Processes), Prepared: -1,
		AckWait: 2 * time.Second, Replicas: w.Replicas,
	}
	if w.Verbose {
		o.Logger = slog.New(slog.NewTextHandler(os.Stderr, nil)).With("who", w.Name)
	}
	worker, err := NewWorker(context.Background(), &o)
	if err != nil {
		return err
	}
	return worker.Run(context.Background())
}

// task makes a Work of a task as JSON.
func task[T interface{ run() error }](args []string) error {
	var todo T
	if err := json.Unmarshal([]byte(args[0]), &todo); err != nil {
		return err
	}
	return todo.run()
}

// presentTask answers as a worker does, and takes no jobs.
type presentTask struct{ URL, Darktable string }

func (p presentTask) run() error {
	nc, err := dial(p.URL, "present")
	if err != nil {
		return err
	}
	w := &Worker{o: WorkerOptions{Processes: 1}, nc: nc}
	w.show(p.Darktable)
	select {}
}

func init() {
	works["broker"], works["worker"], works["present"] = task[brokerTask], task[workerTask], task[presentTask]
}

// process is one that is killed and started again.
type process struct {
	tb   testing.TB
	work string
	args string

	mu      sync.Mutex
	running *testutil.Worker
}

func newProcess(tb testing.TB, work string, todo any) *process {
	tb.Helper()
	args, err := json.Marshal(todo)
	if err != nil {
		tb.Fatal(err)
	}
	p := &process{tb: tb, work: work, args: string(args)}
	p.start()
	tb.Cleanup(p.kill)
	return p
}

func (p *process) start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == nil && p.tb.Context().Err() == nil {
		p.running = testutil.StartWorker(p.tb, p.work, p.args)
	}
}

// kill ends it at once, as a power cut would.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running != nil {
		p.running.Kill()
		_ = p.running.Wait()
		p.running = nil
	}
}

// freePorts finds ports that nobody listens at.
func freePorts(tb testing.TB, n int) (ports []int) {
	tb.Helper()
	listeners := make([]net.Listener, n)
	for i := range listeners {
		l, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			tb.Fatal(err)
		}
		listeners[i], ports = l, append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	for _, l := range listeners {
		_ = l.Close()
	}
	return ports
}

// startCluster starts three brokers, and gives their addresses.
func startCluster(tb testing.TB) (brokers []*process, address string) {
	tb.Helper()
	ports := freePorts(tb, 6)
	var addresses []string
	for i := range 3 {
		addresses = append(addresses, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
		brokers = append(brokers, newProcess(tb, "broker", brokerTask{
			Name: fmt.Sprintf("broker%d", i), Port: ports[i], Cluster: ports[3+i], Routes: ports[3:], Dir: tb.TempDir(),
		}))
	}
	return brokers, strings.Join(addresses, ",")
}

// counting is a darktable that writes down who develops what. It gives its path, and how
// often it was started for each raw by workers and by the engine.
func counting(tb testing.TB, cli string) (path string, starts func() (workers, engine map[string]int)) {
	tb.Helper()
	dir := tb.TempDir()
	path, log := filepath.Join(dir, "darktable-cli"), filepath.Join(dir, "log")
	script := "#!/bin/sh\nfor a do case $a in *.dng) printf '%s %s\\n' \"${FARM_ROLE:-engine}\" \"${a##*/}\" >>'" + log + "' ;; esac; done\nexec '" + cli + "' \"$@\"\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil { //nolint:gosec // it is a program
		tb.Fatal(err)
	}
	return path, func() (workers, engine map[string]int) {
		workers, engine = map[string]int{}, map[string]int{}
		content, err := os.ReadFile(log)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			tb.Fatal(err)
		}
		for line := range strings.Lines(string(content)) {
			if role, name, _ := strings.Cut(strings.TrimSpace(line), " "); role == "worker" {
				workers[name]++
			} else {
				engine[name]++
			}
		}
		return workers, engine
	}
}

// Three brokers and six workers, each a process, are killed at random: every picture
// comes, is the one that is made here, and none is begun more often than it may be. It
// takes a quarter of a minute, or as long as CHEMIGRAM_FARM_SOAK says.
func TestBrokersAndWorkersAreKilled(t *testing.T) {
	dt := testutil.AnyDarktable(t)
	lasts := 15 * time.Second
	if text := os.Getenv("CHEMIGRAM_FARM_SOAK"); text != "" {
		var err error
		if lasts, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	random := testutil.Random(t)
	brokers, address := startCluster(t)
	cli, starts := counting(t, dt.CLI)
	store := t.TempDir()
	t.Setenv("OMP_NUM_THREADS", "1")
	var workers []*process
	for i := range 6 {
		workers = append(workers, newProcess(t, "worker", workerTask{
			URL: address, Store: store, Dir: t.TempDir(), CLI: cli, Name: fmt.Sprintf("worker%d", i), Replicas: 3, Verbose: testing.Verbose() && os.Getenv("CHEMIGRAM_FARM_SOAK") == "",
		}))
	}
	r := openFarm(t, openFolder(t, store), Options{URL: address, Replicas: 3, Patience: 2 * time.Second, Pause: time.Second, Logger: slog.New(slog.DiscardHandler)})
	elsewhere := &counted{Elsewhere: r}
	engine, here := mustFind(t, &render.Options{Path: cli, Elsewhere: elsewhere}), mustFind(t, &render.Options{Path: dt.CLI})
	series := newSeries(t, here, 12)
	testutil.WaitFor(t, "the farm", func() bool {
		slots, err := muster(t.Context(), r.nc, engine.Identity())
		return err == nil && slots == len(workers)
	})

	chaos, calm := context.WithCancel(t.Context())
	var killing sync.WaitGroup
	kills := map[string]int{}
	killing.Go(func() { wreak(chaos, rand.New(rand.NewPCG(random.Uint64(), 1)), workers, brokers, kills) }) //nolint:gosec // it chooses whom to kill
	pictures, rounds := 0, 0
	for began := time.Now(); time.Since(began) < lasts; rounds++ {
		jobs := series.round(t, rounds)
		for i, o := range engine.RenderAll(t.Context(), jobs, nil) {
			pictures++
			if o.Err != nil {
				t.Errorf("round %d, %d: %v", rounds, i, o.Err)
				continue
			}
			series.compare(t, i, jobs[i].Output)
		}
	}
	calm()
	killing.Wait()
	byWorkers, byEngine := starts()
	most, begun := 0, 0
	for name, n := range byWorkers {
		most, begun = max(most, n), begun+n
		if n > mostTries {
			t.Errorf("%s was begun %d times by workers", name, n)
		}
	}
	t.Logf("%d pictures in %d rounds, %d by workers, %d here; %d starts by workers, %d at most for one, %d here; kills: %v",
		pictures, rounds, elsewhere.made.Load(), elsewhere.failed.Load(), begun, most, len(byEngine), kills)
	if elsewhere.made.Load() == 0 {
		t.Error("workers made none")
	}
}

// wreak kills workers and brokers until ctx ends, and starts them again.
func wreak(ctx context.Context, random *rand.Rand, workers, brokers []*process, kills map[string]int) {
	for ctx.Err() == nil {
		pauseFor(ctx, time.Duration(500+random.IntN(4000))*time.Millisecond)
		victims, what, down := workers, "worker", 100
		if random.IntN(3) == 0 {
			victims, what, down = brokers, "broker", 2000
		}
		p := victims[random.IntN(len(victims))]
		p.kill()
		kills[what]++
		pauseFor(ctx, time.Duration(random.IntN(down))*time.Millisecond)
		p.start()
	}
}

// series is raws and the pictures that the darktable here makes of them.
type series struct {
	raws    []string
	digests []string
	like    render.Job
	made    []string
}

func newSeries(t *testing.T, here *render.Darktable, n int) *series {
	t.Helper()
	s := &series{}
	for i := range n {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("IMG_%d.dng", i))
		if err := scene.Write(path, scene.Chart{}, scene.Options{Megapixels: 0.05, DNG: dng.Options{EV: 0.1 * float64(i)}}); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s.raws, s.digests = append(s.raws, path), append(s.digests, digestOf(string(content)))
	}
	sidecar, err := here.Baseline(t.Context(), s.raws[0])
	if err != nil {
		t.Fatal(err)
	}
	s.like = render.Job{Sidecar: sidecar, Size: 160, Timeout: time.Minute}
	jobs := make([]render.Job, n)
	for i := range jobs {
		jobs[i] = s.like
		jobs[i].Raw, jobs[i].Output = s.raws[i], filepath.Join(t.TempDir(), "here.png")
		s.made = append(s.made, jobs[i].Output)
	}
	wantPictures(t, here.RenderAll(t.Context(), jobs, nil))
	return s
}

// round gives jobs for all pictures, by names that none had before, so that none is in the
// store yet.
func (s *series) round(t *testing.T, round int) (jobs []render.Job) {
	t.Helper()
	dir := t.TempDir()
	for i, raw := range s.raws {
		job := s.like
		job.Raw, job.RawDigest = filepath.Join(dir, fmt.Sprintf("R%d_%d.dng", round, i)), s.digests[i]
		job.Output = filepath.Join(dir, fmt.Sprintf("%d.png", i))
		if err := os.Link(raw, job.Raw); err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, job)
	}
	return jobs
}

// compare compares a picture with the one that was made here.
func (s *series) compare(t *testing.T, i int, path string) {
	t.Helper()
	want, err := render.Load(s.made[i])
	if err != nil {
		t.Fatal(err)
	}
	got, err := render.Load(path)
	if err != nil {
		t.Error(err)
	} else if !reflect.DeepEqual(got, want) {
		t.Errorf("%s has other pixels", path)
	}
	_ = os.Remove(path)
}
