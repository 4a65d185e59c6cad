package chemigram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/testutil"
)

// ingestFolder gets a darktable, a workspace and a folder, and ingests the folder. It
// writes how many files are done after each, and at the end what it took.
func ingestFolder(args []string) error {
	out := json.NewEncoder(os.Stdout)
	ctx := WithProgress(context.Background(), func(done, _ int, _ string) { _ = out.Encode(ingesting{Done: done}) })
	e, err := Open(ctx, &Options{Workspace: args[1], Darktable: args[0], Workers: -1, Processes: 2})
	if err != nil {
		return err
	}
	res, err := e.Ingest(ctx, IngestParams{RawPaths: args[2:], Recursive: true})
	if err != nil {
		return err
	}
	said := ingesting{Done: len(res.Outcomes), Failed: res.Failed}
	for _, o := range res.Outcomes {
		switch {
		case o.Created:
			said.Created++
		case o.Skipped != "":
			said.Skipped++
		}
	}
	if status, err := os.ReadFile("/proc/self/status"); err == nil { // on Linux
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		if _, err := fmt.Sscan(rest, &said.Kilobytes); err != nil {
			return err
		}
	}
	return out.Encode(said)
}

// ingesting is what ingestFolder writes.
type ingesting struct {
	Done, Created, Skipped, Failed int
	Kilobytes                      int // of memory, at most; 0 when that is not known
}

// card writes a memory card of so many files in several folders, of which some are none
// that can be ingested, and gives how many can.
func card(t *testing.T, dir string, files int) (good int) {
	t.Helper()
	extensions := []string{"DNG", "NEF", "CR2", "jpg", "ARW", "tif", "heic", "RAF", "png"}
	for i := range files {
		folder := filepath.Join(dir, fmt.Sprintf("DCIM/%dTEST", 100+i/300))
		name, content := fmt.Sprintf("IMG_%04d.%s", i, extensions[i%len(extensions)]), fmt.Appendf(nil, "file %d", i)
		err := os.MkdirAll(folder, 0o755)
		switch i % 10 {
		case 3: // its path is no text
			if err := os.WriteFile(filepath.Join(folder, name+"-\xff.dng"), content, 0o600); err != nil {
				t.Skipf("this file system has no such names: %v", err)
			}
		case 7:
			err = errors.Join(err, os.Symlink("gone", filepath.Join(folder, name)))
		default:
			good++
			err = errors.Join(err, os.WriteFile(filepath.Join(folder, name), content, 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return good
}

// A card of many files, a thousand in `make files`, is ingested by a process that is killed on the way, and by
// the next one to its end: each file once, whatever is wrong with others, in little
// memory, and nothing is left over.
func TestACardIsIngestedThroughAKill(t *testing.T) {
	files := 120
	if os.Getenv("CHEMIGRAM_FILES") != "" {
		files = 1000
	}
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1"})
	root := filepath.Join(t.TempDir(), "workspace")
	dir := t.TempDir()
	good := card(t, dir, files)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)

	run := func(killAt int) (last ingesting) {
		w := testutil.StartWorker(t, "ingest folder", fake.CLI, root, dir)
		for said := range testutil.Messages[ingesting](w) {
			if last = said; said.Done == killAt {
				w.Kill()
			}
		}
		if err := w.Wait(); err != nil {
			t.Fatal(err)
		}
		return last
	}
	killed := run(files / 3)
	if killed.Created != 0 || killed.Done >= files {
		t.Fatalf("it was not killed on its way: %+v", killed)
	}
	rest := run(-1)
	if rest.Done != files || rest.Skipped+rest.Failed != files-good {
		t.Errorf("of %d files, %d good ones, it says %+v", files, good, rest)
	}
	if most := 200 << 10; rest.Kilobytes > most {
		t.Errorf("it took %d KB, want at most %d", rest.Kilobytes, most)
	}
	t.Logf("%d files after the kill took %d MB", rest.Created, rest.Kilobytes>>10)

	e, err := Open(t.Context(), &Options{Workspace: root, Darktable: fake.CLI, Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	list, err := e.ListImages(t.Context(), ListImagesParams{})
	if err != nil || list.Total != good {
		t.Errorf("%d images of %d files, %v", list.Total, good, err)
	}
	found, err := e.Verify(t.Context(), VerifyParams{})
	if err != nil || len(found.Findings) > 0 || found.Images != good {
		t.Errorf("verify: %+v, %v", found, err)
	}
	wantNoLeftovers(t, e, tmp)
	if files == 1000 && !t.Failed() {
		writeDown(t, fmt.Sprintf("A card of %d small files, of which %d are pictures, beside a darktable that does nothing: killed after %d files, "+
			"the next call registers the %d pictures that were missing, once each, takes %d MB at most, and leaves nothing over.",
			files, good, killed.Done, rest.Created, rest.Kilobytes>>10))
	}
}

// writeDown replaces the line about a card in docs/files.md.
func writeDown(t *testing.T, line string) {
	t.Helper()
	const path = "docs/files.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	old := regexp.MustCompile(`(?m)^A card of .*$`)
	if !old.Match(data) {
		t.Fatalf("%s has no line about a card", path)
	}
	if err := os.WriteFile(path, old.ReplaceAllLiteral(data, []byte(line)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// wantNoLeftovers makes sure that the killed program's scratch folders are gone, and that
// its temporary files in the workspace go when nobody can be at work on them any more.
func wantNoLeftovers(t *testing.T, e *Engine, tmp string) {
	t.Helper()
	entries, err := os.ReadDir(tmp)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		t.Errorf("%s is left over", entry.Name())
	}
	old := time.Now().Add(-2 * time.Hour)
	root := e.workspace.Root()
	temporary := func() (paths []string) {
		for path := range testutil.Contents(t, root) {
			if atomicfile.IsTemp(path) {
				paths = append(paths, path)
			}
		}
		return paths
	}
	for _, path := range temporary() {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Repair(t.Context(), VerifyParams{}); err != nil {
		t.Fatal(err)
	}
	if left := temporary(); len(left) > 0 {
		t.Errorf("%q are left over", left)
	}
}
