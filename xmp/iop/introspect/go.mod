module github.com/chemigram/chemigram/xmp/iop/introspect

go 1.26.0

require github.com/chemigram/chemigram v0.0.0

require (
	github.com/ebitengine/purego v0.11.3
	github.com/google/go-cmp v0.7.0
)

replace github.com/chemigram/chemigram => ../../..
