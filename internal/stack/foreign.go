package stack

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// cameraRaw is the namespace of Lightroom's and Camera Raw's settings.
const cameraRaw = "http://ns.adobe.com/camera-raw-settings/1.0/"

// ReadForeign reads a sidecar that darktable wrote, from the content of a file. It refuses
// those of other programs, styles, those without a history, and formats that are not
// known.
func ReadForeign(path string, data []byte) (*xmp.Sidecar, error) {
	sidecar, err := xmp.Parse(data)
	if err == nil {
		if format, said := sidecar.FormatVersion(); said && format > xmp.NewestFormat {
			return nil, fault.New(fault.NotImplemented, "%s is in format %d (xmp_version) of a newer darktable; formats up to %d are known: write it with darktable 5.4 or older",
				path, format, xmp.NewestFormat).With("capability", fmt.Sprintf("xmp_version %d", format)).With("requires", "a newer chemigram")
		}
		if sidecar.HistoryEnd() > 0 || IsOld(sidecar) {
			return sidecar, nil
		}
	}
	text := bytes.ReplaceAll(data, []byte{0}, nil) // what UTF-16 says, in which no sidecar is read
	switch {
	case bytes.Contains(text, []byte(cameraRaw)):
		return nil, fault.Invalid("/path", "%s is a sidecar of Lightroom or Camera Raw: darktable takes over crop, exposure, tone curve and a few more of its settings "+
			"when it imports the raw with this file beside it; export a sidecar from there", path)
	case err != nil && isStyle(data):
		return nil, fault.Invalid("/path", "%s is a style of darktable (.dtstyle), no sidecar of a picture: make it an entry of a pack (go run ./examples/prove -capture, see docs/authoring.md), which bind_layers puts on any picture; "+
			"or put it on this picture in darktable, and import the sidecar", path)
	case err != nil && !bytes.Contains(text, []byte(xmp.Namespace)): // another file, whose content is not told
		return nil, fault.Invalid("/path", "%s is not a sidecar of darktable", path)
	case err != nil:
		return nil, fault.Invalid("/path", "%s is not a sidecar of darktable: %v", path, err)
	}
	return nil, fault.Invalid("/path", "%s has no history stack: darktable has not edited this picture", path)
}

// isStyle reports whether a file is a style.
func isStyle(data []byte) bool {
	_, err := xmp.ParseStyle(data)
	return err == nil
}

// IsOld reports whether darktable 1 or 2 wrote a sidecar: without a pipeline order, and
// with drawn forms in another form.
func IsOld(sidecar *xmp.Sidecar) bool {
	format, said := sidecar.FormatVersion()
	return said && format < 3
}

// OldFormat is the fault for a sidecar that is old, where there is no darktable to write
// it anew.
func OldFormat(path string, sidecar *xmp.Sidecar) error {
	format, _ := sidecar.FormatVersion()
	return fault.Invalid("/path", "%s is in format %d (xmp_version) of darktable 1 or 2: open the picture in darktable 3.0 or newer, which writes it anew", path, format)
}

// ReadRewritten reads what a darktable wrote that had read an old sidecar, and gives the
// modules that it did not take over.
func ReadRewritten(old *xmp.Sidecar, data []byte) (sidecar *xmp.Sidecar, lost []string, err error) {
	if sidecar, err = xmp.Parse(data); err != nil {
		return nil, nil, err
	}
	written := sidecar.History()
	for _, entry := range old.History() {
		if !slices.Contains(lost, entry.Operation) && !slices.ContainsFunc(written, func(e xmp.Entry) bool { return e.Operation == entry.Operation }) {
			lost = append(lost, entry.Operation)
		}
	}
	return sidecar, lost, nil
}

// Importable gives a sidecar as a darktable reads it. One with modules that this darktable
// cannot develop, as [Readable] tells, is refused, or comes without them when partial is
// set: warning says of each why, and of those whose masks these make. The modules that it
// lost when it was written anew count among these. A sidecar of which nothing is left is
// refused all the same.
func Importable(sidecar *xmp.Sidecar, release iop.Release, partial bool, lost []string) (readable *xmp.Sidecar, warning string, err error) {
	if len(lost) > 0 && !partial {
		all := strings.Join(lost, ", ")
		return nil, "", fault.New(fault.NotImplemented, "darktable %s took over the sidecar without %s: open the picture in the darktable that wrote it, and write it anew there; "+
			"partial imports the rest", release.Version(), all).With("capability", all)
	}
	var words []string
	for _, module := range lost {
		words = append(words, fmt.Sprintf("%s: darktable %s does not take it over", module, release.Version()))
	}
	readable, err = Readable(sidecar, release)
	if err == nil {
		return readable, leftOut(words), nil
	}
	compact, failed := sidecar.Compact(release)
	if failed != nil {
		return nil, "", err
	}
	gone, left := unreadable(compact, release)
	if len(gone) == 0 || left == 0 {
		return nil, "", err
	}
	if !partial {
		return nil, "", withRemedy(err, gone)
	}
	edits := make([]xmp.Edit, len(gone))
	for i, g := range gone {
		edits[i] = xmp.RemoveNumber{Operation: g.entry.Operation, MultiPriority: g.entry.MultiPriority}
		words = append(words, g.name()+": "+g.why)
	}
	if compact, err = compact.With(release, edits...); err != nil {
		return nil, "", err
	}
	readable, err = Readable(compact, release)
	return readable, leftOut(words), err
}

// leftOut is the warning that some modules are left out; "" when none are.
func leftOut(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "left out, " + strings.Join(words, "; ")
}

// An unreadableEntry is an instance of a module that a darktable cannot develop.
type unreadableEntry struct {
	entry xmp.Entry
	why   string
}

func (u unreadableEntry) name() string {
	if u.entry.MultiName == "" || u.entry.MultiPriority == 0 {
		return u.entry.Operation
	}
	return u.entry.Operation + ":" + u.entry.MultiName
}

// unreadable gives the instances of a compact sidecar that a darktable cannot develop,
// and how many others are in use.
func unreadable(sidecar *xmp.Sidecar, release iop.Release) (gone []unreadableEntry, left int) {
	entries := sidecar.History()
	for i := 0; i < len(entries); {
		why := whyUnreadable(sidecar, entries[i], release, gone)
		if why == "" {
			i++
			continue
		}
		gone = append(gone, unreadableEntry{entries[i], why})
		entries, i = slices.Delete(entries, i, i+1), 0 // the masks of earlier ones may be its
	}
	for _, entry := range entries {
		if entry.Enabled {
			left++
		}
	}
	return gone, left
}

// whyUnreadable says why a darktable cannot develop an entry, when others are gone; ""
// when it can.
func whyUnreadable(sidecar *xmp.Sidecar, entry xmp.Entry, release iop.Release, gone []unreadableEntry) string {
	if err := checkEntry(sidecar, entry, release); err != nil {
		return err.Error()
	}
	if !entry.Enabled {
		return ""
	}
	if err, ok := errors.AsType[*iop.Error](iop.CheckFiles(entry.Operation, entry.Modversion, entry.Params)); ok {
		return err.Message
	}
	if _, _, err := mask.ConvertBlend(entry.BlendVersion, entry.Blend, release.ReadsBlend()); entry.Blend != nil && entry.BlendVersion > release.ReadsBlend() && err != nil {
		return unsupportedBlend(release, err).Error()
	}
	blend, err := mask.DecodeBlend(entry.BlendVersion, entry.Blend)
	if err != nil || blend.MaskMode&mask.Raster == 0 {
		return ""
	}
	source, _, _ := bytes.Cut(blend.RasterSource[:], []byte{0})
	for _, g := range gone {
		if g.entry.Operation == string(source) && g.entry.MultiPriority == int(blend.RasterInstance) {
			return fmt.Sprintf("its mask is the one of %s, which is left out", g.name())
		}
	}
	return ""
}

// withRemedy adds to a refusal what else would be left out, and how to import the rest.
func withRemedy(err error, gone []unreadableEntry) error {
	names := make([]string, len(gone))
	for i, g := range gone {
		names[i] = g.name()
	}
	remedy := "; partial imports the rest, without " + strings.Join(names, ", ")
	if f, ok := errors.AsType[*fault.Error](err); ok {
		said := *f
		said.Message += remedy
		return &said
	}
	if e, ok := errors.AsType[*xmp.Error](err); ok {
		said := *e
		said.Message += remedy
		return &said
	}
	return err
}
