package render

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/filestamp"
	"github.com/chemigram/chemigram/render/internal/locate"
)

const (
	// maxScript bounds what is read of a script that starts darktable.
	maxScript = 64 << 10
	// maxPrograms bounds the programs that scripts lead to, and maxInstalled the
	// files that belong to them.
	maxPrograms  = 64
	maxInstalled = 4096
)

// An installedFile is a file of an installation, and what it is called in it.
type installedFile struct{ name, path string }

// A scriptName is a path that a script has: absolute, or with a variable in front,
// which is taken for the script's folder or one in it.
type scriptName struct {
	path     string
	relative bool
}

// programs are the programs that a command starts: darktable itself, or those that
// start it.
func (l launcher) programs() []string {
	if l.command.Sandbox == locate.Flatpak {
		return l.flatpakPrograms()
	}
	command := l.command.Argv
	found := command[:1:1]
	for _, word := range command[1:] {
		if p, err := exec.LookPath(word); err == nil && filepath.IsAbs(p) && !locate.IsAppImage(command[0]) {
			found = append(found, p)
		}
	}
	if name, ok := locate.SnapName(command[0]); ok {
		found = append(found, filepath.Join("/snap", name, "current/usr/bin/darktable-cli"))
	}
	return found
}

// flatpakPrograms are the darktables that Flatpak has installed, of which it runs
// the current one.
func (l launcher) flatpakPrograms() (found []string) {
	for _, root := range l.system.FlatpakRoots() {
		found = append(found, filepath.Join(root, "app", locate.FlatpakID, "current/active/files/bin/darktable-cli"))
	}
	return found
}

// filesOf gives the files of programs and what belongs to them, in a fixed order.
// The caller holds the lock.
func (r *fileReader) filesOf(programs []string) (files []installedFile) {
	programs = slices.Clone(programs)
	seen := map[string]bool{}
	for i := 0; i < len(programs) && i < maxPrograms; i++ {
		path, err := filepath.EvalSymlinks(programs[i])
		if err != nil || seen[path] {
			continue
		}
		seen[path] = true
		files = append(files, installedFile{filepath.Base(path), path})
		program := r.read(path)
		for _, name := range program.names {
			programs = append(programs, name.find(filepath.Dir(path))...)
		}
		if !strings.Contains(strings.ToLower(filepath.Base(path)), "darktable") {
			continue
		}
		for _, folder := range r.foldersOf(path, program.stamp) {
			if !seen[folder] {
				seen[folder] = true
				files = appendInstalled(files, folder)
			}
		}
	}
	for _, folder := range updatedLenses() {
		files = appendInstalled(files, folder)
	}
	return files
}

// updatedLenses are where lensfun's own updates of its lenses go: for all users, and
// for one.
func updatedLenses() []string {
	folders := []string{"/var/lib/lensfun-updates"}
	if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, filepath.Join(cmp.Or(os.Getenv("XDG_DATA_HOME"), filepath.Join(home, ".local", "share")), "lensfun"))
	}
	return folders
}

// foldersOf gives what belongs to a program, and looks for it again when the
// program has changed.
func (r *fileReader) foldersOf(program string, stamp filestamp.Stamp) []string {
	if k, ok := r.folders[program]; ok && k.stamp == stamp {
		return k.paths
	}
	k := knownFolders{stamp: stamp, paths: findFolders(program)}
	r.folders[program] = k
	return k.paths
}

// belongings are where darktable's libraries, modules and data lie, and lensfun's
// lenses, from the folder above that of its program or from its own: on Linux, on
// Windows and in an app of macOS. Of the data, these change pixels.
var belongings = []string{
	"lib*/darktable", "lib*/*/darktable", "lib*/libdarktable*", "lib*/*/libdarktable*", "bin/libdarktable*",
	"share/darktable/*.json", "share/darktable/darktablerc", "share/darktable/rawspeed", "share/darktable/kernels", "share/darktable/watermarks",
	"share/lensfun", "Resources/share/lensfun", "Resources/lib/darktable",
	"Resources/share/darktable/*.json", "Resources/share/darktable/rawspeed", "Resources/share/darktable/kernels", "Resources/share/darktable/watermarks",
}

// findFolders finds the files and folders that belong to a program.
func findFolders(program string) (found []string) {
	beside := filepath.Dir(program)
	for _, dir := range []string{filepath.Dir(beside), beside} {
		for _, pattern := range belongings {
			// Not filepath.Glob: the folder's own name may hold what is special in a
			// pattern. What cannot be listed is left out.
			paths, _ := fs.Glob(os.DirFS(dir), pattern)
			for _, p := range paths {
				found = append(found, filepath.Join(dir, filepath.FromSlash(p)))
			}
		}
	}
	return found
}

// appendInstalled adds a file, or the files below a folder.
func appendInstalled(files []installedFile, top string) []installedFile {
	folder, err := filepath.EvalSymlinks(top)
	if err != nil {
		return files
	}
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil //nolint:nilerr // what cannot be listed is left out
		}
		if len(files) >= maxInstalled {
			return filepath.SkipAll
		}
		rel, err := filepath.Rel(folder, path)
		files = append(files, installedFile{filepath.Join(filepath.Base(top), rel), path})
		return err
	})
	return files
}

// pathInScript matches a path in a script, with the variable or the command's output
// in front of it.
var pathInScript = regexp.MustCompile(`((?:\$\{[^}]*\}|\$\w+|\)|\.)"?)?((?:/[\w.+-]+)+)`)

// namesInScript gives the paths in a script, but for that of its interpreter.
func namesInScript(script []byte) (names []scriptName) {
	_, body, _ := bytes.Cut(script, []byte("\n"))
	for _, m := range pathInScript.FindAllSubmatch(body, maxPrograms) {
		name := scriptName{path: string(m[2]), relative: len(m[1]) > 0}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// find gives the programs that a script in a folder means by a name.
func (n scriptName) find(dir string) (programs []string) {
	candidates := []string{n.path}
	if n.relative {
		candidates = []string{filepath.Join(dir, n.path)}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil
		}
		for _, e := range entries[:min(len(entries), maxPrograms)] {
			if e.IsDir() {
				candidates = append(candidates, filepath.Join(dir, e.Name(), n.path))
			}
		}
	}
	for _, path := range candidates {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			programs = append(programs, path)
		}
	}
	return programs
}
