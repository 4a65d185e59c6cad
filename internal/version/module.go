package version

import "runtime/debug"

// OfModule is the version of a module as the Go toolchain recorded it in this program,
// such as "v0.1.0", or "(devel)".
func OfModule(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	if info.Main.Path == module && info.Main.Version != "" {
		return info.Main.Version
	}
	for _, dep := range info.Deps {
		if dep.Path == module {
			return dep.Version
		}
	}
	return "(devel)"
}
