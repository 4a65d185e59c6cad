// Iopgen makes the embedded tables of package iop from the release files in
// internal/iopgen/releases. Run it with "go generate ./xmp/iop".
//
// A new darktable release is one run of xmp/iop/introspect, whose output
// becomes a release file, one run of iopgen, and a review of the diff: a module
// whose layout did not change has no diff at all.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	in := flag.String("releases", "internal/iopgen/releases", "folder of release files")
	out := flag.String("tables", "tables", "folder of the tables to write")
	flag.Parse()
	if err := run(*in, *out); err != nil {
		fmt.Fprintln(os.Stderr, "iopgen:", err)
		os.Exit(1)
	}
}

func run(in, out string) error {
	releases, err := readAll(os.DirFS(in))
	if err != nil {
		return err
	}
	return writeAll(out, tables(releases))
}
