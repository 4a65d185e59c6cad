package share

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/versioning"
)

func TestMain(m *testing.M) {
	os.Exit(testutil.RunTests(m, map[string]testutil.Work{"share": worker}))
}

// worker edits, pulls and pushes until it has made some moves or is killed. It says what
// was acknowledged. Its arguments are its history, the folder that is shared, and the image.
func worker(args []string) error {
	ctx := context.Background()
	folder, err := objects.OpenFolder(args[1])
	if err != nil {
		return err
	}
	image, err := versioning.ParseHash(args[2])
	if err != nil {
		return err
	}
	history, err := versioning.Open(args[0], &versioning.Options{Durability: versioning.Relaxed})
	if err != nil {
		return err
	}
	remote := New("nas", folder)
	said := json.NewEncoder(os.Stdout)
	for made := 0; made < 8; {
		tip, err := editOnTop(ctx, remote, history, image)
		if err != nil {
			return err
		}
		done, err := remote.Push(ctx, Push{History: history, Image: image, Ref: mainBranch, To: tip, Actor: "worker"})
		if errors.Is(err, fault.Versioning) {
			continue // another was faster
		}
		if err == nil {
			err = said.Encode(done.To)
		}
		if err != nil {
			return err
		}
		made++
	}
	return nil
}

// editOnTop fetches the branch and makes a snapshot on top of it, which merges what is
// here alone.
func editOnTop(ctx context.Context, remote *Remote, history *versioning.History, image versioning.Hash) (tip versioning.Hash, err error) {
	got, err := remote.Fetch(ctx, Fetch{History: history, Image: image, Ref: mainBranch})
	if err != nil {
		return tip, err
	}
	head, err := history.Head(ctx)
	if err != nil {
		return tip, err
	}
	change := versioning.Change{Op: "edit"}
	ours, err := history.MissingFrom(ctx, []versioning.Hash{head.Record.ID}, []versioning.Hash{got.To})
	switch {
	case err != nil:
		return tip, err
	case len(ours) > 0:
		change.Merged = []versioning.Hash{got.To}
	default:
		if _, _, err := history.Reset(ctx, got.To.String()); err != nil {
			return tip, err
		}
	}
	rec, _, err := history.Commit(ctx, look(fmt.Sprint(os.Getpid(), rand.Uint64())), change)
	return rec.ID, err
}

// Processes move one branch through a folder, and are killed in the middle: no move that
// was acknowledged is lost, and the branch leads to what is there.
func TestProcessesThatAreKilled(t *testing.T) {
	t.Parallel()
	shared := t.TempDir()
	folder, err := objects.OpenFolder(shared)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	ann := began(t, folder)
	ann.mustPush()
	const workers, kills = 4, 3
	var mu sync.Mutex
	var acknowledged []versioning.Hash
	var all sync.WaitGroup
	for i := range workers {
		place := filepath.Join(t.TempDir(), "history")
		all.Go(func() {
			random := rand.New(rand.NewPCG(5, uint64(i)))
			for life := range kills + 1 {
				w := testutil.StartWorker(t, "share", place, shared, ann.image.String())
				if life < kills {
					time.AfterFunc(time.Duration(50+random.IntN(400))*time.Millisecond, w.Kill)
				}
				said := testutil.AllMessages[versioning.Hash](t, w)
				mu.Lock()
				acknowledged = append(acknowledged, said...)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if err := ann.pull(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d moves were acknowledged", len(acknowledged))
	if len(acknowledged) < 8*workers || !ann.comesFrom(acknowledged...) {
		t.Errorf("%d moves were acknowledged, and one is lost", len(acknowledged))
	}
	whole(t, folder, ann)
}
