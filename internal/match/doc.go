// Package match finds the changes of light by which one developed picture of a series
// becomes like another.
//
// Two pictures of a series are compared by what both of them show. [Compare] looks for
// the place of one in the other: pictures of a burst, a panorama or a second framing
// overlap, and there each place is compared with itself, so that no subject can be
// mistaken for light. Pictures that do not overlap are compared band by band of their
// brightness, in which colourful things count for little. [Fit] then asks for the
// picture as it is developed with a little more of each move, and solves for the amounts
// of all of them together: the moves depend on each other, and a tone curve lies behind.
// What remains is the measure of whether light alone was different.
package match
