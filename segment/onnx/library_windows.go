package onnx

import "golang.org/x/sys/windows"

// loadSymbol loads a shared library and gives the address of one of its symbols.
func loadSymbol(path, name string) (uintptr, error) {
	library, err := windows.LoadLibrary(path)
	if err != nil {
		return 0, err
	}
	return windows.GetProcAddress(library, name)
}
