module github.com/chemigram/chemigram/tools

go 1.26.0

tool (
	github.com/evanw/esbuild/cmd/esbuild
	mvdan.cc/gofumpt
)

require (
	github.com/evanw/esbuild v0.28.2 // indirect
	golang.org/x/mod v0.40.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/tools v0.49.0 // indirect
	mvdan.cc/gofumpt v0.12.0 // indirect
)
