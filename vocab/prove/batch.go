package prove

import (
	"context"
	"crypto/sha256"
	"fmt"
	"image"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/xmp"
)

// batchShots is how many pictures a batch has: enough to share the start of
// darktable, and few enough to be kept in memory.
const batchShots = 96

// A batch is a number of subjects whose pictures are developed together. Their
// checks run twice: first on blank pictures, while the batch collects, to learn
// which pictures they look at, and then on the developed ones.
type batch struct {
	*verifier
	collecting bool
	shots      []Shot
	keys       []pictureKey // of shots
	used       []pictureKey // by the subject that is being added
	pictures   map[pictureKey]*measure.Picture
	members    []member
}

// member is a subject of a batch.
type member struct {
	index int // of the subject, among all
	key   [32]byte
	found []Finding // what the memo recalled
}

type pictureKey struct {
	scene vocab.Scene
	state [32]byte
}

func newBatch(v *verifier) *batch {
	return &batch{verifier: v, collecting: true, pictures: map[pictureKey]*measure.Picture{}}
}

// addSubject makes a subject a member and collects the pictures that it needs.
func (b *batch) addSubject(ctx context.Context, index int, s subject) error {
	n := len(b.shots)
	b.used = nil
	if _, err := b.checkPictures(ctx, s); err != nil {
		return err
	}
	m := member{index: index}
	if b.Memo != nil {
		claims, err := s.claims()
		if err != nil {
			return err
		}
		h := sha256.New()
		fmt.Fprintf(h, "%s %d %t %t %t %t %s", s.name(), b.Sweep, b.Whole, b.HarmAlone, b.NoHarm, b.OnPhotographs, claims)
		for _, k := range b.used {
			fmt.Fprintf(h, " %s %x", k.scene, k.state)
		}
		h.Sum(m.key[:0])
		if found, ok := b.Memo.Recall(m.key); ok {
			m.found = found
			for _, k := range b.keys[n:] {
				delete(b.pictures, k)
			}
			b.shots, b.keys = b.shots[:n], b.keys[:n]
		}
	}
	b.members = append(b.members, m)
	return nil
}

// blank is every picture while a batch collects.
var blank = measure.New(image.NewRGBA(image.Rect(0, 0, 8, 8)))

// picture gives a state of a scene.
func (b *batch) picture(scene vocab.Scene, s *xmp.Sidecar) (*measure.Picture, error) {
	key := pictureKey{scene, s.Hash()}
	p := b.pictures[key]
	switch {
	case b.collecting:
		b.used = append(b.used, key)
		if p == nil {
			b.pictures[key] = blank
			b.shots, b.keys = append(b.shots, Shot{scene, s.Bytes()}), append(b.keys, key)
		}
		return blank, nil
	case p == nil:
		return nil, fmt.Errorf("a picture of the %s was not collected", scene)
	}
	return p, nil
}

// develop makes the pictures that were collected.
func (b *batch) develop(ctx context.Context) error {
	b.collecting = false
	if len(b.shots) == 0 {
		return ctx.Err()
	}
	images, err := b.Renderer.Render(ctx, b.shots)
	if err != nil {
		return err
	}
	for i, img := range images {
		b.pictures[b.keys[i]] = measure.New(img)
	}
	b.shots = nil
	return nil
}

// findings runs all checks on a member.
func (b *batch) findings(ctx context.Context, s subject, m member) ([]Finding, error) {
	found := m.found
	if found == nil {
		var err error
		if found, err = b.checkPictures(ctx, s); err != nil {
			return nil, err
		}
		if b.Memo != nil {
			b.Memo.Keep(m.key, found)
		}
	}
	more, err := b.checkStates(ctx, s)
	return append(found[:len(found):len(found)], more...), err
}
