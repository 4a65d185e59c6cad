// Package encrypted is a store of objects that keeps them in another store, encrypted:
// whoever has that one sees how many objects there are, in which folders, how large they
// are and when they were made, and neither what is in them nor what they are called.
//
// The other store has
//
//	remote                 that the objects are encrypted, and the fingerprint of the key
//	keys/FINGERPRINT/WHO   the key, encrypted by age for one person
//	encrypted/NAME         an object
//
// The key is made at first use: 32 random bytes, from which others are derived. Each part
// of a NAME is encrypted so that in one folder one name gives one text (SIV: an HMAC that
// is the beginning of a stream of AES-CTR), and authenticated with the folder that it is
// in. An object is encrypted in pieces of 64 KiB (AES-256-GCM, as age's STREAM), with a
// key that is made of a salt and of the object's name: one that was changed, cut off, or
// put in the place of another is not read.
//
// What is not found is that an object was deleted, and so that the newest moves of a
// branch were. Everyone who has the key may write everything.
package encrypted
