package onnx_test

import (
	"context"
	"log"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/segment/onnx"
)

// An engine whose subject is found by U²-Net, and whose points by Segment Anything.
func Example() {
	runtime, err := onnx.Open("")
	if err != nil {
		log.Fatal(err)
	}
	var models []*onnx.Model
	for _, path := range []string{"u2net.onnx", "sam_encoder.onnx", "sam_decoder.onnx"} {
		model, err := runtime.Load(path, 2)
		if err != nil {
			log.Fatal(err)
		}
		defer model.Close()
		models = append(models, model)
	}
	subject, err := onnx.NewSaliency(models[0], onnx.SaliencyOptions{Name: "u2net"})
	if err != nil {
		log.Fatal(err)
	}
	points, err := onnx.NewPrompted(models[1], models[2], onnx.PromptedOptions{Name: "sam"})
	if err != nil {
		log.Fatal(err)
	}
	engine, err := chemigram.Open(context.Background(), &chemigram.Options{
		Workspace: "photos", Maskers: []chemigram.Masker{subject, points},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = engine.Close() }()
}
