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

// What darktable's configuration says of sidecars: none, or one beside each picture
// as soon as it is imported, which follows all that becomes of it.
const (
	noSidecars  = "write_sidecar_files=never"
	allSidecars = "write_sidecar_files=on import"
)

// coreArgs keep darktable away from the user's configuration, library and
// sidecars. They come last on its command line.
func coreArgs(tmp *scratch, conf ...string) []string {
	return append(coreArgsWith(tmp, noSidecars), confArgs(conf)...)
}

// coreArgsWith are the arguments of coreArgs with a choice of sidecars, which lie
// beside the pictures in the scratch folder.
func coreArgsWith(tmp *scratch, sidecars string) []string {
	args := []string{
		"--core",
		"--configdir", tmp.path("config"),
		"--cachedir", tmp.path("cache"),
		"--tmpdir", tmp.path(),
		"--library", ":memory:",
		"--disable-opencl",
	}
	return append(args, confArgs(append(aboutPictures(), sidecars))...)
}

// aboutPictures let darktable read what a raw says of its author, rights and title, and
// write it into pictures. darktable 5 does neither where its configuration is empty.
func aboutPictures() (conf []string) {
	for _, name := range []string{"creator", "publisher", "title", "description", "rights", "notes"} {
		conf = append(conf, "plugins/lighttable/metadata/"+name+"_flag=4") // imported, neither hidden nor private
	}
	return conf
}

func confArgs(conf []string) (args []string) {
	for _, c := range conf {
		args = append(args, "--conf", c)
	}
	return args
}
