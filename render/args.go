package render

import "strconv"

// sizeArgs ask for a longest edge of at most size pixels, 0 for all there are.
func sizeArgs(size int, highQuality bool) []string {
	n := strconv.Itoa(size)
	return []string{
		"--width", n, "--height", n,
		"--hq", strconv.FormatBool(highQuality),
		"--upscale", "false",
		"--apply-custom-presets", "false",
	}
}

// coreArgs keep darktable away from the user's configuration, library and
// sidecars. They come last on its command line.
func coreArgs(tmp *scratch, conf ...string) []string {
	args := []string{
		"--core",
		"--configdir", tmp.path("config"),
		"--cachedir", tmp.path("cache"),
		"--tmpdir", tmp.dir,
		"--library", ":memory:",
		"--disable-opencl",
		"--conf", "write_sidecar_files=never",
	}
	for _, c := range conf {
		args = append(args, "--conf", c)
	}
	return args
}
