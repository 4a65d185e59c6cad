package transcript

import (
	"maps"
	"slices"
	"strings"
)

// Copy is an image on which the calls of another one are repeated.
type Copy struct {
	ImageID   string
	Snapshots map[string]string // of the image to those of the copy, which hold another time
	Refs      []string          // that the copy has, which go before hashes
}

// Params gives the parameters of a call with the copy's id and its own snapshots'
// hashes, and as its reason that it is a replay.
func (c Copy) Params(params map[string]any) map[string]any {
	out := maps.Clone(params)
	delete(out, "confirm")
	if _, given := out["reason"]; given {
		out["reason"] = "replay"
	}
	for name, value := range out {
		text, ok := value.(string)
		if name == "image_id" {
			out[name] = c.ImageID
		} else if ok && slices.Contains(refParams, name) {
			out[name] = c.snapshot(text)
		}
	}
	return out
}

// refParams are the parameters that may name a snapshot. All others, such as labels
// and names, stay as they are, whatever they look like.
var refParams = []string{"ref_or_hash", "hash", "event", "from"}

// fewestDigits is how many digits of a hash name a snapshot.
const fewestDigits = 8

// snapshot is what a ref or hash is called on the copy.
func (c Copy) snapshot(ref string) string {
	hash, _, _ := strings.Cut(ref, "~")
	if len(hash) < fewestDigits || slices.Contains(c.Refs, hash) {
		return ref
	}
	for then, now := range c.Snapshots {
		if strings.HasPrefix(then, hash) {
			return now + strings.TrimPrefix(ref, hash)
		}
	}
	return ref
}
