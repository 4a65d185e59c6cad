// Package geotag plants a position and the names of places in every corner of a
// raw's metadata, and finds them again in what was made of it.
package geotag

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf16"
)

// The position and the place that are planted. Nothing else in a picture is
// likely to have these digits.
const (
	Latitude  = "48.858844"
	Longitude = "2.294351"
	Place     = "Sentinelville"
)

// Kept are texts beside them that no one can find a place by.
var Kept = []string{"Ansel Keeper", "Copyright Keeper 2026", "A kept title", "keptword"}

var order = binary.LittleEndian

// tail is bytes that are written behind a raw, each part at an even offset.
type tail struct{ raw []byte }

func (t *tail) add(data []byte) uint32 {
	t.raw = append(t.raw, make([]byte, len(t.raw)&1)...)
	at := len(t.raw)
	t.raw = append(t.raw, data...)
	return uint32(at)
}

// An entry is one of a TIFF's directory.
type entry struct {
	tag, kind uint16
	data      []byte
}

var sizes = map[uint16]int{1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8, 12: 8}

func (t *tail) directory(entries []entry, old [][]byte) uint32 {
	lines := slices.Clone(old)
	for _, e := range entries {
		b := order.AppendUint16(order.AppendUint16(nil, e.tag), e.kind)
		b = order.AppendUint32(b, uint32(len(e.data)/sizes[e.kind]))
		if len(e.data) <= 4 {
			b = append(append(b, e.data...), make([]byte, 4-len(e.data))...)
		} else {
			b = order.AppendUint32(b, t.add(e.data))
		}
		lines = append(lines, b)
	}
	slices.SortStableFunc(lines, func(a, b []byte) int { return int(order.Uint16(a)) - int(order.Uint16(b)) })
	out := append(order.AppendUint16(nil, uint16(len(lines))), bytes.Join(lines, nil)...)
	return t.add(append(out, 0, 0, 0, 0))
}

func text(s string) []byte { return append([]byte(s), 0) }

func wide(s string) (b []byte) {
	for _, c := range append(utf16.Encode([]rune(s)), 0) {
		b = order.AppendUint16(b, c)
	}
	return b
}

func rationals(pairs ...uint32) (b []byte) {
	for _, n := range pairs {
		b = order.AppendUint32(b, n)
	}
	return b
}

func long(n uint32) []byte { return order.AppendUint32(nil, n) }

// Plant gives a raw, a little-endian TIFF, the position and the place in EXIF,
// XMP and IPTC, and beside them what [Kept] has.
func Plant(raw []byte) ([]byte, error) {
	if len(raw) < 8 || string(raw[:4]) != "II*\x00" {
		return nil, errors.New("geotag: the raw is no little-endian TIFF")
	}
	t := &tail{bytes.Clone(raw)}
	lines := func(at uint32) (all [][]byte) {
		if at == 0 {
			return nil
		}
		n := int(order.Uint16(raw[at:]))
		return slices.Collect(slices.Chunk(bytes.Clone(raw[at+2:int(at)+2+12*n]), 12))
	}
	first := lines(order.Uint32(raw[4:]))
	exif := lines(value(first, 0x8769))
	packet := []byte(Packet())
	iptc := IPTC()
	replaced := []uint16{0x8769, 270, 315, 0x8298}
	first = slices.DeleteFunc(first, func(e []byte) bool { return slices.Contains(replaced, order.Uint16(e)) })
	exifAt := t.directory([]entry{
		{0x927c, 7, append([]byte("MakerNote "+Latitude+" "+Longitude+" "+Place), Binary()...)},
		{0x9286, 7, append([]byte("ASCII\x00\x00\x00"), Latitude+" "+Longitude+" "+Place...)},
		{0xa004, 2, text(Latitude + ".wav")},
		{0xa420, 2, text(Latitude)},
	}, exif)
	gps := t.directory(gpsEntries(), nil)
	at := t.directory([]entry{
		{270, 2, text("A kept title")},
		{315, 2, text("Ansel Keeper")},
		{0x8298, 2, text("Copyright Keeper 2026")},
		{316, 2, text("host " + Latitude)},
		{700, 1, packet},
		{33723, 7, iptc},
		{34377, 7, Resources()},
		{0x9c9b, 1, wide(Place + " " + Latitude)},
		{0x9c9c, 1, wide(Latitude)},
		{0x9c9e, 1, wide(Place)},
		{0x9c9f, 1, wide(Longitude)},
		{0xc634, 1, append([]byte("Adobe\x00MakN"), Binary()...)}, // DNGPrivateData
		{0xc68b, 1, text(Latitude + ".dng")},                      // OriginalRawFileName
		{0x8769, 4, long(exifAt)},
		{0x8825, 4, long(gps)},
	}, first)
	order.PutUint32(t.raw[4:], at)
	return t.raw, nil
}

// EXIF is a TIFF without a picture that has the same as a raw of [Plant].
func EXIF() []byte {
	blob := &tail{[]byte("II*\x00\x00\x00\x00\x00")}
	at := blob.directory([]entry{{271, 2, text("Make")}, {0x0112, 3, []byte{6, 0}}}, nil)
	order.PutUint32(blob.raw[4:], at)
	planted, err := Plant(blob.raw)
	if err != nil {
		panic(err)
	}
	return planted
}

func value(lines [][]byte, tag uint16) uint32 {
	for _, e := range lines {
		if order.Uint16(e) == tag {
			return order.Uint32(e[8:])
		}
	}
	return 0
}

func gpsEntries() []entry {
	return []entry{
		{0, 1, []byte{2, 3, 0, 0}},
		{1, 2, text("N")},
		{2, 5, rationals(48, 1, 51, 1, 318384, 10000)},
		{3, 2, text("E")},
		{4, 5, rationals(2, 1, 17, 1, 396636, 10000)},
		{5, 1, []byte{0}},
		{6, 5, rationals(35858, 1000)},
		{18, 2, text("WGS-84")},
		{27, 7, append([]byte("ASCII\x00\x00\x00"), Place...)},
		{28, 7, append([]byte("ASCII\x00\x00\x00"), Place...)},
	}
}

// Binary is the position as numbers of every usual form and byte order.
func Binary() (b []byte) {
	for _, n := range numbers() {
		b = append(b, n...)
	}
	return b
}

// numbers are the latitude and the longitude as floating-point numbers, as
// millionths and as fractions.
func numbers() (all [][]byte) {
	for _, o := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, v := range []float64{48.858844, 2.294351} {
			all = append(all, o.AppendUint64(nil, math.Float64bits(v)), o.AppendUint32(nil, math.Float32bits(float32(v))),
				o.AppendUint32(o.AppendUint32(nil, uint32(math.Round(v*1e6))), 1000000))
		}
		// As darktable writes them: minutes in millionths.
		all = append(all, o.AppendUint32(o.AppendUint32(nil, 51530640), 1000000), o.AppendUint32(o.AppendUint32(nil, 17661060), 1000000),
			o.AppendUint32(o.AppendUint32(nil, 318384), 10000), o.AppendUint32(o.AppendUint32(nil, 396636), 10000))
	}
	return all
}

// properties are attributes of an XMP packet with a position or a place: the
// namespace, the prefix, and the names.
var properties = []struct{ space, prefix, names string }{
	{"http://www.dji.com/drone-dji/1.0/", "drone-dji", "GpsLatitude GpsLongtitude GpsLongitude AbsoluteAltitude"},
	{"http://pix4d.com/camera/1.0/", "Camera", "GPSXYAccuracy GPSLatitude GPSLongitude"},
	{"http://ns.iview-multimedia.com/mediapro/1.0/", "mediapro", "City Location State Country Event"},
	{"http://ns.adobe.com/xmp/1.0/DynamicMedia/", "xmpDM", "shotLocation scene"},
	{"http://ns.adobe.com/photoshop/1.0/", "photoshop", "City State Country Instructions TransmissionReference Category History"},
	{"http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/", "Iptc4xmpCore", "Location CountryCode"},
	{"http://iptc.org/std/Iptc4xmpExt/2008-02-29/", "Iptc4xmpExt", "Event AddlModelInfo"},
	{"http://ns.adobe.com/exif/1.0/", "exif", "GPSLatitude GPSLongitude GPSAltitude GPSMapDatum GPSAreaInformation UserComment ImageUniqueID"},
	{"http://cipa.jp/exif/1.0/", "exifEX", "GPSLatitude Humidity"},
	{"http://ns.google.com/photos/1.0/panorama/", "GPano", "PoseHeadingDegrees InitialViewHeadingDegrees"},
	{"http://ns.adobe.com/camera-raw-settings/1.0/", "crs", "RawFileName"},
	{"http://ns.adobe.com/xap/1.0/mm/", "xmpMM", "DocumentID InstanceID"},
	{"http://ns.adobe.com/xap/1.0/", "xmp", "Nickname BaseURL"},
	{"http://ns.microsoft.com/photo/1.0/", "MicrosoftPhoto", "LastKeywordXMP"},
	{"http://www.digikam.org/ns/1.0/", "digiKam", "PicasawebGPhotoId ImageHistory"},
	{"http://www.w3.org/2003/01/geo/wgs84_pos#", "geo", "lat long alt"},
	{"urn:vendor:unknown", "vendor", "where"},
}

// Packet is an XMP packet with the position and the place in every way that
// programs are known to write them.
func Packet() string {
	var b strings.Builder
	b.WriteString(`<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core">` +
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""` +
		` xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:lr="http://ns.adobe.com/lightroom/1.0/" xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#"` +
		` xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:mwg-kw="http://www.metadataworkinggroup.com/schemas/keywords/"`)
	for _, p := range properties {
		fmt.Fprintf(&b, ` xmlns:%s="%s"`, p.prefix, p.space)
	}
	for _, p := range properties {
		for name := range strings.FieldsSeq(p.names) {
			value := Latitude + " " + Longitude + " " + Place
			switch name {
			case "GPSLatitude":
				value = "48,51.530640N"
			case "GPSLongitude":
				value = "2,17.661060E"
			}
			fmt.Fprintf(&b, ` %s:%s="%s"`, p.prefix, name, value)
		}
	}
	list := func(name, kind string, items ...string) {
		fmt.Fprintf(&b, `<%s><rdf:%s>`, name, kind)
		for _, item := range items {
			lang := ""
			if kind == "Alt" {
				lang = ` xml:lang="x-default"`
			}
			fmt.Fprintf(&b, `<rdf:li%s>%s</rdf:li>`, lang, item)
		}
		fmt.Fprintf(&b, `</rdf:%s></%s>`, kind, name)
	}
	b.WriteString(`>`)
	list("dc:creator", "Seq", "Ansel Keeper")
	list("dc:rights", "Alt", "Copyright Keeper 2026")
	list("dc:title", "Alt", "A kept title")
	list("dc:subject", "Bag", "keptword", "geo:lat="+Latitude, "geo:lon="+Longitude)
	list("dc:description", "Alt", "Taken at "+Latitude+", "+Longitude)
	list("lr:hierarchicalSubject", "Bag", "Places|France|Hierarchville")
	list("digiKam:TagsList", "Bag", "Places/France/"+Place)
	list("mwg-kw:Keywords", "Bag", Place)
	list("Iptc4xmpExt:LocationShown", "Bag", Place)
	b.WriteString(`<dc:coverage>` + Place + ` ` + Latitude + `</dc:coverage><dc:source>` + Latitude + `</dc:source><dc:identifier>` + Latitude + `</dc:identifier>`)
	b.WriteString(`<Iptc4xmpExt:LocationCreated><rdf:Bag><rdf:li rdf:parseType="Resource"><Iptc4xmpExt:City>` + Place +
		`</Iptc4xmpExt:City><exif:GPSLatitude>48,51.530640N</exif:GPSLatitude></rdf:li></rdf:Bag></Iptc4xmpExt:LocationCreated>`)
	b.WriteString(`<mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType="Resource"><mwg-rs:Name>` + Place +
		`</mwg-rs:Name></rdf:li></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>`)
	b.WriteString(`<Iptc4xmpCore:CreatorContactInfo rdf:parseType="Resource"><Iptc4xmpCore:CiAdrCity>` + Place +
		`</Iptc4xmpCore:CiAdrCity></Iptc4xmpCore:CreatorContactInfo>`)
	b.WriteString(`</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`)
	return b.String()
}

// IPTC is a record with the place in each data set that has one, a caption with
// the position, and what is kept.
func IPTC() (b []byte) {
	set := func(record, number byte, value string) {
		b = append(b, 0x1c, record, number)
		b = append(binary.BigEndian.AppendUint16(b, uint16(len(value))), value...)
	}
	set(1, 90, "\x1b%G")
	set(1, 30, Place)
	set(2, 0, "\x00\x04")
	set(2, 5, "A kept title")
	set(2, 25, "keptword")
	for _, number := range []byte{4, 15, 20, 22, 26, 27, 40, 90, 92, 95, 100, 101, 103, 118, 122, 184, 200} {
		set(2, number, Place+" "+Latitude)
	}
	set(2, 80, "Ansel Keeper")
	set(2, 116, "Copyright Keeper 2026")
	set(2, 120, "Taken at "+Latitude)
	set(3, 1, Latitude)
	return b
}

// Resources are Photoshop's image resources with the place.
func Resources() (b []byte) {
	for number, data := range map[uint16][]byte{0x0404: IPTC(), 0x0422: Binary(), 0x0424: []byte(Packet()), 0x041e: []byte("http://" + Latitude)} {
		b = binary.BigEndian.AppendUint16(append(b, "8BIM"...), number)
		b = binary.BigEndian.AppendUint32(append(b, 0, 0), uint32(len(data)))
		b = append(append(b, data...), make([]byte, len(data)&1)...)
	}
	return b
}

// Find gives what of the position and the place is in a file: in its bytes, and
// in what a PNG has compressed or in hexadecimal digits.
func Find(file []byte) (found []string) {
	needles := map[string][]byte{}
	for _, s := range []string{"48.858", "2.2943", "48,51.5", "2,17.66", "48 deg", "N48", Place, strings.ToUpper(Place)} {
		needles["the text "+s] = []byte(s)
		needles["the wide text "+s] = bytes.TrimSuffix(wide(s), []byte{0, 0})
		needles["the digits of "+s] = []byte(hex.EncodeToString([]byte(s)))
	}
	for _, n := range numbers() {
		needles[fmt.Sprintf("the number %x", n)] = n
	}
	all := Unpacked(file)
	for name, needle := range needles {
		if at := bytes.Index(all, needle); at >= 0 {
			found = append(found, fmt.Sprintf("%s in %q", name, all[max(0, at-40):min(len(all), at+len(needle)+20)]))
		}
	}
	slices.Sort(found)
	return found
}

// Unpacked is a file, and behind it what a PNG's chunks have compressed, and what
// those have in hexadecimal lines.
func Unpacked(file []byte) []byte {
	all := bytes.Clone(file)
	if !bytes.HasPrefix(file, []byte("\x89PNG")) {
		return all
	}
	for chunk := file[8:]; len(chunk) >= 12; {
		length := int(binary.BigEndian.Uint32(chunk))
		if length > len(chunk)-12 {
			break
		}
		name, data := string(chunk[4:8]), chunk[8:8+length]
		if name == "zTXt" || name == "iTXt" || name == "tEXt" {
			for at := bytes.IndexByte(data, 0); at >= 0 && at < min(len(data), 120); at++ {
				if z, err := zlib.NewReader(bytes.NewReader(data[at:])); err == nil {
					plain, _ := io.ReadAll(z)
					all = append(all, plain...)
					data = plain
					break
				}
			}
			if lines := bytes.SplitN(data, []byte("\n"), 4); len(lines) == 4 {
				plain, _ := hex.DecodeString(string(bytes.ReplaceAll(lines[3], []byte("\n"), nil)))
				all = append(all, plain...)
			}
		}
		chunk = chunk[12+length:]
	}
	return all
}
