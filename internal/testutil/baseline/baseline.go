// Package baseline has what darktable 4.2.1 and 5.4.1 set up for a raw of the
// synthetic camera, for tests that need no darktable.
package baseline

import (
	"embed"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

//go:embed *.xmp
var packets embed.FS

// Versions are those of the darktables.
func Versions() []string { return []string{"4.2.1", "5.4.1"} }

// Packet is the XMP packet of the picture that a darktable of one of the versions
// developed. It panics when it is of no such version.
func Packet(version string) []byte {
	packet, err := packets.ReadFile("baseline-" + version + ".xmp")
	if err != nil {
		panic(err)
	}
	return packet
}

// Parse reads the packet as an ingest does.
func Parse(version string) (*xmp.Sidecar, iop.Release, error) {
	sidecar, err := xmp.Parse(Packet(version))
	if err != nil {
		return nil, iop.Release{}, err
	}
	release, err := iop.ReleaseFor(version)
	if err != nil {
		return nil, iop.Release{}, err
	}
	sidecar, err = sidecar.Compact(release)
	return sidecar, release, err
}
