// Package remote opens stores of objects in buckets, where workspaces share their
// histories: in Amazon S3 and what speaks like it, Google Cloud Storage, and Azure Blob
// Storage. It is a module of its own, so that a program without it links none of this.
//
// Give [Open] to the engine:
//
//	engine, err := chemigram.Open(ctx, &chemigram.Options{OpenRemote: remote.Open})
//
// A location names a bucket, and never who may use it: credentials come from the
// environment and the usual chains of each service, and no error of this package has one.
// With age+ before it, names and content are encrypted before they leave.
// docs/sharing.md has the details.
package remote
