// Package mask knows darktable's blend parameters as bytes and as values.
//
// Every history entry carries blend parameters: how strongly and in which mode
// the module's result is mixed with its input, and where. A module that is
// neither blended nor masked has those of DefaultBlend.
package mask
