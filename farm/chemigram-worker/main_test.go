package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chemigram/chemigram/farm"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/render"
)

// text is written to by a program that runs beside the test.
type text struct {
	mu sync.Mutex
	strings.Builder
}

func (t *text) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.Builder.Write(p)
}

func (t *text) has(what string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Contains(t.String(), what)
}

// The program develops until it is told to end.
func TestTheProgramDevelops(t *testing.T) {
	for _, name := range []string{"NATS_CREDS", "NATS_NKEY", "NATS_USER", "NATS_TOKEN", "NATS_CA", "NATS_CERT"} {
		t.Setenv(name, "")
	}
	fake, dir := testutil.FakeDarktable(t, testutil.FakeOptions{}), t.TempDir()
	store, err := objects.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	f, err := farm.Open(t.Context(), &farm.Options{Store: store, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended, log := make(chan error, 1), &text{}
	go func() {
		ended <- run(ctx, []string{"-store", dir, "-broker", f.URL(), "-darktable", fake.CLI, "-raws", t.TempDir(), "-prepared", "-1"}, log, log)
	}()
	testutil.WaitFor(t, "the program", func() bool { return log.has("msg=ready") })
	d, err := render.Find(t.Context(), &render.Options{Path: fake.CLI, Elsewhere: f})
	if err != nil {
		t.Fatal(err)
	}
	raw := filepath.Join(t.TempDir(), "a.dng")
	if err := os.WriteFile(raw, []byte("raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte("raw"))
	job := render.Job{Raw: raw, RawDigest: hex.EncodeToString(sum[:]), Sidecar: baseline.Packet("5.4.1"), Size: 300}
	testutil.WaitFor(t, "a picture by the program", func() bool {
		job.Size++
		job.Output = filepath.Join(t.TempDir(), "a.jpg")
		if _, err := d.Render(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		return log.has("msg=developed")
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestArguments(t *testing.T) {
	t.Setenv("CHEMIGRAM_FARM_STORE", "")
	dir := t.TempDir()
	for _, c := range []struct{ args, want string }{
		{"", "needs a store"},
		{"-store " + dir + " more", `"more"`},
		{"-store " + filepath.Join(dir, "none"), "none"},
		{"-store s3://key:hunter2@farm", "environment"},
		{"-store " + dir + " -prune 1m", "too short"},
	} {
		err := run(t.Context(), strings.Fields(c.args), &text{}, &text{})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", c.args, err)
		}
	}
	if err := run(t.Context(), []string{"-help"}, &text{}, &text{}); !errors.Is(err, flag.ErrHelp) {
		t.Error(err)
	}
	out := &text{}
	if err := run(t.Context(), []string{"-store", dir, "-prune", "24h"}, out, &text{}); err != nil || !out.has("0 objects") {
		t.Errorf("%q, %v", out.String(), err)
	}
}
