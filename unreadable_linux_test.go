package chemigram

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// spoiled is a workspace in a folder with brackets, full of what no program expects,
// beside the images "a", "good" and "last", which are well.
func spoiled(t *testing.T) *Engine {
	t.Helper()
	e := openWithout(t, Options{Workspace: filepath.Join(t.TempDir(), "[x] {y} *?", "work[space")})
	for _, id := range []ImageID{"a", "bytes", "fifo", "folder", "good", "headless", "journal", "last"} {
		add(t, e, id, "5.4.1")
	}
	for _, id := range []ImageID{"gone1", "gone2", "gone3", "gone4"} {
		add(t, e, id, "5.4.1")
		if _, err := e.DeleteImage(t.Context(), DeleteImageParams{ImageID: id, Reason: "a test"}); err != nil {
			t.Fatal(err)
		}
	}
	s := begin(t, e)
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	root := e.workspace.Path
	names := map[string]string{}
	trash, err := os.ReadDir(root("trash"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range trash {
		_, id, _ := strings.Cut(entry.Name(), "-")
		names[id] = root("trash", entry.Name(), "deleted.json")
	}
	fifo := func(path string) error { return errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)) }
	folder := func(path string) error {
		return errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "x"), 0o700))
	}
	write := func(path string) error { return os.WriteFile(path, []byte("garbage"), 0o600) }
	errs := []error{
		write(root("images", "bytes", "image.json")),
		fifo(root("images", "fifo", "image.json")),
		folder(root("images", "folder", "image.json")),
		os.RemoveAll(root("images", "headless", "history")),
		folder(root("images", "journal", "history", "journal")),
		write(names["gone1"]), fifo(names["gone2"]), folder(names["gone3"]),
		write(root("transcripts", "20260101T000000.000Z-aaaaaaaa.jsonl")),
		os.WriteFile(root("transcripts", "20260102T000000.000Z-aaaaaaaa.jsonl"), []byte("{"+strings.Repeat(" ", 33<<20)), 0o600),
		write(root("images", "stray")),
		os.Mkdir(root("images", "empty"), 0o700),
		os.MkdirAll(root("cache", "tmp"), 0o700),
	}
	for _, dir := range []string{".", "images", "images/a", "images/a/history", "trash", "transcripts", "proposals", "cache", "cache/tmp", "intents"} {
		for _, name := range []string{".DS_Store", "Thumbs.db", "._a", "desktop.ini"} {
			errs = append(errs, os.MkdirAll(root(dir), 0o700), os.WriteFile(root(dir, name), []byte("\x00"), 0o600))
		}
	}
	old := time.Now().Add(-48 * time.Hour)
	left := root("images", "good", ".tmp-dead")
	errs = append(errs, write(left), os.Chtimes(left, old, old))
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return openWithout(t, Options{Workspace: e.workspace.Root()})
}

// What cannot be read, and what does not belong there, stops no verb that goes through
// all: it is in the result.
func TestWhatCannotBeReadStopsNoLoop(t *testing.T) {
	e := spoiled(t)
	ctx := t.Context()
	for _, verify := range []func() (VerifyResult, error){
		func() (VerifyResult, error) { return e.Verify(ctx, VerifyParams{}) },
		func() (VerifyResult, error) { return e.Repair(ctx, VerifyParams{}) },
	} {
		res, err := verify()
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, f := range res.Findings {
			found[string(f.ImageID)] = true
			found[f.File] = true
			for _, litter := range []string{".DS_Store", "Thumbs.db", "._a", "desktop.ini"} {
				if strings.HasSuffix(f.File, litter) {
					t.Errorf("verify finds %+v", f)
				}
			}
			if f.ImageID == "a" && f.Fault != "raw_missing" {
				t.Errorf("verify finds %+v", f)
			}
		}
		for _, want := range []string{"bytes", "fifo", "folder", "headless", "journal", "last", "images/stray"} {
			if !found[want] {
				t.Errorf("verify says nothing of %s: %+v", want, res.Findings)
			}
		}
	}
	if _, err := os.Lstat(e.workspace.Path("images", "good", ".tmp-dead")); err == nil {
		t.Error("repair left a temporary file of a path with brackets")
	}
	trash, err := e.ListTrash(ctx, ListTrashParams{})
	if err != nil || trash.Total != 1 || len(trash.Problems) != 3 {
		t.Errorf("list_trash: %+v, %v; want one image and three problems", trash, err)
	}
	sessions, err := e.ListTranscripts(ctx, ListTranscriptsParams{})
	skipped := 0
	for _, s := range sessions.Transcripts {
		skipped += s.Skipped
	}
	if err != nil || sessions.Total != 3 || len(sessions.Transcripts) != 3 || skipped != 2 {
		t.Errorf("list_transcripts: %+v, %v; want three, with two lines skipped", sessions, err)
	}
	images, err := e.ListImages(ctx, ListImagesParams{})
	if err != nil {
		t.Fatal(err)
	}
	listed := map[ImageID]string{}
	for _, image := range images.Images {
		listed[image.ImageID] = image.Problem
	}
	for _, id := range []ImageID{"a", "good", "last", "bytes", "fifo", "folder", "headless", "journal"} {
		bad := id != "a" && id != "good" && id != "last"
		if problem, ok := listed[id]; !ok || bad != (problem != "") {
			t.Errorf("list_images: %s is listed: %t, with the problem %q", id, ok, problem)
		}
	}
	none := Days(0)
	pruned, err := e.Prune(ctx, PruneParams{OlderThanDays: &none, Reason: "a test"})
	if err != nil || len(pruned.TrashRemoved) == 0 {
		t.Errorf("prune: %+v, %v", pruned, err)
	}
	for _, id := range []string{"bytes", "fifo", "folder", "journal"} {
		if !strings.Contains(strings.Join(pruned.Problems, "\n"), id+": ") {
			t.Errorf("prune says nothing of %s: %q", id, pruned.Problems)
		}
	}
	if again, err := e.ListTrash(ctx, ListTrashParams{}); err != nil || again.Total != 0 {
		t.Errorf("after prune the trash has %+v, %v", again, err)
	}
}

// Images that cannot be read take no part in the search for an id, and neither does
// what is no image.
func TestAnIDIsFoundBesideWhatCannotBeRead(t *testing.T) {
	e := spoiled(t)
	for stem, want := range map[string]string{"bytes": "bytes-2", "fifo": "fifo-2", "stray": "stray-2", "new": "new"} {
		raw := filepath.Join(t.TempDir(), stem+".dng")
		if err := os.WriteFile(raw, []byte(stem), 0o600); err != nil {
			t.Fatal(err)
		}
		read, err := e.workspace.ReadRaw(t.Context(), raw, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := e.workspace.ChooseID("", read); c.ID != want || c.Known != nil || err != nil {
			t.Errorf("%s becomes %+v, %v; want %s", stem, c, err, want)
		}
	}
	if _, err := Open(t.Context(), &Options{Workspace: littered(t)}); err != nil {
		t.Errorf("a folder that a file manager has looked at: %v", err)
	}
}

func littered(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".DS_Store"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
