//go:build !windows

package onnx

import "github.com/ebitengine/purego"

// loadSymbol loads a shared library and gives the address of one of its symbols.
func loadSymbol(path, name string) (uintptr, error) {
	library, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return 0, err
	}
	return purego.Dlsym(library, name)
}
