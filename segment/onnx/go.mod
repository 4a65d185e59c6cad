module github.com/chemigram/chemigram/segment/onnx

go 1.26.0

require (
	github.com/chemigram/chemigram v0.0.0-00010101000000-000000000000
	github.com/ebitengine/purego v0.9.1
	golang.org/x/image v0.47.0
	golang.org/x/sys v0.49.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/bep/imagemeta v1.0.1 // indirect
	github.com/gofrs/flock v0.13.1 // indirect
	golang.org/x/arch v0.32.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/chemigram/chemigram => ../..
