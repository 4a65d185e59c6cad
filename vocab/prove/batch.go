package prove

import (
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"sync"

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
	shown      map[pictureKey]image.Image // those of members, once they are developed
	members    []member
}

// member is a subject of a batch.
type member struct {
	index int // of the subject, among all
	key   [32]byte
	found []Finding     // what the memo recalled
	shows vocab.Scene   // empty when nothing is shown
	pair  [2]pictureKey // before and after
}

type pictureKey struct {
	scene vocab.Scene
	state [32]byte
}

func newBatch(v *verifier) *batch {
	return &batch{verifier: v, collecting: true, pictures: map[pictureKey]*measure.Picture{}, shown: map[pictureKey]image.Image{}}
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
	if b.Finished != nil {
		if err := b.choosePair(ctx, s, &m); err != nil {
			return err
		}
	}
	b.members = append(b.members, m)
	return nil
}

// choosePair notes which pictures show what a subject does: of those that are looked at
// anyway, the first claim's.
func (b *batch) choosePair(ctx context.Context, s subject, m *member) error {
	scene, before, after, err := b.pairOf(ctx, s)
	if err != nil {
		return err
	}
	pair := [2]pictureKey{{scene, before.Hash()}, {scene, after.Hash()}}
	if b.pictures[pair[0]] == nil || b.pictures[pair[1]] == nil {
		return nil // what the memo recalled is not developed
	}
	m.shows, m.pair = scene, pair
	b.shown[pair[0]], b.shown[pair[1]] = nil, nil
	return nil
}

// pairOf gives the states that show what a subject does.
func (b *batch) pairOf(ctx context.Context, s subject) (scene vocab.Scene, before, after *xmp.Sidecar, err error) {
	if s.mask == nil {
		scene = firstScene(s.entry)
		var at map[string]float64
		if len(s.entry.Claims) > 0 {
			at = s.entry.Claims[0].At
		}
		if before, err = b.start(ctx, scene, s.entry); err != nil {
			return scene, nil, nil, err
		}
		after, err = b.apply(ctx, scene, s.entry, nil, at, 1)
		return scene, before, after, err
	}
	scene = vocab.Natural
	if len(s.mask.Claims) > 0 {
		scene = s.mask.Claims[0].Scene
	}
	within, err := onScene(s.mask.Mask, s.mask.Name)
	if err != nil {
		return scene, nil, nil, err
	}
	if before, err = b.linear(ctx, scene); err != nil {
		return scene, nil, nil, err
	}
	after, err = b.adjust(lighten, before, within)
	return scene, before, after, err
}

// show gives the pictures of a member; nil when there are none.
func (b *batch) show(m member) *Shown {
	before, after := b.shown[m.pair[0]], b.shown[m.pair[1]]
	if m.shows == "" || before == nil || after == nil {
		return nil
	}
	return &Shown{Scene: m.shows, Before: before, After: after}
}

// blank is every picture while a batch collects.
var blank = sync.OnceValue(func() *measure.Picture { return measure.New(image.NewRGBA(image.Rect(0, 0, 8, 8))) })

// picture gives a state of a scene.
func (b *batch) picture(scene vocab.Scene, s *xmp.Sidecar) (*measure.Picture, error) {
	key := pictureKey{scene, s.Hash()}
	p := b.pictures[key]
	switch {
	case b.collecting:
		b.used = append(b.used, key)
		if p == nil {
			b.pictures[key] = blank()
			b.shots, b.keys = append(b.shots, Shot{scene, s.Bytes()}), append(b.keys, key)
		}
		return blank(), nil
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
		if _, show := b.shown[b.keys[i]]; show {
			b.shown[b.keys[i]] = img
		}
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
