// Package onnx finds regions of photographs with neural networks: it gives
// [chemigram.Options] maskers that run models of the user's own in an installed ONNX
// Runtime.
//
// [Open] loads the runtime's shared library, version 1.12 or newer, without cgo.
// [Runtime.Load] loads a model. [NewSaliency] makes a masker of a model that is given a
// picture and answers how probably each pixel is of its subject, as U²-Net, IS-Net,
// BiRefNet and portrait matting models do. [NewPrompted] makes one of an encoder and a
// decoder that follow points and boxes, as exports of Segment Anything do. No model and no
// runtime comes with this module.
//
// A model runs in this process, and a fault in the runtime's own code is one of the
// process. A [chemigram.ProgramMasker] keeps a model in a process of its own.
package onnx
