package xmp

import (
	"errors"
	"slices"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
)

// Entry is one entry of the history stack: the settings of one module instance
// from that point of the stack on.
type Entry struct {
	Operation  string
	Enabled    bool
	Modversion int
	// Params are the module's parameters, decoded; shared, not to be written to.
	Params []byte
	// MultiName is the instance's name. The base instance can have one, too:
	// darktable names it after the preset that was applied.
	MultiName string
	// MultiPriority is the instance's number; the base instance has 0.
	MultiPriority int
	BlendVersion  int
	// Blend are the blend parameters, decoded; shared, not to be written to.
	// They are nil in an entry without.
	Blend []byte
	// Origins say what made the entry; there are none when Chemigram did not.
	Origins []Origin
	// Fault is an *[Error] of kind BadBlob when Params or Blend could not be
	// decoded and is nil here; the sidecar keeps them as they stand. darktable
	// leaves such an entry out.
	Fault error
}

// entry is an entry as the sidecar keeps it; never changed after it was made.
type entry struct {
	num          int // in the input; the place in the history counts
	operation    string
	enabled      bool
	modversion   int
	params       blob
	multiName    string
	priority     int
	hasBlend     bool
	blendVersion int
	blend        blob
	origins      []Origin
	more         rdf.Properties // that are not known
}

func (e *entry) export() Entry {
	out := Entry{
		Operation: e.operation, Enabled: e.enabled, Modversion: e.modversion,
		MultiName: e.multiName, MultiPriority: e.priority,
		Origins: slices.Clone(e.origins),
	}
	out.Params, out.Fault = e.params.bytes()
	if e.hasBlend {
		var err error
		out.BlendVersion = e.blendVersion
		if out.Blend, err = e.blend.bytes(); err != nil && out.Fault == nil {
			out.Fault = err
		}
		if out.Blend == nil && err == nil {
			out.Blend = []byte{}
		}
	}
	return out
}

// equals reports whether a Put of p would leave the entry as it is; origins do not
// count.
func (e *entry) equals(p *Entry) bool {
	return e.enabled == p.Enabled && e.modversion == p.Modversion && e.params.equals(p.Params) &&
		e.hasBlend == (p.Blend != nil) &&
		(!e.hasBlend || e.blendVersion == p.BlendVersion && e.blend.equals(p.Blend))
}

// readEntry reads a history entry from an rdf:li.
func (r *reader) readEntry(e *entry, li *rdf.Node) error {
	var found entryParts
	if err := r.EachProperty(li, func(p *rdf.Property) error { return r.readEntryProperty(e, p, &found) }); err != nil {
		return err
	}
	e.more.Sort()
	if found != allEntryParts || e.operation == "" {
		return r.Errorf(li.Pos, BadValue, "a history entry needs operation, modversion and params")
	}
	return nil
}

// entryParts are the properties that an entry cannot be without.
type entryParts struct{ operation, modversion, params bool }

var allEntryParts = entryParts{true, true, true}

func (r *reader) readEntryProperty(e *entry, p *rdf.Property, found *entryParts) (err error) {
	if p.Name == nameOrigins {
		e.origins, err = r.readOrigins(p)
		return err
	}
	if p.Name.Space != Namespace {
		e.more = append(e.more, *p)
		return nil
	}
	switch p.Name.Local {
	case "num":
		e.num, err = r.Int(p)
	case "operation":
		found.operation = true
		e.operation, err = r.PlainText(p)
	case "enabled":
		e.enabled, err = r.readFlag(p)
	case "modversion":
		found.modversion = true
		e.modversion, err = r.Int(p)
	case "params":
		found.params = true
		e.params, err = r.readBlob(p)
	case "multi_name":
		e.multiName, err = r.PlainText(p)
	case "multi_priority":
		e.priority, err = r.Int(p)
	case "blendop_version":
		e.hasBlend = true
		e.blendVersion, err = r.Int(p)
	case "blendop_params":
		e.hasBlend = true
		e.blend, err = r.readBlob(p)
	default:
		e.more = append(e.more, *p)
	}
	return err
}

func (r *reader) readBlob(p *rdf.Property) (blob, error) {
	text, err := r.PlainText(p)
	if err != nil {
		return blob{}, err
	}
	b, err := r.blobs.decode(text)
	if e, ok := errors.AsType[*Error](err); ok {
		e.Line = r.Line(p.Pos)
	}
	return b, err
}

func (r *reader) readFlag(p *rdf.Property) (bool, error) {
	n, err := r.Int(p)
	return n != 0, err
}

// write writes the entry's attributes; num is its place in the history.
func (e *entry) write(w *writer, num int) {
	w.AttrInt("darktable:num", num)
	w.Attr("darktable:operation", e.operation)
	w.AttrInt("darktable:enabled", flagInt(e.enabled))
	w.AttrInt("darktable:modversion", e.modversion)
	w.attrBlob("darktable:params", &e.params)
	w.Attr("darktable:multi_name", e.multiName)
	w.AttrInt("darktable:multi_priority", e.priority)
	if e.hasBlend {
		w.AttrInt("darktable:blendop_version", e.blendVersion)
		w.attrBlob("darktable:blendop_params", &e.blend)
	}
	if w.origins && len(e.origins) > 0 {
		w.Attr("chemigram:origins", formatOrigins(e.origins))
	}
}

func flagInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
