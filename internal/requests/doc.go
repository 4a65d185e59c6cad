// Package requests answers what photographers ask for where the answer is not simply a
// move that a search finds: a tool, a mask, a move that they call otherwise, or an honest
// "not possible here" with what comes nearest.
package requests
