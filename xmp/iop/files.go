package iop

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// fileFields are the texts with which a module names a file that darktable opens when
// it develops. It looks for the name below a folder of its own, and follows a path out
// of it. (The names of colour profiles are not among them: darktable compares these
// with the profiles that it has.)
var fileFields = map[string][]string{
	"lut3d":      {"filepath"},
	"overlay":    {"filename"},
	"rasterfile": {"path", "file"},
	"watermark":  {"filename"},
}

// pictureFields name a picture by its number in darktable's library.
var pictureFields = map[string]string{"overlay": "imgid"}

// FileModules are the modules that have fields with which they name files, by name.
func FileModules() []string { return slices.Sorted(maps.Keys(fileFields)) }

// CheckFiles makes sure that a module's parameters name no file by its path, and no
// picture of a library: an edit comes from anybody, and may not say what is read on the
// machine that develops it. Otherwise it fails with an *Error of kind NamesPath, and
// also where the parameters are of a layout that is not known.
func CheckFiles(operation string, modversion int, blob []byte) error {
	fields := fileFields[operation]
	if fields == nil {
		return nil
	}
	p, err := Decode(operation, modversion, blob)
	if err != nil {
		return &Error{
			Kind: NamesPath, Operation: operation, Modversion: modversion,
			Message: "its parameters are of a layout that is not known, so that nobody can say which file they name: open the edit in a newer darktable, which writes them anew",
		}
	}
	for _, field := range fields {
		if v, err := p.Get(field); err == nil && isPath(v.text) {
			return p.locate(namesFile(v.text), field)
		}
	}
	if field, ok := pictureFields[operation]; ok {
		if v, err := p.Get(field); err == nil && int64(v.bits) > 0 {
			e := &Error{Kind: NamesPath, Value: v.String(), Message: "is " + v.String() + ", a picture of another library: want 0"}
			return p.locate(e, field)
		}
	}
	return nil
}

// checkFile is [CheckFiles] for a value that is to be set.
func (p Params) checkFile(field string, v Value) *Error {
	if slices.Contains(fileFields[p.Operation()], field) && v.kind == textValue && isPath(v.text) {
		return namesFile(v.text)
	}
	return nil
}

func namesFile(name string) *Error {
	return &Error{
		Kind: NamesPath, Value: name,
		Message: fmt.Sprintf("cannot be %q, which is a path: want the name alone of a file in darktable's own folder", name),
	}
}

// isPath reports whether a name may lead out of the folder in which it is looked up, on
// any system.
func isPath(name string) bool {
	drive := len(name) > 1 && name[1] == ':'
	return name == ".." || drive || strings.ContainsAny(name, `/\`) || filepath.VolumeName(name) != ""
}
