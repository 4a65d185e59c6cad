package chemigram

import (
	"slices"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/render"
)

// Metadata is what an exported file tells beside its pixels: keep is all that
// darktable writes; strip_location takes out positions, names of places and
// the camera maker's note; strip_all takes out EXIF, IPTC and XMP, and with
// them the history and the state's hash. The colour profile always stays.
// jpeg, png, tiff and webp have all three, other formats only keep.
type Metadata string

// of refuses a policy that a format does not have.
func (m Metadata) of(format Format) error {
	if m == Metadata(render.KeepMetadata) || slices.Contains(render.MetadataFormats(), string(format)) {
		return nil
	}
	return fault.New(fault.NotImplemented, "metadata %s is not there for %s; it is for %s", m, format, join(render.MetadataFormats())).
		With("capability", string(m)).With("requires", "one of the formats "+join(render.MetadataFormats()))
}
