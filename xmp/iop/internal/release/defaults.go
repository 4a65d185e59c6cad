package release

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Default is a leaf's default where it is not the field's own: what a module's
// code sets up before it has seen a picture, such as the nodes of a curve.
type Default struct {
	Name  string
	Value any // json.Number, bool or string
}

// MarshalJSON returns [name, value].
func (d Default) MarshalJSON() ([]byte, error) { return json.Marshal([]any{d.Name, d.Value}) }

// UnmarshalJSON reads [name, value].
func (d *Default) UnmarshalJSON(data []byte) error {
	r := json.NewDecoder(strings.NewReader(string(data)))
	r.UseNumber()
	return r.Decode(&[]any{&d.Name, &d.Value})
}

// Preset lists the leaves of params that are not their fields' defaults.
func Preset(fields []Field, params []byte) (out []Default) {
	for _, f := range fields {
		out = f.preset(out, params, f.Name, 0)
	}
	return out
}

// preset looks at one field, which lies shift bytes after its offset.
func (f Field) preset(out []Default, params []byte, name string, shift int) []Default {
	b := params[f.Offset+shift:]
	var now any
	switch f.Type {
	case "array":
		if f.Elem.Type == "char" {
			text, _, _ := strings.Cut(string(b[:f.Count]), "\x00")
			if text != "" {
				out = append(out, Default{name, text})
			}
			return out
		}
		for i := range f.Count {
			out = f.Elem.preset(out, params, name+"["+strconv.Itoa(i)+"]", shift+i*f.Elem.Size)
		}
		return out
	case "struct":
		for _, m := range f.Fields {
			out = m.preset(out, params, name+"."+m.Name, shift)
		}
		return out
	case "float":
		now = json.Number(strconv.FormatFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))), 'g', -1, 32))
	case "int", "enum":
		now = json.Number(strconv.Itoa(int(int32(binary.LittleEndian.Uint32(b)))))
	case "uint":
		now = json.Number(strconv.Itoa(int(binary.LittleEndian.Uint32(b))))
	case "ushort":
		now = json.Number(strconv.Itoa(int(binary.LittleEndian.Uint16(b))))
	case "int8":
		now = json.Number(strconv.Itoa(int(int8(b[0]))))
	case "bool":
		now = binary.LittleEndian.Uint32(b) != 0
	default:
		return out
	}
	if now != f.Default {
		out = append(out, Default{name, now})
	}
	return out
}
