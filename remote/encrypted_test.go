package remote

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/share"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/remote/encrypted"
)

// newIdentity writes an identity of age into a folder.
func newIdentity(dir, name string) (i *age.X25519Identity, path string, err error) {
	if i, err = age.GenerateX25519Identity(); err != nil {
		return nil, "", err
	}
	path = filepath.Join(dir, name)
	return i, path, os.WriteFile(path, []byte("# public key: "+i.Recipient().String()+"\n"+i.String()+"\n"), 0o600)
}

// be lets the program run as a person with an identity of their own.
func be(t *testing.T, name string) *age.X25519Identity {
	t.Helper()
	i, path, err := newIdentity(t.TempDir(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(encrypted.IdentityFile, path)
	return i
}

// everything reads the files of a folder, by path.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func encryptedFolder(dir string) string {
	return (&url.URL{Scheme: "age+file", Path: filepath.ToSlash(dir)}).String()
}

// Two workspaces share an image, its raw and its notes through an encrypted place; whoever
// has that place finds nothing of them, and whoever has the workspace nothing of the key.
func TestABucketsOwnerSeesSizesAlone(t *testing.T) {
	f := gateway(t)
	folder := t.TempDir()
	for what, c := range map[string]struct{ location, dir string }{
		"folder": {encryptedFolder(folder), folder},
		"bucket": {agePrefix + f.location("pictures"), filepath.Join(f.dir, "root")},
	} {
		t.Run(what, func(t *testing.T) {
			identity := be(t, "ann")
			ann, ben := openPair(t)
			ctx := t.Context()
			addRemote(t, c.location, ann, ben)
			setTo(t, ann, "exposure", 0.3)
			notes := try[chemigram.ProposeNotesUpdateResult](t)(ann.ProposeNotesUpdate(ctx, chemigram.ProposeNotesUpdateParams{ImageID: "a", Content: "the light of the wedding"}))
			try[chemigram.ConfirmResult](t)(ann.ConfirmNotesUpdate(ctx, chemigram.ConfirmParams{ProposalID: notes.ProposalID}))
			try[chemigram.RefResult](t)(ann.Tag(ctx, chemigram.TagParams{ImageID: "a", Name: "for-the-printer"}))
			try[chemigram.PushResult](t)(ann.Push(ctx, chemigram.PushParams{ImageID: "a", WithRaw: true}))
			try[chemigram.PushResult](t)(ann.Push(ctx, chemigram.PushParams{ImageID: "a", Ref: "for-the-printer"}))
			cloned := try[chemigram.CloneImageResult](t)(ben.CloneImage(ctx, chemigram.CloneImageParams{RemoteImage: "a", WithRaw: true}))
			if !cloned.RawFound {
				t.Errorf("%+v", cloned)
			}
			setTo(t, ben, "contrast", 0.1)
			try[chemigram.PushResult](t)(ben.Push(ctx, chemigram.PushParams{ImageID: "a"}))
			pulled := try[chemigram.PullResult](t)(ann.Pull(ctx, chemigram.PullParams{ImageID: "a"}))
			for _, e := range []*chemigram.Engine{ann, ben} {
				if found := try[chemigram.VerifyResult](t)(e.Verify(ctx, chemigram.VerifyParams{Remote: "bucket"})); len(found.Findings) > 0 {
					t.Errorf("%+v", found.Findings)
				}
			}
			sum := sha256.Sum256(raw)
			images := try[chemigram.ListRemoteImagesResult](t)(ben.ListRemoteImages(ctx, chemigram.ListRemoteImagesParams{}))
			words := []string{
				"wedding", "a.dng", "for-the-printer", "main", "exposure", "exif", "chemigram_image", "chemigram_move", "darktable", "ann", "ben", string(raw[:20]),
				hex.EncodeToString(sum[:]), hex.EncodeToString(sum[:8]), string(sum[:]), pulled.Event, images.RemoteImages[0].FirstEvent, "images", "branches", "refs", "raws", "marks", "objects",
			}
			all := everything(t, c.dir)
			if len(all) < 10 {
				t.Errorf("%d files", len(all))
			}
			total := 0
			for path, text := range all {
				total += len(text)
				for _, word := range words {
					// Three letters are in every tenth megabyte of chance.
					if strings.Contains(strings.TrimPrefix(path, c.dir), word) || len(word) > 3 && strings.Contains(text, word) {
						t.Errorf("%s has %q", path, word)
					}
				}
			}
			if total < len(raw) {
				t.Errorf("%d bytes", total)
			}
			for _, e := range []*chemigram.Engine{ann, ben} {
				for path, text := range everything(t, e.WorkspaceDir()) {
					if strings.Contains(text, "AGE-SECRET-KEY") || strings.Contains(text, identity.String()) || strings.Contains(text, identity.Recipient().String()) {
						t.Errorf("%s has an identity", path)
					}
				}
			}
		})
	}
}

// What is wrong with who opens a remote is told by a clear error each, which has no word
// of a key, and changes nothing.
func TestAnEncryptedRemoteIsOpenedByItsPeople(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	location := encryptedFolder(dir)
	var secrets []string
	ann := be(t, "ann")
	secrets = append(secrets, ann.String())
	one, two := openPair(t)
	addRemote(t, location, one)
	try[chemigram.PushResult](t)(one.Push(ctx, chemigram.PushParams{ImageID: "a"}))
	refused := func(what string, e *chemigram.Engine, location string, code chemigram.Code, words string) {
		t.Helper()
		before := everything(t, dir)
		_, err := e.AddRemote(ctx, chemigram.AddRemoteParams{Remote: "other", Location: location})
		if failed := chemigram.AsError(err); failed.Code != code || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", what, err)
		}
		for cause := err; cause != nil; cause = errors.Unwrap(cause) {
			for _, secret := range append(secrets, "AGE-SECRET-KEY-1Q", "AGE-SECRET-KEY-PQ-1Q", "hunter2") {
				if strings.Contains(cause.Error(), secret) {
					t.Errorf("%s says %q: %v", what, secret, cause)
				}
			}
		}
		if list := try[chemigram.ListRemotesResult](t)(two.ListRemotes(ctx, chemigram.ListRemotesParams{})); len(list.Remotes) > 0 {
			t.Errorf("%s: %+v", what, list)
		}
		if now := everything(t, dir); fmt.Sprint(now) != fmt.Sprint(before) {
			t.Errorf("%s: the place has changed", what)
		}
	}
	refused("a plain remote at an encrypted place", two, dir, chemigram.ErrState, "age+")
	plain := t.TempDir()
	addRemote(t, plain, openEngine(t, "cleo"))
	refused("an encrypted remote at a plain place", two, encryptedFolder(plain), chemigram.ErrState, "not encrypted")
	ben := be(t, "ben")
	secrets = append(secrets, ben.String())
	refused("a stranger's identity", two, location, chemigram.ErrPermission, encrypted.IdentityFile)
	refused("another fingerprint", two, location+"?fingerprint="+strings.Repeat("0", 32), chemigram.ErrState, "another key")
	refused("no fingerprint", two, location+"?fingerprint=hunter2", chemigram.ErrInvalidInput, "32 digits")
	for name, text := range map[string]string{
		"no lines": "", "a broken key": strings.ToLower(ben.String()[:40]) + "\n", "half a key": ben.String()[:40] + "\n",
		"a password": "hunter2hunter2\n", "another program's": "-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2\n", "a plugin's": "AGE-PLUGIN-YUBIKEY-1HUNTER2\n",
	} {
		path := filepath.Join(t.TempDir(), "identity")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv(encrypted.IdentityFile, path)
		refused(name, two, location, chemigram.ErrPermission, encrypted.IdentityFile)
	}
	t.Setenv(encrypted.IdentityFile, filepath.Join(t.TempDir(), "none"))
	refused("no file", two, location, chemigram.ErrPermission, encrypted.IdentityFile)
	t.Setenv(encrypted.IdentityFile, "")
	refused("no variable", two, location, chemigram.ErrPermission, encrypted.IdentityFile)

	// A secret key among the recipients.
	cleo := be(t, "cleo")
	secrets = append(secrets, cleo.String())
	t.Setenv(encrypted.RecipientsFile, os.Getenv(encrypted.IdentityFile))
	refused("a secret key as a recipient", two, encryptedFolder(t.TempDir()), chemigram.ErrPermission, encrypted.RecipientsFile)
	t.Setenv(encrypted.RecipientsFile, "")

	// One is added, and removed.
	t.Setenv(encrypted.IdentityFile, identityFile(t, ann))
	store, err := OpenEncrypted(ctx, location)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Add(ctx, ben.Recipient().String()); err != nil {
		t.Fatal(err)
	}
	t.Setenv(encrypted.IdentityFile, identityFile(t, ben))
	addRemote(t, location, two)
	try[chemigram.CloneImageResult](t)(two.CloneImage(ctx, chemigram.CloneImageParams{RemoteImage: "a", WithRaw: false}))
	if err := store.Remove(ctx, ben.Recipient().String()); err != nil {
		t.Fatal(err)
	}
	three := openEngine(t, "ben")
	if _, err := three.AddRemote(ctx, chemigram.AddRemoteParams{Remote: "other", Location: location}); chemigram.AsError(err).Code != chemigram.ErrPermission {
		t.Errorf("one who was removed: %v", err)
	}
}

// identityFile writes an identity into a file of its own.
func identityFile(t *testing.T, i *age.X25519Identity) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "identity")
	if err := os.WriteFile(path, []byte(i.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The owner of the place puts a remote there whose key is theirs, and is for ann, too. Who has
// added the remote before sends nothing there.
func TestAForgedRemoteIsNotUsed(t *testing.T) {
	ctx, dir, workspace := t.Context(), t.TempDir(), filepath.Join(t.TempDir(), "workspace")
	owner := be(t, "owner")
	ann := be(t, "ann")
	start := func() *chemigram.Engine {
		fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1", XMP: baseline.Packet("5.4.1")})
		e, err := chemigram.Open(ctx, &chemigram.Options{Workspace: workspace, Darktable: fake.CLI, Workers: -1, OpenRemote: Open})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := start()
	path := filepath.Join(t.TempDir(), "a.dng")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	try[chemigram.IngestResult](t)(e.Ingest(ctx, chemigram.IngestParams{RawPath: path}))
	addRemote(t, encryptedFolder(dir), e)
	if err := errors.Join(e.Close(), os.Rename(dir, dir+"-aside"), os.Mkdir(dir, 0o700)); err != nil {
		t.Fatal(err)
	}
	place, err := objects.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = place.Close() })
	forged, err := encrypted.New(place, encrypted.People{
		Identities: []age.Identity{owner}, Recipients: []string{owner.Recipient().String(), ann.Recipient().String()},
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, begin := range []func() error{
		func() error { return forged.Create(ctx, "something", strings.NewReader("x")) },
		func() error { _, err := share.New("forged", forged).Identify(ctx); return err },
	} {
		if err := begin(); err != nil {
			t.Fatal(err)
		}
		before := everything(t, dir)
		e := start()
		_, err := e.Push(ctx, chemigram.PushParams{ImageID: "a", WithRaw: true})
		if failed := chemigram.AsError(err); failed.Code != chemigram.ErrState || failed.Details["reason"] != "unreachable" {
			t.Errorf("%v", err)
		}
		if now := everything(t, dir); fmt.Sprint(now) != fmt.Sprint(before) {
			t.Error("something was sent")
		}
		_ = e.Close()
	}
}

// A new remote is for everyone whom the file of recipients has.
func TestRecipientsOfANewRemote(t *testing.T) {
	ctx, location := t.Context(), encryptedFolder(t.TempDir())
	ben := be(t, "ben")
	ann := be(t, "ann")
	hybrid, err := age.GenerateHybridIdentity()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "recipients")
	text := "# the studio\n\n" + ben.Recipient().String() + "\n" + hybrid.Recipient().String() + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(encrypted.RecipientsFile, path)
	addRemote(t, location, openEngine(t, "ann"))
	t.Setenv(encrypted.RecipientsFile, "")
	for _, who := range []string{ann.String(), ben.String(), hybrid.String()} {
		file := filepath.Join(t.TempDir(), "identity")
		if err := os.WriteFile(file, []byte(who+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv(encrypted.IdentityFile, file)
		store, err := OpenEncrypted(ctx, location)
		if err != nil {
			t.Fatal(err)
		}
		if list, err := store.Recipients(ctx); len(list) != 3 || err != nil {
			t.Errorf("%v, %v", list, err)
		}
		_ = store.Close()
	}
}

// Every bit of what an encrypted remote has is guarded: verify names the object.
func TestDamageOfAnEncryptedRemoteIsFound(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	be(t, "ann")
	ann, ben := openPair(t)
	addRemote(t, encryptedFolder(dir), ann, ben)
	setTo(t, ann, "exposure", 0.3)
	try[chemigram.PushResult](t)(ann.Push(ctx, chemigram.PushParams{ImageID: "a"}))
	random := testutil.Random(t)
	for path, text := range everything(t, dir) {
		for range 3 {
			wrong := []byte(text)
			wrong[random.IntN(len(wrong))] ^= 1 << random.IntN(8)
			if err := os.WriteFile(path, wrong, 0o600); err != nil {
				t.Fatal(err)
			}
			found, err := ben.Verify(ctx, chemigram.VerifyParams{Remote: "bucket"})
			if err == nil && len(found.Findings) == 0 {
				t.Errorf("%s: a flipped bit is not found", path)
			}
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if found := try[chemigram.VerifyResult](t)(ben.Verify(ctx, chemigram.VerifyParams{Remote: "bucket"})); len(found.Findings) > 0 {
		t.Errorf("%+v", found.Findings)
	}
}

// A folder that is encrypted is where a remote may be, too, and is missed when it is away.
func TestAnEncryptedFolderIsAFolder(t *testing.T) {
	root := t.TempDir()
	e, err := chemigram.Open(t.Context(), &chemigram.Options{
		Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: filepath.Join(t.TempDir(), "none"), ExportRoots: []string{root}, OpenRemote: Open,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	outside := t.TempDir()
	for _, location := range []string{
		encryptedFolder(outside), "AGE+FILE://" + filepath.ToSlash(outside), "age+file://" + filepath.ToSlash(root) + "/%2e%2e/" + filepath.Base(outside),
		"age+file://" + strings.ReplaceAll(filepath.ToSlash(outside), "a", "%61"), encryptedFolder(outside) + "?fingerprint=", "age+age+file://" + filepath.ToSlash(outside),
		"x+file://" + filepath.ToSlash(outside),
	} {
		if _, err := e.AddRemote(t.Context(), chemigram.AddRemoteParams{Remote: "folder", Location: location}); err == nil {
			t.Errorf("%s leads out of the roots", location)
		}
		if entries, _ := os.ReadDir(outside); len(entries) > 0 {
			t.Errorf("%s: %v was written", location, entries)
		}
	}
	place := filepath.Join(root, "with a space, 100% & ä?")
	if err := os.Mkdir(place, 0o700); err != nil {
		t.Fatal(err)
	}
	try[chemigram.RemoteResult](t)(e.AddRemote(t.Context(), chemigram.AddRemoteParams{Remote: "folder", Location: encryptedFolder(place)}))
	if entries, _ := os.ReadDir(place); len(entries) == 0 {
		t.Error("nothing was written")
	}
	// An empty folder in its place is not filled.
	if err := errors.Join(os.Rename(place, place+"-away"), os.Mkdir(place, 0o700)); err != nil {
		t.Fatal(err)
	}
	_, err = e.ListRemoteImages(t.Context(), chemigram.ListRemoteImagesParams{})
	if chemigram.AsError(err).Details["reason"] != "unreachable" {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(place); len(entries) > 0 {
		t.Errorf("%v was written", entries)
	}
}

// One call is one request, once the key was read.
func TestAnEncryptedCallIsARequest(t *testing.T) {
	t.Parallel()
	f := gateway(t)
	s, ctx := open(t, agePrefix+f.location("pictures")), t.Context()
	count := func(what string, want int, call func() error) {
		t.Helper()
		f.counted()
		if err := call(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if got, by := f.counted(); got != want {
			t.Errorf("%s: %d requests %v, want %d", what, got, by, want)
		}
	}
	count("beginning", 8, func() error { return s.Create(ctx, "a", strings.NewReader("x")) })
	count("create", 1, func() error { return s.Create(ctx, "b", bytes.NewReader(make([]byte, 1<<20))) })
	count("read", 1, func() error { _, err := objects.Read(ctx, s, "a", 9); return err })
	count("list", 1, func() error { _, _, err := s.List(ctx, "", ""); return err })
	count("delete", 1, func() error { return s.Delete(ctx, "b") })
	other := open(t, agePrefix+f.location("pictures"))
	count("reading the key", 4, func() error { _, err := objects.Read(ctx, other, "a", 9); return err })
}
