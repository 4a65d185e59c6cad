// Package farm lets many machines develop pictures: previews, exports and proofs of an
// engine go to workers, which have the same darktable. It is a module of its own, so that
// a program without it links none of this.
//
//	f, err := farm.Open(ctx, &farm.Options{Store: store})
//	defer f.Close()
//	engine, err := chemigram.Open(ctx, &chemigram.Options{Renderer: f})
//
// Jobs travel through NATS JetStream, raws and pictures through an [objects.Store], a
// folder or a bucket. The broker holds no truth: what it forgets is asked for again. What
// the farm cannot do, the engine's own darktable does. docs/farm.md has the details.
package farm
