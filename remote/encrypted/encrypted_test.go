package encrypted

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/share"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/objects/objectstest"
)

// person makes somebody who opens stores.
func person(t testing.TB) People {
	t.Helper()
	i, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return People{[]age.Identity{i}, []string{i.Recipient().String()}}
}

func open(t testing.TB, inner objects.Store, p People) *Store {
	t.Helper()
	s, err := New(inner, p, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t testing.TB, s objects.Store, name, content string) {
	t.Helper()
	if err := s.Create(t.Context(), name, strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
}

func TestAnEncryptedStoreIsAStore(t *testing.T) {
	t.Parallel()
	objectstest.Conform(t, func(t *testing.T) objects.Store { return open(t, objectstest.NewMemory(), person(t)) })
	objectstest.Conform(t, func(t *testing.T) objects.Store {
		f, err := objects.OpenFolder(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return open(t, f, person(t))
	})
}

// What is in the other store has no piece of a name and none of an object.
func TestTheOwnerSeesSizesAlone(t *testing.T) {
	t.Parallel()
	m := objectstest.NewMemory()
	s := open(t, m, person(t))
	names := []string{"images/wedding", "refs/wedding/h-portraits/0000000001", "raws/ab/abcdef0123456789abcdef0123456789", "remote"}
	for _, name := range names {
		put(t, s, name, "a note of the wedding in "+name+strings.Repeat(" on and on", 20000))
	}
	list, _ := m.Bytes()
	for _, name := range list {
		text := name + string(m.Object(name))
		for _, word := range []string{"wedding", "portraits", "raws", "images", "refs", "0000000001", "abcdef0123", "note", "on and on"} {
			if strings.Contains(text, word) {
				t.Errorf("%s has %q", name, word)
			}
		}
		if word := strings.Contains(text, "remote"); word != (name == markerName) {
			t.Errorf("%s has the word remote: %v", name, word)
		}
	}
	if len(list) != len(names)+2 { // the key and what says that it is encrypted
		t.Errorf("%d objects: %q", len(list), list)
	}
	// The same content under the same name is never the same bytes.
	first := m.Object(sealedName(t, s, names[0]))
	other := objectstest.NewMemory()
	s.inner = other
	put(t, s, names[0], "a note of the wedding in "+names[0]+strings.Repeat(" on and on", 20000))
	if bytes.Equal(first, other.Object(sealedName(t, s, names[0]))) {
		t.Error("two objects have the same bytes")
	}
}

func sealedName(t testing.TB, s *Store, name string) string {
	t.Helper()
	_, sealed, err := s.at(t.Context(), "Get", name, true)
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

// damaged fails unless no bytes but the right ones are ever read.
func damaged(t *testing.T, s *Store, name, want, what string) {
	t.Helper()
	r, err := s.Get(t.Context(), name)
	if err == nil {
		var got []byte
		if got, err = io.ReadAll(r); !strings.HasPrefix(want, string(got)) {
			t.Errorf("%s: other bytes are read", what)
		}
	}
	if !errors.Is(err, objects.Damaged) {
		t.Errorf("%s: %v", what, err)
	}
}

func TestEveryFlippedBitIsFound(t *testing.T) {
	t.Parallel()
	m := objectstest.NewMemory()
	p := person(t)
	s := open(t, m, p)
	small, large := "some content", strings.Repeat("0123456789abcdef", 3*chunk/16)
	put(t, s, "a/small", small)
	put(t, s, "a/large", large)
	put(t, s, "a/empty", "")
	random := testutil.Random(t)
	for name, want := range map[string]string{"a/small": small, "a/large": large, "a/empty": ""} {
		sealed := sealedName(t, s, name)
		whole := m.Object(sealed)
		for i := range len(whole) * 8 {
			if len(whole) > 1000 && random.IntN(20000) > 0 {
				continue
			}
			wrong := bytes.Clone(whole)
			wrong[i/8] ^= 1 << (i % 8)
			m.Put(sealed, wrong)
			damaged(t, s, name, want, fmt.Sprintf("bit %d of %s", i, name))
		}
		for _, n := range []int{0, 1, headerSize, headerSize + 1, headerSize + tagSize, headerSize + chunk + tagSize, len(whole) - 1, headerSize + 2*(chunk+tagSize)} {
			if n < len(whole) {
				m.Put(sealed, whole[:n])
				damaged(t, s, name, want, fmt.Sprintf("%d bytes of %s", n, name))
			}
		}
		m.Put(sealed, append(bytes.Clone(whole), 0))
		damaged(t, s, name, want, "a byte more of "+name)
		m.Put(sealed, whole)
		if got, err := objects.Read(t.Context(), s, name, 1<<20); err != nil || string(got) != want {
			t.Fatalf("%s: %v", name, err)
		}
	}
	// What the store keeps for itself.
	names, _ := m.Bytes()
	for _, name := range names {
		if strings.HasPrefix(name, objectsFolder) {
			continue
		}
		whole := m.Object(name)
		for i := range len(whole) * 8 {
			wrong := bytes.Clone(whole)
			wrong[i/8] ^= 1 << (i % 8)
			m.Put(name, wrong)
			if found, err := s.Check(t.Context()); len(found) == 0 || err != nil {
				t.Errorf("bit %d of %s is not found: %v", i, name, err)
			}
			if _, err := open(t, m, p).Get(t.Context(), "a/small"); err == nil && name == markerName {
				t.Errorf("bit %d of %s is not found at the beginning", i, name)
			}
		}
		m.Put(name, nil)
		if found, err := s.Check(t.Context()); err != nil || name == markerName && len(found) == 0 {
			t.Errorf("%s is missing: %v, %v", name, found, err)
		}
		m.Put(name, whole)
	}
	if found, err := s.Check(t.Context()); len(found) > 0 || err != nil {
		t.Errorf("%v, %v", found, err)
	}
}

// An object that is put in the place of another is not read, whatever place it is.
func TestObjectsHaveTheirNames(t *testing.T) {
	t.Parallel()
	m, p := objectstest.NewMemory(), person(t)
	s := open(t, m, p)
	put(t, s, "refs/a/1", "the first")
	put(t, s, "refs/a/2", "the other")
	put(t, s, "refs/b/1", "elsewhere")
	first, other := sealedName(t, s, "refs/a/1"), sealedName(t, s, "refs/a/2")
	m.Put(first, m.Object(other))
	damaged(t, s, "refs/a/1", "", "another object")
	// Of another remote of the same people.
	alien := open(t, objectstest.NewMemory(), p)
	put(t, alien, "refs/a/1", "the first")
	m.Put(first, alien.inner.(*objectstest.Memory).Object(sealedName(t, alien, "refs/a/1")))
	damaged(t, s, "refs/a/1", "", "of another remote")
	// A part of a name is good in its own folder alone.
	folder := func(name string) string { return name[:strings.LastIndexByte(name, '/')+1] }
	moved := folder(sealedName(t, s, "refs/b/1")) + strings.TrimPrefix(other, folder(other))
	m.Put(moved, []byte("x"))
	list, _, err := s.List(t.Context(), "refs/b/", "")
	if len(list) != 1 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	found, err := s.Check(t.Context())
	if len(found) != 1 || found[0].Name != moved || err != nil {
		t.Errorf("%v, %v", found, err)
	}
}

// What is sent more than once is the same each time, wherever it is read from; content that
// changes meanwhile is not encrypted a second time.
func TestContentIsSentAgain(t *testing.T) {
	t.Parallel()
	random := testutil.Random(t)
	for _, size := range []int{0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 3*chunk + 100} {
		content := make([]byte, size)
		for i := range content {
			content[i] = byte(random.Uint32())
		}
		s, err := newSealer(make([]byte, 32), "a", bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := io.ReadAll(s)
		if err != nil || int64(len(whole)) != sealedSize(int64(size)) || plainSize(int64(len(whole))) != int64(size) {
			t.Fatalf("%d bytes are %d, %v", size, len(whole), err)
		}
		if end, err := s.Seek(0, io.SeekEnd); end != int64(len(whole)) || err != nil {
			t.Errorf("it ends at %d, %v", end, err)
		}
		for range 20 {
			from := random.Int64N(int64(len(whole)))
			if _, err := s.Seek(from, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			if rest, err := io.ReadAll(s); err != nil || !bytes.Equal(rest, whole[from:]) {
				t.Errorf("from %d of %d on: %v", from, len(whole), err)
			}
		}
		if size == 0 {
			continue
		}
		content[random.IntN(size)] ^= 1
		_, _ = s.Seek(0, io.SeekStart)
		s.at = -1
		if _, err := io.ReadAll(s); !errors.Is(err, errChanged) {
			t.Errorf("content of %d bytes that has changed: %v", size, err)
		}
	}
}

// Several who begin a remote at once use one key.
func TestManyBeginOneRemote(t *testing.T) {
	t.Parallel()
	for round := range 5 {
		m := objectstest.NewMemory()
		faulty := objectstest.NewFaulty(m, objectstest.Faults{LoseRequest: 0.05, LoseAnswer: 0.1, Duplicate: 0.2, Late: 0.05}, uint64(round))
		people, all := make([]People, 6), People{}
		for i := range people {
			people[i] = person(t)
			all.Recipients = append(all.Recipients, people[i].Recipients...)
		}
		var group sync.WaitGroup
		for i := range people {
			s := open(t, faulty, People{people[i].Identities, all.Recipients})
			group.Go(func() {
				again(t, func() error {
					err := s.Create(t.Context(), fmt.Sprintf("a/%d", i), strings.NewReader("x"))
					if errors.Is(err, objects.Exists) {
						err = nil
					}
					return err
				})
			})
		}
		group.Wait()
		faulty.Settle()
		for i := range people {
			list, _, err := open(t, m, people[i]).List(t.Context(), "a/", "")
			if len(list) != len(people) || err != nil {
				t.Errorf("%d sees %v, %v", i, list, err)
			}
		}
		if found, err := open(t, m, people[0]).Check(t.Context()); len(found) > 0 || err != nil {
			t.Errorf("%v, %v", found, err)
		}
	}
}

func again(t *testing.T, do func() error) {
	t.Helper()
	for range 50 {
		err := do()
		if err == nil {
			return
		}
		if !errors.Is(err, objects.Unreachable) {
			t.Error(err)
			return
		}
	}
	t.Error("no answer")
}

func TestPeopleComeAndGo(t *testing.T) {
	t.Parallel()
	ctx, m := t.Context(), objectstest.NewMemory()
	ann, ben := person(t), person(t)
	s := open(t, m, ann)
	if _, err := s.Recipients(ctx); !errors.Is(err, objects.NotFound) {
		t.Errorf("before there is a remote: %v", err)
	}
	put(t, s, "a", "x")
	before, _ := m.Bytes()
	bens := open(t, m, ben)
	_, getErr := bens.Get(ctx, "a")
	_, _, listErr := bens.List(ctx, "", "")
	for _, err := range []error{getErr, listErr, bens.Create(ctx, "b", strings.NewReader("y")), bens.Delete(ctx, "a"), bens.Add(ctx, ben.Recipients[0])} {
		if !errors.Is(err, objects.Denied) || !strings.Contains(err.Error(), IdentityFile) {
			t.Errorf("without the key: %v", err)
		}
	}
	if now, _ := m.Bytes(); strings.Join(now, " ") != strings.Join(before, " ") {
		t.Errorf("%q", now)
	}
	for range 2 {
		if err := s.Add(ctx, ben.Recipients[0]); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := objects.Read(ctx, bens, "a", 10); string(got) != "x" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if list, err := bens.Recipients(ctx); len(list) != 2 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	if err := bens.Remove(ctx, ann.Recipients[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, m, ann).Get(ctx, "a"); !errors.Is(err, objects.Denied) {
		t.Errorf("after the removal: %v", err)
	}
	if err := bens.Remove(ctx, ben.Recipients[0]); !errors.Is(err, objects.Invalid) {
		t.Errorf("the last one: %v", err)
	}
	if err := bens.Remove(ctx, person(t).Recipients[0]); !errors.Is(err, objects.NotFound) {
		t.Errorf("a stranger: %v", err)
	}
	secret := fmt.Sprint(ann.Identities[0])
	if err := bens.Add(ctx, secret); !errors.Is(err, objects.Invalid) || strings.Contains(err.Error(), secret) {
		t.Errorf("a secret key: %v", err)
	}
}

// Who keeps a fingerprint uses no other key, even where the owner of the bucket has begun
// the remote anew with one of theirs.
func TestAnotherKeyIsNotUsed(t *testing.T) {
	t.Parallel()
	ctx, m, ann := t.Context(), objectstest.NewMemory(), person(t)
	s := open(t, m, ann)
	put(t, s, "a", "x")
	fingerprint, err := s.Fingerprint(ctx)
	if err != nil {
		t.Fatal(err)
	}
	pinned := func(m objects.Store, fingerprint string) error {
		s, err := New(m, ann, fingerprint)
		if err != nil {
			return err
		}
		return s.Create(ctx, "b", strings.NewReader("secret"))
	}
	if err := pinned(m, fingerprint); err != nil {
		t.Error(err)
	}
	forged := objectstest.NewMemory()
	owner := person(t)
	put(t, open(t, forged, People{owner.Identities, append(owner.Recipients, ann.Recipients...)}), "a", "x")
	for _, place := range []*objectstest.Memory{forged, objectstest.NewMemory()} {
		if err := pinned(place, fingerprint); !errors.Is(err, objects.Unsuitable) {
			t.Errorf("another key: %v", err)
		}
	}
	if err := pinned(m, "0123"); !errors.Is(err, objects.Invalid) {
		t.Error(err)
	}
}

func TestAPlainRemoteIsNotEncrypted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		there share.Identity
		want  objects.Kind
	}{
		{share.Identity{Format: 1, ID: "x"}, objects.Unsuitable},
		{share.Identity{Format: 3, Encryption: "age", Fingerprint: strings.Repeat("0", 32)}, objects.Unsuitable},
		{share.Identity{Format: 2, Encryption: "rot13"}, objects.Unsuitable},
		{share.Identity{Format: 2, Encryption: "age", Fingerprint: "../x"}, objects.Damaged},
		{share.Identity{Format: 2, Encryption: "age", Fingerprint: strings.Repeat("0", 32)}, objects.Denied},
	} {
		m := objectstest.NewMemory()
		data, err := c.there.Encode()
		if err != nil {
			t.Fatal(err)
		}
		m.Put(markerName, data)
		if err := open(t, m, person(t)).Create(t.Context(), "a", strings.NewReader("x")); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %s", c.there, err, c.want)
		}
		if names, _ := m.Bytes(); len(names) != 1 {
			t.Errorf("%q", names)
		}
	}
}

// What nothing leads to is marked, and deleted when it was marked long enough ago: marks
// have their ages.
func TestPruneOfAnEncryptedRemote(t *testing.T) {
	t.Parallel()
	ctx, m := t.Context(), objectstest.NewMemory()
	now := time.Now()
	m.Now = func() time.Time { return now }
	s := open(t, m, person(t))
	remote := share.New("bucket", s)
	if _, err := remote.Identify(ctx); err != nil {
		t.Fatal(err)
	}
	const grace = 48 * time.Hour
	for i := range 3 {
		content := fmt.Sprintf("nothing leads to %d", i)
		sum := sha256.Sum256([]byte(content))
		put(t, s, fmt.Sprintf("objects/%x/%x", sum[:1], sum), content)
	}
	for _, step := range []struct {
		later           time.Duration
		marked, removed int
	}{{time.Hour, 0, 0}, {grace, 3, 0}, {grace / 2, 3, 0}, {grace, 0, 3}} {
		now = now.Add(step.later)
		done, err := remote.Prune(ctx, grace, nil)
		if err != nil || done.Marked != step.marked || len(done.Removed) != step.removed {
			t.Errorf("after %v: %+v, %v", step.later, done, err)
		}
		if found, err := remote.Verify(ctx, nil); len(found) > 0 || err != nil {
			t.Errorf("%v, %v", found, err)
		}
	}
	m.Put(objectsFolder+"0123", []byte("of somebody else"))
	if done, err := remote.Prune(ctx, grace, nil); !errors.Is(err, fault.Versioning) || done.Marked > 0 {
		t.Errorf("an object that has lost its name: %+v, %v", done, err)
	}
	if found, err := remote.Verify(ctx, nil); len(found) != 1 || found[0].Object != objectsFolder+"0123" || err != nil {
		t.Errorf("%v, %v", found, err)
	}
}

// What was encrypted once can be read for ever: these bytes are those of FORMAT.md.
func TestTheFormatStays(t *testing.T) {
	t.Parallel()
	key := make([]byte, remoteKey)
	for i := range key {
		key[i] = byte(i)
	}
	k, err := derive(key)
	if err != nil {
		t.Fatal(err)
	}
	const name = "refs/0123456789abcdef/h-main/0000000001"
	sealed, err := k.names.seal(name)
	if err != nil {
		t.Fatal(err)
	}
	content, err := newSealer(k.content, name, strings.NewReader("the first move"))
	if err != nil {
		t.Fatal(err)
	}
	clear(content.header[1:]) // the salt
	if content.aead, err = contentCipher(k.content, content.header[1:], name); err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct{ got, want string }{
		"fingerprint": {k.fingerprint, "30a2157955b965b5f73bd429614c76d6"},
		"name":        {sealed, "5ck1h9e6rjsa1ljla05i4ll3oct902nt/sg7eb8857pd084rg27e2jfdpieahet0qmbd1nu73ke7ui/c8ohqsege8gfrhm5h14op2ie1vdvrh9cco/ie87rkjltmpar5fg8j87qnag44upiqskqksqhho"},
		"key's name":  {k.nameFor("age1somebody"), "keys/30a2157955b965b5f73bd429614c76d6/4fct2phb0eugop6gucgbau6gr8"},
		"content":     {hex.EncodeToString(data), "0100000000000000000000000000000000000000000000000000000000000000002b06bf9bfd500533a06d6063bcdf67d73d0118c3a1c174ee03b362452f05"},
	} {
		if c.got != c.want {
			t.Errorf("the %s is %s, and was %s", what, c.got, c.want)
		}
	}
}

// The longest names that shared histories have can be encrypted, and too long ones are
// refused.
func TestLongNames(t *testing.T) {
	t.Parallel()
	s := open(t, objectstest.NewMemory(), person(t))
	hash := strings.Repeat("f", 64)
	longest := "refs/" + hash + "/h-" + strings.Repeat("=5f", 53) + "z/0000000001" // internal/share's maxEscaped is 160
	put(t, s, longest, "x")
	list, _, err := s.List(t.Context(), "refs/"+hash+"/", "")
	if len(list) != 1 || list[0].Name != longest || list[0].Size != 1 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	if n := len(sealedName(t, s, longest)); n > 400 {
		t.Errorf("it has %d bytes", n)
	}
	put(t, s, strings.Repeat("a", maxPart), "x")
	for _, name := range []string{strings.Repeat("a", maxPart+1), strings.Repeat("a/", 200) + "a"} {
		if err := s.Create(t.Context(), name, strings.NewReader("x")); !errors.Is(err, objects.Invalid) {
			t.Errorf("%d bytes: %v", len(name), err)
		}
	}
}

// repeated is content of a size that is nowhere.
type repeated struct{ at, size int64 }

func (r *repeated) Read(p []byte) (int, error) {
	n := min(int64(len(p)), r.size-r.at)
	if r.at += n; n == 0 {
		return 0, io.EOF
	}
	return int(n), nil
}

func (r *repeated) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.size
	}
	r.at = offset
	return offset, nil
}

func TestEncryptionTakesLittleMemory(t *testing.T) {
	const size = 256 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := newSealer(make([]byte, 32), "raws/a", &repeated{size: size})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, newOpener(make([]byte, 32), "raws/a", s)); n != size || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 2<<20 {
		t.Errorf("%d KB were allocated in all", grown>>10)
	}
}

// A page that comes after the rest of its list was let go is the same.
func TestPagesOfManyLists(t *testing.T) {
	t.Parallel()
	m := objectstest.NewMemory()
	s := open(t, m, person(t))
	put(t, s, "a/0", "x")
	k, err := s.open(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	const many = 2500
	for i := range many {
		sealed, err := k.names.seal(fmt.Sprintf("b/%05d", i))
		if err != nil {
			t.Fatal(err)
		}
		m.Put(objectsFolder+sealed, make([]byte, headerSize+tagSize+7))
	}
	pages := make([]string, mostHeld+3) // that many walk at once
	for n := range 3 {
		for i, page := range pages {
			list, next, err := s.List(t.Context(), "b/", page)
			if err != nil || list[0].Name != fmt.Sprintf("b/%05d", n*objects.MaxPage) || list[0].Size != 7 || (next == "") != (n == 2) {
				t.Fatalf("page %d of %d: %d objects, %q, %v", n, i, len(list), next, err)
			}
			pages[i] = next
		}
	}
	if len(s.held) > mostHeld {
		t.Errorf("%d lists are kept", len(s.held))
	}
}

func FuzzNames(f *testing.F) {
	n, err := newNames([]byte("a key of names"), bytes.Repeat([]byte{7}, 32))
	if err != nil {
		f.Fatal(err)
	}
	f.Add("refs/abc", "0123456789abcdefghijklmnopq")
	f.Add("a", n.sealPart("", "images"))
	f.Fuzz(func(t *testing.T, name, sealed string) {
		opened := map[string]string{"": ""}
		if got, err := n.openBelow(opened, sealed); err == nil {
			if again, err := n.seal(got); err != nil || again != sealed {
				t.Errorf("%q is %q, which is %q, %v", sealed, got, again, err)
			}
		}
		if objects.CheckName(name) != nil {
			return
		}
		s, err := n.seal(name)
		if err != nil {
			if !errors.Is(err, objects.Invalid) {
				t.Error(err)
			}
			return
		}
		if err := objects.CheckName(objectsFolder + s); err != nil {
			t.Errorf("%q is %q: %v", name, s, err)
		}
		if got, err := n.openBelow(opened, s); err != nil || got != name {
			t.Errorf("%q is %q, which is %q, %v", name, s, got, err)
		}
	})
}

func FuzzContent(f *testing.F) {
	key, want := make([]byte, 32), "content"
	whole := make([]byte, 0, 100)
	for _, content := range []string{want, ""} {
		s, err := newSealer(key, "a", strings.NewReader(content))
		if err != nil {
			f.Fatal(err)
		}
		clear(s.header[1:]) // the salt, as each process of the fuzzer makes these once more
		if s.aead, err = contentCipher(key, s.header[1:], "a"); err != nil {
			f.Fatal(err)
		}
		data, err := io.ReadAll(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:headerSize])
		whole = append(whole, data...)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := io.ReadAll(newOpener(key, "a", bytes.NewReader(data)))
		if err == nil && !bytes.Contains(whole, data) {
			t.Errorf("%d bytes that nobody has encrypted are %q", len(data), got)
		}
		if n := plainSize(int64(len(data))); n < 0 || err == nil && n != int64(len(got)) {
			t.Errorf("the size %d", n)
		}
	})
}

func FuzzKeyFile(f *testing.F) {
	k, err := derive(make([]byte, remoteKey))
	if err != nil {
		f.Fatal(err)
	}
	// The same in each process of the fuzzer; the one of age's own tests.
	i, err := age.ParseX25519Identity("AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX")
	if err != nil {
		f.Fatal(err)
	}
	to := i.Recipient().String()
	name, data, err := k.wrap(to)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, other []byte) {
		if who, err := k.who(name, other); err == nil && who != to {
			t.Errorf("a key for %s that nobody has written", who)
		}
		if got := unwrap([]age.Identity{i}, other, k.fingerprint); got != nil && !bytes.Equal(got.key, k.key) {
			t.Error("another key")
		}
	})
}

// BenchmarkContent encrypts and decrypts 16 MB, beside the SHA-256 of as much.
func BenchmarkContent(b *testing.B) {
	content := bytes.NewReader(make([]byte, 16<<20))
	for b.Loop() {
		s, err := newSealer(make([]byte, 32), "a", content)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, newOpener(make([]byte, 32), "a", s)); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(content.Size())
}

// BenchmarkList lists 100,000 objects.
func BenchmarkList(b *testing.B) {
	for _, what := range []string{"plain", "encrypted"} {
		b.Run(what, func(b *testing.B) {
			m := &sorted{Memory: objectstest.NewMemory()}
			var s objects.Store = m
			seal := func(name string) string { return name }
			if what == "encrypted" {
				e := open(b, m, person(b))
				put(b, e, "a", "x")
				s, seal = e, func(name string) string { return sealedName(b, e, name) }
			}
			for i := range 100_000 {
				m.list = append(m.list, objects.Object{Name: seal(fmt.Sprintf("objects/%02x/%064x", i%256, i)), Size: 100})
			}
			slices.SortFunc(m.list, func(a, b objects.Object) int { return strings.Compare(a.Name, b.Name) })
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for page := ""; ; {
					list, next, err := s.List(context.Background(), "objects/", page)
					if err != nil {
						b.Fatal(err)
					}
					if n += len(list); next == "" {
						break
					}
					page = next
				}
				if n != 100_000 {
					b.Fatal(n)
				}
			}
		})
	}
}

// sorted is a store that lists at once.
type sorted struct {
	*objectstest.Memory
	list []objects.Object
}

func (s *sorted) List(ctx context.Context, prefix, page string) (list []objects.Object, next string, err error) {
	if len(s.list) == 0 || !strings.HasPrefix(s.list[0].Name, prefix) {
		return s.Memory.List(ctx, prefix, page)
	}
	from, _ := slices.BinarySearchFunc(s.list, page+"\x00", func(o objects.Object, page string) int { return strings.Compare(o.Name, page) })
	list = s.list[from:min(len(s.list), from+objects.MaxPage)]
	if from+len(list) < len(s.list) {
		next = list[len(list)-1].Name
	}
	return list, next, nil
}
