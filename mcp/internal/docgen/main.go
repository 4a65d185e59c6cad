// Docgen writes docs.json: the doc comments of the engine's verbs and of the fields of
// their parameters and results, rewritten for agents, with the names of tools in place
// of Go names and with each paragraph on one line.
//
//	docgen -o docs.json FOLDER
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("o", "docs.json", "file to write")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	data, err := generate(flag.Arg(0))
	if err == nil {
		err = os.WriteFile(*out, data, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}
