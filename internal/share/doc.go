// Package share keeps histories in a store of objects that several workspaces reach, and
// moves what is missing there and back. A store has
//
//	remote                    what tells it from every other remote
//	images/IMAGE              what an image is: its raw's digest, its id where it came from
//	branches/IMAGE/REF        that there is such a branch or tag
//	refs/IMAGE/REF/N          the Nth move of a branch, from 1 on; made once
//	objects/AB/SHA256         a pack of snapshots (versioning/FORMAT.md), or what belongs to an image
//	raws/AB/SHA256            a raw
//	marks/AB/SHA256           that the object of objects is about to be deleted
//
// IMAGE is the hash of the image's first snapshot, which no other history has; REF is a
// branch ("h-"), a tag ("t-"), or what belongs to an image beside its history
// ("b-belongings"). An object of objects or raws is known by its SHA-256, and
// the others carry theirs: whatever is read is verified.
//
// The order of writes is objects, branch, move: what a writer that died has left leads to
// nothing, and nothing that is led to is missing. Of two who make the same move, one
// does; the other is told who. Whose answer was lost reads what is there: a move has the
// id of the operation that made it.
package share
