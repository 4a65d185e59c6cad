package encrypted

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"filippo.io/age"

	"github.com/chemigram/chemigram/internal/share"
	"github.com/chemigram/chemigram/objects"
)

const (
	markerName    = "remote"
	keysFolder    = "keys/"
	objectsFolder = "encrypted/"
	// mostMarker and mostKey are how many bytes what says that a remote is encrypted, and a
	// key that is encrypted for somebody, have at most.
	mostMarker = 64 << 10
	mostKey    = 64 << 10
)

// keys are those that are made of the key of a remote.
type keys struct {
	key         []byte
	fingerprint string
	names       names
	content     []byte
	people      names // of who has the key
}

// derive makes the others of a remote's key.
func derive(key []byte) (*keys, error) {
	var failed error
	sub := func(what string) []byte {
		b, err := hkdf.Key(sha256.New, key, nil, "chemigram remote 1 "+what, 32)
		failed = errors.Join(failed, err)
		return b
	}
	k := &keys{key: key, fingerprint: hex.EncodeToString(sub("fingerprint")[:16]), content: sub("content")}
	var err error
	k.names, err = newNames(sub("names"), sub("stream of names"))
	k.people.mac = sub("people")
	return k, errors.Join(failed, err)
}

// folder is that of the key for each person.
func (k *keys) folder() string { return keysFolder + k.fingerprint + "/" }

// nameFor is the object with the key for one.
func (k *keys) nameFor(recipient string) string {
	return k.folder() + letters.EncodeToString(k.people.siv("", recipient))
}

// keyFile is the key of a remote, encrypted for one person.
type keyFile struct {
	Format int `json:"chemigram_key"` // 1
	// Age is the key as age has encrypted it.
	Age []byte `json:"age"`
	// Recipient says who that is and what Age is, encrypted with the key.
	Recipient []byte `json:"recipient"`
}

// wrap encrypts the key for one.
func (k *keys) wrap(to string) (name string, data []byte, err error) {
	r, err := recipient(to)
	if err != nil {
		return "", nil, err
	}
	var wrapped bytes.Buffer
	w, err := age.Encrypt(&wrapped, r)
	if err != nil {
		return "", nil, err
	}
	if _, err := w.Write(k.key); err != nil {
		return "", nil, err
	}
	if err := w.Close(); err != nil {
		return "", nil, err
	}
	name = k.nameFor(to)
	sum := sha256.Sum256(wrapped.Bytes())
	who, err := newSealer(k.content, name, strings.NewReader(to+" "+hex.EncodeToString(sum[:])))
	if err != nil {
		return "", nil, err
	}
	f := keyFile{Format: 1, Age: wrapped.Bytes()}
	if f.Recipient, err = io.ReadAll(who); err == nil {
		data, err = json.Marshal(f)
	}
	return name, data, err
}

// decodeKeyFile reads an object with a key, byte for byte.
func decodeKeyFile(data []byte) (f keyFile, err error) {
	if err := json.Unmarshal(data, &f); err != nil || f.Format != 1 || len(f.Age) > mostWrapped {
		return f, errKey
	}
	if again, err := json.Marshal(f); err != nil || !bytes.Equal(again, data) {
		return f, errKey
	}
	return f, nil
}

var errKey = errors.New("it is not what was written for somebody who has the key")

// who reads for whom an object with the key is.
func (k *keys) who(name string, data []byte) (string, error) {
	f, err := decodeKeyFile(data)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(newOpener(k.content, name, bytes.NewReader(f.Recipient)))
	if err != nil {
		return "", errKey
	}
	to, digest, _ := strings.Cut(string(text), " ")
	if sum := sha256.Sum256(f.Age); digest != hex.EncodeToString(sum[:]) || k.nameFor(to) != name {
		return "", errKey
	}
	return to, nil
}

// unwrap decrypts a key with the identities, when it is for one of them and is the one of
// a fingerprint; else it is nil.
func unwrap(identities []age.Identity, data []byte, fingerprint string) *keys {
	f, err := decodeKeyFile(data)
	if err != nil {
		return nil
	}
	r, err := age.Decrypt(bytes.NewReader(f.Age), identities...)
	if err != nil {
		return nil
	}
	key, err := io.ReadAll(io.LimitReader(r, remoteKey+1))
	if err != nil || len(key) != remoteKey {
		return nil
	}
	k, err := derive(key)
	if err != nil || k.fingerprint != fingerprint {
		return nil
	}
	return k
}

var errNone = errors.New("there is no remote here yet")

// load reads the key of the remote that is there, or gives errNone.
func (s *Store) load(ctx context.Context) (*keys, error) {
	const op = "Open"
	data, err := objects.Read(ctx, s.inner, markerName, mostMarker)
	if errors.Is(err, objects.NotFound) {
		return nil, errNone
	}
	if err != nil {
		return nil, err
	}
	is, err := share.DecodeIdentity(data)
	switch {
	case err != nil:
		return nil, &objects.Error{Op: op, Kind: objects.Damaged, Name: markerName, Err: err}
	case is.Encryption == "":
		return nil, &objects.Error{Op: op, Kind: objects.Unsuitable, Message: "there is a remote that is not encrypted: " +
			"choose an empty place, or another prefix, for one that is; or add this one without age+"}
	case is.Format != markerFormat || is.Encryption != encryption:
		return nil, &objects.Error{Op: op, Kind: objects.Unsuitable, Message: "it is encrypted in a way that this program does not know: use a newer Chemigram"}
	case s.pinned != "" && is.Fingerprint != s.pinned:
		return nil, &objects.Error{Op: op, Kind: objects.Unsuitable, Message: "another key is there than that whose fingerprint the location has: it is not used"}
	case !isFingerprint(is.Fingerprint):
		return nil, &objects.Error{Op: op, Kind: objects.Damaged, Name: markerName}
	}
	var found *keys
	err = s.eachKey(ctx, is.Fingerprint, func(_ string, data []byte) bool {
		found = unwrap(s.people.Identities, data, is.Fingerprint)
		return found == nil
	})
	if err == nil && found == nil {
		err = denied("none of the identities in the file that " + IdentityFile + " names opens the remote: it was never added, or was removed, or its key is damaged; " +
			"let somebody who opens it add yours")
	}
	return found, err
}

// eachKey reads the objects with the key of a fingerprint, until do has what it wants.
func (s *Store) eachKey(ctx context.Context, fingerprint string, do func(name string, data []byte) bool) error {
	folder, n := keysFolder+fingerprint+"/", 0
	for page := ""; ; {
		list, next, err := s.inner.List(ctx, folder, page)
		if err != nil {
			return err
		}
		for _, o := range list {
			if n++; n > mostPeople {
				return nil
			}
			data, err := objects.Read(ctx, s.inner, o.Name, mostKey)
			if errors.Is(err, objects.NotFound) || errors.Is(err, objects.Damaged) {
				data, err = nil, nil
			}
			if err != nil {
				return err
			}
			if !do(o.Name, data) {
				return nil
			}
		}
		if page = next; next == "" {
			return nil
		}
	}
}

const (
	encryption = "age"
	// markerFormat is one that no program knows that knows nothing of encryption.
	markerFormat = 2
)

// begin makes the key of a new remote, for everyone of the people. Of several who do so at
// once, one succeeds, and the others use that key.
func (s *Store) begin(ctx context.Context) (*keys, error) {
	if s.pinned != "" {
		return nil, &objects.Error{Op: "Open", Kind: objects.Unsuitable, Message: "there is no remote at the place, and the location has the fingerprint of one"}
	}
	if err := objects.Probe(ctx, s.inner); err != nil {
		return nil, err
	}
	if s.begun == nil { // or a try of which nobody knows what became of it
		key := make([]byte, remoteKey)
		_, _ = rand.Read(key) // it never fails
		var err error
		if s.begun, err = derive(key); err != nil {
			return nil, err
		}
	}
	k := s.begun
	for _, to := range s.people.Recipients {
		if err := s.add(ctx, k, to); err != nil {
			return nil, err
		}
	}
	data, err := share.Identity{Format: markerFormat, Encryption: encryption, Fingerprint: k.fingerprint}.Encode()
	if err != nil {
		return nil, err
	}
	err = s.inner.Create(ctx, markerName, bytes.NewReader(data))
	if err == nil {
		return k, nil
	}
	if !errors.Is(err, objects.Exists) {
		return nil, err
	}
	there, err := s.load(ctx)
	if err == nil && there.fingerprint == k.fingerprint {
		return there, nil
	}
	if err == nil || errors.Is(err, objects.Denied) || errors.Is(err, objects.Unsuitable) { // another was faster
		for _, to := range s.people.Recipients {
			_ = s.inner.Delete(context.WithoutCancel(ctx), k.nameFor(to)) // what stays opens nothing
		}
	}
	return there, err
}

// add makes the object with the key for one.
func (s *Store) add(ctx context.Context, k *keys, to string) error {
	name, data, err := k.wrap(to)
	if err != nil {
		return &objects.Error{Op: "Open", Kind: objects.Invalid, Message: err.Error()}
	}
	if err := s.inner.Create(ctx, name, bytes.NewReader(data)); err != nil && !errors.Is(err, objects.Exists) {
		return err
	}
	return nil
}

func isFingerprint(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == 16 && hex.EncodeToString(b) == text
}
