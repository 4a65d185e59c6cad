// Package segment finds regions in a developed picture: what a name means (sky,
// plants, water, skin, the subject), and what points, a box or a rough outline
// mean. It knows pixels alone: no raws, no darktable, no edits.
//
// A picture is cut into some thousand superpixels. Two boosted forests, one above
// the other, tell from their colour, texture, place and surroundings how likely
// each belongs to a category; the second forest also sees what the first one says
// of the neighbours and of places of like colour. A minimum cut joins them into
// regions, and a guided filter lays the region's edge along the picture's.
//
// The forests are trained by internal/segment/train from photographs with drawn
// regions, which the repository does not hold; forests.bin is what it made of them.
package segment
