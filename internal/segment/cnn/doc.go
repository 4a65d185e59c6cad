// Package cnn runs the first layers of a convolutional network over a picture. What they
// make of a place says more of what it is of than its colours do: package segment tells
// regions apart by it.
//
// The network is the backbone of NanoDet-g, which finds things of everyday life in
// photographs: 25 convolutions of three by three places. Its weights, in weights.bin, are
// those of https://github.com/RangiLyu/nanodet, which may be used under the Apache License
// in the file NOTICE; command convert reduced them to a byte each. Nothing but them is
// needed, no library and no processor of a kind.
package cnn
