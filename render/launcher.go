package render

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/chemigram/chemigram/render/internal/locate"
)

// A launcher starts darktable-cli.
type launcher struct {
	system  locate.System
	command locate.Command
}

// argv is the command line for args. Of the host's files, a sandbox may read
// the files or folders of reads and write to the folder of writes.
func (l launcher) argv(args, reads []string, writes string) []string {
	command := l.command.Argv
	if l.command.Sandbox != locate.Flatpak {
		return slices.Concat(command, args)
	}
	grants := []string{"--filesystem=" + writes}
	for _, r := range reads {
		grants = append(grants, "--filesystem="+r+":ro")
	}
	i := slices.Index(command, "run") + 1
	return slices.Concat(command[:i], grants, command[i:], args)
}

// sees reports whether darktable can be let see a file or a folder. What it does not
// see is copied into its scratch folder.
func (l launcher) sees(path string) bool {
	at, err := realPath(path)
	return err != nil || l.system.Sees(l.command, at)
}

// findLauncher finds darktable-cli: at the path that was asked for, else where the
// environment says, else on PATH, else in the usual places. A program that was named
// is never replaced by another one.
func findLauncher(s locate.System, path, env string) (launcher, error) {
	source, value := "the path that was set", path
	if path == "" {
		source, value = "the environment variable DARKTABLE_CLI", env
	}
	if value != "" {
		command, ok := s.Named(value)
		if !ok {
			return launcher{}, missingError(source + " names " + value + ", which is not a program that can be run; it should be the path of darktable-cli")
		}
		return launcher{s, command}, nil
	}
	command, ok := s.Find()
	if !ok {
		return launcher{}, missingError("darktable-cli was found neither on PATH nor in the usual places; " + s.Advice(runtime.GOARCH))
	}
	return launcher{s, command}, nil
}

func missingError(message string) error {
	return newError("find", Missing, "", message, nil)
}

// hostSystem is the system that this program runs on.
func hostSystem() locate.System {
	home, _ := os.UserHomeDir()
	return locate.System{GOOS: runtime.GOOS, Home: home, Getenv: os.Getenv, Program: programPath, Exists: exists, Names: namesIn, Target: target}
}

func programPath(name string) string {
	path, err := exec.LookPath(name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return ""
	}
	return path
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func namesIn(dir string) (names []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func target(path string) string {
	if at, err := filepath.EvalSymlinks(path); err == nil {
		return at
	}
	return path
}
