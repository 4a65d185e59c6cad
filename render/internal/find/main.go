// Command find says which darktable an engine finds here, Flatpaks and AppImages among
// them, for scripts.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/chemigram/chemigram/render"
)

func main() {
	d, err := render.Find(context.Background(), nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("darktable %s: %s\n", d.Version(), d.Path())
}
