package files

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
)

// A Packet is an XMP packet that a file may have.
type Packet struct {
	Name string
	Data []byte
}

// Packets are XMP packets of every kind: as programs write them, as the
// specification allows them, and broken.
func Packets() []Packet {
	var all []Packet
	add := func(name string, data []byte) { all = append(all, Packet{name, data}) }
	for _, p := range properties {
		add(p.name, []byte(packet(p.attributes, p.elements)))
	}
	plain := packet(` dc:format="image/dng"`, "")
	add("200 KB", []byte(packet("", longSettings(200<<10))))
	add("2 MB", []byte(packet("", longSettings(2<<20))))
	add("1,000 properties", []byte(packet(many(1000), "")))
	add("no instructions around it", []byte(plain[strings.Index(plain, "<x:"):strings.Index(plain, "<?xpacket end")]))
	add("no padding", []byte(strings.ReplaceAll(plain, strings.Repeat(" ", 100), "")))
	add("RDF alone", []byte(plain[strings.Index(plain, "<rdf:RDF"):strings.Index(plain, "</x:xmpmeta>")]))
	add("two subjects", []byte(strings.Replace(plain, "</rdf:RDF>", `<rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Make="Another"/></rdf:RDF>`, 1)))
	add("a subject with a name", []byte(strings.Replace(plain, `rdf:about=""`, `rdf:about="uuid:6d0b8ad5-1f5c-11de-9f27-9d1b6d5ac9c2"`, 1)))
	add("cut off", []byte(plain[:len(plain)/3]))
	add("not XML", []byte("<x:xmpmeta <<< & not XML >>>"))
	add("no text", bytes.Repeat([]byte{0xff, 0, 0x80}, 300))
	add("zeros", make([]byte, 4096))
	add("zeros behind it", append([]byte(plain), make([]byte, 4096)...))
	add("a bomb of entities", []byte(strings.Replace(plain, "<x:", `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><x:`, 1)))
	add("UTF-16, little-endian", wide(binary.LittleEndian, plain))
	add("UTF-16, big-endian", wide(binary.BigEndian, plain))
	add("Latin-1 in it", []byte(packet(" photoshop:City=\"K\xf6ln\"", "")))
	return all
}

// properties are packets by what they hold: attributes and elements of the picture.
var properties = []struct{ name, attributes, elements string }{
	{"plain", ` dc:format="image/dng" xmp:Rating="3" photoshop:City="Linz"`, ""},
	{"title, rights, keywords", "", alternatives("dc:title", "A title") + alternatives("dc:rights", "© Keeper") + bag("dc:subject", "sea", "alps") +
		bag("lr:hierarchicalSubject", "places|alps", "sea") + `<dc:creator><rdf:Seq><rdf:li>Ansel Keeper</rdf:li></rdf:Seq></dc:creator>`},
	{"DerivedFrom as a structure", "", `<xmpMM:DerivedFrom stRef:documentID="A" stRef:originalDocumentID="B"/>`},
	{"DerivedFrom as a structure of elements", "", `<xmpMM:DerivedFrom rdf:parseType="Resource"><stRef:documentID>A</stRef:documentID></xmpMM:DerivedFrom>`},
	{"DerivedFrom as a description", "", `<xmpMM:DerivedFrom><rdf:Description stRef:documentID="A"/></xmpMM:DerivedFrom>`},
	{"DerivedFrom as a bag", "", bag("xmpMM:DerivedFrom", "a.cr2", "b.cr2")},
	{"DerivedFrom with a qualifier", "", `<xmpMM:DerivedFrom rdf:parseType="Resource"><rdf:value>a.cr2</rdf:value><xmpMM:by>x</xmpMM:by></xmpMM:DerivedFrom>`},
	{"a history of steps", "", `<xmpMM:History><rdf:Seq><rdf:li stEvt:action="saved" stEvt:changed="/"/><rdf:li rdf:parseType="Resource"><stEvt:action>derived</stEvt:action></rdf:li></rdf:Seq></xmpMM:History>`},
	{"ingredients", "", `<xmpMM:Ingredients><rdf:Bag><rdf:li stRef:filePath="x"><stRef:inner><rdf:Seq><rdf:li>y</rdf:li></rdf:Seq></stRef:inner></rdf:li></rdf:Bag></xmpMM:Ingredients>`},
	{"a rating as a bag", "", bag("xmp:Rating", "3", "4")},
	{"a rating that is none", ` xmp:Rating="many"`, ""},
	{"a rating as a structure", "", `<xmp:Rating rdf:parseType="Resource"><xmp:x>1</xmp:x></xmp:Rating>`},
	{"keywords as a text", ` dc:subject="sea" lr:hierarchicalSubject="places|sea"`, ""},
	{"keywords as a structure", "", `<dc:subject rdf:parseType="Resource"><dc:x>1</dc:x></dc:subject><lr:hierarchicalSubject rdf:parseType="Resource"><dc:x>1</dc:x></lr:hierarchicalSubject>`},
	{"a title as a text", ` dc:title="A title" dc:creator="Keeper" dc:rights="Keeper"`, ""},
	{"a title as a structure", "", `<dc:title rdf:parseType="Resource"><dc:x>1</dc:x></dc:title>`},
	{"a title in 40 languages", "", languages(40)},
	{"a date as a structure", "", `<exif:DateTimeOriginal rdf:parseType="Resource"><exif:x>1</exif:x></exif:DateTimeOriginal>`},
	{"a date of year 0", ` exif:DateTimeOriginal="0000-00-00T00:00:00" xmp:CreateDate="0000:00:00 00:00:00"`, ""},
	{"a position", ` exif:GPSLatitude="48,51.53N" exif:GPSLongitude="2,17.66E" exif:GPSAltitude="35/1"`, ""},
	{"a position that is none", ` exif:GPSLatitude="north" exif:GPSLongitude=""`, ""},
	{
		"darktable's history of another picture", ` darktable:xmp_version="5" darktable:history_end="1" darktable:auto_presets_applied="1"`,
		`<darktable:history><rdf:Seq><rdf:li darktable:num="0" darktable:operation="exposure" darktable:enabled="1" darktable:modversion="6" darktable:params="00000000000000000000404000004842000080c000000000" darktable:multi_name="" darktable:multi_priority="0"/></rdf:Seq></darktable:history>`,
	},
	{"darktable's history as a text", ` darktable:history="x" darktable:masks_history="y" darktable:history_end="z" darktable:xmp_version="q"`, ""},
	{"darktable's history as structures", "", `<darktable:history rdf:parseType="Resource"><darktable:x>1</darktable:x></darktable:history><darktable:masks_history rdf:parseType="Resource"><darktable:x>1</darktable:x></darktable:masks_history>`},
	{"darktable's words as bags", "", bag("darktable:history_end", "1") + bag("darktable:xmp_version", "5") + bag("darktable:iop_order_version", "1") + bag("darktable:raw_params", "1") + bag("darktable:import_timestamp", "1") + bag("darktable:auto_presets_applied", "1")},
	{"darktable's words as structures", "", `<darktable:xmp_version rdf:parseType="Resource"><darktable:x>1</darktable:x></darktable:xmp_version><darktable:colorlabels rdf:parseType="Resource"><darktable:x>1</darktable:x></darktable:colorlabels>`},
	{"of a namespace that nobody knows", ` xmlns:odd="urn:odd:1" odd:a="1"`, `<odd:b><rdf:Seq><rdf:li odd:c="1"/></rdf:Seq></odd:b>`},
	{"with another prefix", ` xmlns:q="http://purl.org/dc/elements/1.1/" q:format="image/dng"`, ""},
	{"a property twice", ` dc:format="image/dng"`, `<dc:format>image/tiff</dc:format>`},
	{"empty", "", ""},
	{
		"settings of Camera Raw", ` crs:Version="11.3" crs:Exposure2012="+1.50" crs:HasSettings="True" crs:CropTop="0.1" crs:CropLeft="0.1" crs:CropBottom="0.9" crs:CropRight="0.9" crs:HasCrop="True"`,
		`<crs:ToneCurvePV2012><rdf:Seq><rdf:li>0, 0</rdf:li><rdf:li>255, 255</rdf:li></rdf:Seq></crs:ToneCurvePV2012><crs:Look><rdf:Description crs:Name="Adobe Color"><crs:Group><rdf:Alt><rdf:li xml:lang="x-default">Profiles</rdf:li></rdf:Alt></crs:Group></rdf:Description></crs:Look>`,
	},
}

// packet is a packet with padding.
func packet(attributes, elements string) string {
	return `<?xpacket begin="` + "\ufeff" + `" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core 5.6-c140">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
   xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
   xmlns:stRef="http://ns.adobe.com/xap/1.0/sType/ResourceRef#" xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#"
   xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
   xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" xmlns:darktable="http://darktable.sf.net/"` + attributes + ">" + elements + `
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
` + strings.Repeat(" ", 2000) + `
<?xpacket end="w"?>`
}

func list(name, kind string, items ...string) string {
	return fmt.Sprintf("<%s><rdf:%s><rdf:li>%s</rdf:li></rdf:%[2]s></%[1]s>", name, kind, strings.Join(items, "</rdf:li><rdf:li>"))
}

func bag(name string, items ...string) string { return list(name, "Bag", items...) }

func alternatives(name, text string) string {
	return fmt.Sprintf(`<%s><rdf:Alt><rdf:li xml:lang="x-default">%s</rdf:li></rdf:Alt></%[1]s>`, name, text)
}

func languages(n int) string {
	var items strings.Builder
	for i := range n {
		fmt.Fprintf(&items, `<rdf:li xml:lang="%c%c-AT">Title %d</rdf:li>`, 'a'+i%26, 'a'+i/26, i)
	}
	return "<dc:title><rdf:Alt>" + items.String() + "</rdf:Alt></dc:title>"
}

// longSettings are brush strokes as Camera Raw keeps them, of about so many bytes.
func longSettings(length int) string {
	item := "<rdf:li>d 0.123456 0.654321</rdf:li>"
	return "<crs:Dabs><rdf:Seq>" + strings.Repeat(item, length/len(item)) + "</rdf:Seq></crs:Dabs>"
}

func many(n int) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, ` crs:Setting%d="%d"`, i, i)
	}
	return all.String()
}

// wide is a text in UTF-16, with a mark of its byte order.
func wide(order binary.AppendByteOrder, text string) (out []byte) {
	for _, unit := range utf16.Encode([]rune(strings.ReplaceAll("\ufeff"+text, `begin="`+"\ufeff", `begin="`))) {
		out = order.AppendUint16(out, unit)
	}
	return out
}
