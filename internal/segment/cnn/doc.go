// Package cnn runs a small convolutional network over a picture. What its layers make of a
// place says more of what it is of than its colours do: package segment tells regions apart
// by it. And it finds things, with a box around each: package segment takes what lies within
// for what somebody points at.
//
// The network is NanoDet-g, which finds things of everyday life in photographs: 34
// convolutions. Its weights, in weights.bin, are those of
// https://github.com/RangiLyu/nanodet, which may be used under the Apache License in the
// file NOTICE; command convert reduced them to a byte each. Nothing but them is needed, no
// library and no processor of a kind.
package cnn
