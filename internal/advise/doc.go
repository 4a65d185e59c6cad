// Package advise says where the edit of a photograph starts: how it is exposed and
// balanced, whether it is level, what frames it, and how its file is prepared.
//
// It looks at developed pictures and at how they were taken, and names moves with
// values. Where a picture does not show what would have to be known, it says so: no
// advice is better than a wrong one.
package advise
