// Package segment finds regions in a developed picture: what a name means (sky,
// plants, water, skin, the subject), and what points, a box or a rough outline
// mean. It knows pixels alone: no raws, no darktable, no edits.
//
// A picture is cut into some thousand superpixels. Two boosted forests, one above
// the other, tell from their colour, texture, place and surroundings, and from what the
// network of package cnn makes of them, how likely each belongs to a category; the second
// forest also sees what is said of the neighbours and of places of like colour. Small
// heads tell it from what the network makes alone, and count as much. A minimum cut joins
// superpixels into regions, and a guided filter lays the region's edge along the picture's.
// Last, a forest looks at each pixel near that edge by itself: at its colour beside those on
// both sides, and at the way to it from either.
//
// What points, a box or an outline mean is told by a forest of each kind, by what lies on
// the way to points, by what is like them, and by the things that the network finds there.
//
// Forests and heads are trained by internal/segment/train from photographs with drawn
// regions, which the repository does not hold; model.bin is what it made of them.
package segment
