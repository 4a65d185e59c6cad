package xmp

import (
	"errors"
	"slices"
	"strconv"
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
	// Origins tell what made the entry; none when Chemigram did not.
	Origins []Origin
	// Fault is an *[Error] of kind BadBlob when Params or Blend could not be
	// decoded and is nil here; the sidecar keeps them as they stand. darktable
	// leaves such an entry out.
	Fault error
}

// entry is an entry as the sidecar keeps it; never changed after it was made.
type entry struct {
	num        int // in the input; the place in the history counts
	operation  string
	enabled    bool
	modversion int
	params     blob
	multiName  string
	priority   int
	// blended tells whether there are blend parameters.
	blended      bool
	blendVersion int
	blend        blob
	origins      []Origin
	more         []property
}

func (e *entry) export() Entry {
	out := Entry{
		Operation: e.operation, Enabled: e.enabled, Modversion: e.modversion,
		MultiName: e.multiName, MultiPriority: e.priority,
		Origins: slices.Clone(e.origins),
	}
	out.Params, out.Fault = e.params.bytes()
	if e.blended {
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

// same tells whether the entry says what a Put of e would make it say; origins
// aside.
func (e *entry) same(p *Entry) bool {
	return e.enabled == p.Enabled && e.modversion == p.Modversion && e.params.holds(p.Params) &&
		e.blended == (p.Blend != nil) &&
		(!e.blended || e.blendVersion == p.BlendVersion && e.blend.holds(p.Blend))
}

// entry reads a history entry from an rdf:li.
func (d *document) entry(e *entry, li *node, blobs *inflater) error {
	var found entryParts
	if err := d.eachProperty(li, func(p *property) error { return d.entryProperty(e, p, &found, blobs) }); err != nil {
		return err
	}
	slices.SortFunc(e.more, compareProperties)
	if found != allEntryParts || e.operation == "" {
		return d.failf(li, BadValue, "a history entry needs operation, modversion and params")
	}
	return nil
}

// entryParts are the properties that an entry cannot be without.
type entryParts struct{ operation, modversion, params bool }

var allEntryParts = entryParts{true, true, true}

func (d *document) entryProperty(e *entry, p *property, found *entryParts, blobs *inflater) (err error) {
	if p.name == (name{OriginNamespace, "origins"}) {
		e.origins, err = d.origins(p)
		return err
	}
	if p.name.space != nsDarktable {
		e.more = append(e.more, *p)
		return nil
	}
	switch p.name.local {
	case "num":
		e.num, err = d.number(p)
	case "operation":
		found.operation = true
		e.operation, err = d.textOf(p)
	case "enabled":
		e.enabled, err = d.flag(p)
	case "modversion":
		found.modversion = true
		e.modversion, err = d.number(p)
	case "params":
		found.params = true
		e.params, err = d.blob(p, blobs)
	case "multi_name":
		e.multiName, err = d.textOf(p)
	case "multi_priority":
		e.priority, err = d.number(p)
	case "blendop_version":
		e.blended = true
		e.blendVersion, err = d.number(p)
	case "blendop_params":
		e.blended = true
		e.blend, err = d.blob(p, blobs)
	default:
		e.more = append(e.more, *p)
	}
	return err
}

func (d *document) blob(p *property, blobs *inflater) (blob, error) {
	text, err := d.textOf(p)
	if err != nil {
		return blob{}, err
	}
	b, err := blobs.decode(text)
	if e, ok := errors.AsType[*Error](err); ok {
		e.Line = d.line(p.pos)
	}
	return b, err
}

func (d *document) flag(p *property) (bool, error) {
	n, err := d.number(p)
	return n != 0, err
}

// append writes the entry's attributes; num is its place in the history.
func (e *entry) append(w *writer, num int) {
	w.attrInt("darktable:num", num)
	w.attr("darktable:operation", e.operation)
	w.attrInt("darktable:enabled", flagInt(e.enabled))
	w.attrInt("darktable:modversion", e.modversion)
	w.attrBlob("darktable:params", &e.params)
	w.attr("darktable:multi_name", e.multiName)
	w.attrInt("darktable:multi_priority", e.priority)
	if e.blended {
		w.attrInt("darktable:blendop_version", e.blendVersion)
		w.attrBlob("darktable:blendop_params", &e.blend)
	}
	if w.origins && len(e.origins) > 0 {
		w.attr("chemigram:origins", formatOrigins(e.origins))
	}
}

func flagInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func itoa(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }
