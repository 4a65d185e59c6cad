package xmp

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unknownThings is a sidecar full of what the package does not know, and of
// what RDF allows to be said in several ways.
const unknownThings = `<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment -->
<m:xmpmeta xmlns:m="adobe:ns:meta/" m:xmptk="a tool">
 <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <r:Description r:about="" xmlns:d="http://darktable.sf.net/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="3"
    xmlns:darktable="urn:not-darktable" darktable:own="kept &lt;&amp;&quot;&#xA;&#9;" d:import_timestamp="17">
   <d:xmp_version>5</d:xmp_version>
   <d:iop_order_version>4</d:iop_order_version>
   <d:history_end> 2 </d:history_end>
   <d:colorlabels><r:Seq><r:li>1</r:li><r:li>4</r:li></r:Seq></d:colorlabels>
   <dc:rights xmlns:dc="http://purl.org/dc/elements/1.1/"><r:Alt><r:li xml:lang="x-default">  © me, 'all' &amp; "more" ]]&gt; </r:li></r:Alt></dc:rights>
   <u:thing xmlns:u="urn:unknown" u:b="2" u:a="1" r:parseType="Resource">
    <u:inner>text</u:inner><u:empty/><plain xmlns=""/>
   </u:thing>
   <d:history>
    <r:Seq>
     <r:li d:num="1" d:operation="exposure" d:enabled="1" d:modversion="7" d:params="0a0B" d:multi_name="" d:multi_priority="0" d:later="x"/>
     <r:li r:parseType="Resource">
      <d:num>0</d:num><d:operation>rawprepare</d:operation><d:enabled>1</d:enabled><d:modversion>2</d:modversion>
      <d:params>zz not hex</d:params><u:mine xmlns:u="urn:other"><u:deep/></u:mine>
     </r:li>
     <r:li><r:Description d:num="2" d:operation="sigmoid" d:modversion="3"><d:params>ff</d:params></r:Description></r:li>
    </r:Seq>
   </d:history>
  </r:Description>
  <r:Description xmlns:v="urn:second" v:more="yes"/>
 </r:RDF>
</m:xmpmeta>`

func TestUnknownThingsAreKept(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(unknownThings))
	edited := with(t, s, put("exposure", "lift", 1))
	for name, written := range map[string][]byte{
		"Bytes": s.Bytes(), "Canonical": s.Canonical(), "edited": edited.Bytes(), "edited, canonical": edited.Canonical(),
	} {
		for _, kept := range []string{
			`ns1:own="kept &lt;&amp;&quot;&#xA;&#x9;"`, `xmlns:ns1="urn:not-darktable"`, `xmp:Rating="3"`,
			`<darktable:colorlabels><rdf:Seq><rdf:li>1</rdf:li><rdf:li>4</rdf:li></rdf:Seq></darktable:colorlabels>`,
			`<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">  © me, 'all' &amp; "more" ]]&gt; </rdf:li></rdf:Alt></dc:rights>`,
			`<ns2:thing rdf:parseType="Resource" ns2:a="1" ns2:b="2"><ns2:inner>text</ns2:inner><ns2:empty/><plain/></ns2:thing>`,
			`darktable:params="zz not hex"`, `darktable:later="x"`, `deep/>`, `:more="yes"`,
		} {
			if !bytes.Contains(written, []byte(kept)) {
				t.Errorf("%s has no %s:\n%s", name, kept, written)
			}
		}
		if got := bytes.Contains(written, []byte("import_timestamp")); got == strings.Contains(strings.ToLower(name), "canonical") {
			t.Errorf("%s has the timestamp: %v", name, got)
		}
	}
}

func TestEveryWayToSayAnEntryIsRead(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(unknownThings))
	var got []string
	for _, e := range append(s.History(), s.Undone()...) {
		got = append(got, e.Operation)
	}
	if diff := cmp.Diff([]string{"rawprepare", "exposure", "sigmoid"}, got); diff != "" {
		t.Error(diff)
	}
	if s.HistoryEnd() != 2 {
		t.Errorf("history_end %d, want 2", s.HistoryEnd())
	}
	exposure, _ := s.Find("exposure", "")
	if diff := cmp.Diff([]byte{10, 11}, exposure.Params); diff != "" || exposure.Fault != nil {
		t.Errorf("%s, %v", diff, exposure.Fault)
	}
	if e, _ := s.Find("rawprepare", ""); e.Fault == nil || e.Params != nil {
		t.Errorf("a blob that is none: %v, %v", e.Params, e.Fault)
	}
}

func TestPrefixesDoNotShowInTheCanonicalBytes(t *testing.T) {
	t.Parallel()
	data := packet(v50+` xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="2"`, li(0, "exposure", "02", "", 0))
	renamed := strings.NewReplacer("darktable:", "dt:", "xmp:R", "q:R", "xmlns:xmp", "xmlns:q", "rdf:", "w:", "xmlns:rdf", "xmlns:w",
		"xmlns:darktable", "xmlns:dt").Replace(string(data))
	if renamed == string(data) {
		t.Fatal("nothing renamed")
	}
	if diff := cmp.Diff(string(mustParse(t, data).Canonical()), string(mustParse(t, []byte(renamed)).Canonical())); diff != "" {
		t.Error(diff)
	}
}

func TestProperties(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(unknownThings))
	if got, ok := s.Property("xmp:Rating"); got != "3" || !ok {
		t.Errorf("rating %q, %v", got, ok)
	}
	if diff := cmp.Diff([]string{"1", "4"}, s.List("darktable:colorlabels")); diff != "" {
		t.Error(diff)
	}
	next, err := s.WithProperty("xmp:Rating", "5")
	if err != nil {
		t.Fatal(err)
	}
	next, err = next.WithProperty("xmpMM:DerivedFrom", "a & b.dng")
	if err != nil {
		t.Fatal(err)
	}
	again := mustParse(t, next.Bytes())
	if r, _ := again.Property("xmp:Rating"); r != "5" {
		t.Errorf("rating %q, want 5", r)
	}
	if r, _ := again.Property("xmpMM:DerivedFrom"); r != "a & b.dng" {
		t.Errorf("derived from %q", r)
	}
	if r, _ := s.Property("xmp:Rating"); r != "3" {
		t.Errorf("the old value changed to %q", r)
	}
	for _, bad := range []string{"darktable:history_end", "darktable:iop_order_list", "nope:x", "xmp:", "xmp:a b", "rdf:about", "Rating"} {
		if _, err := s.WithProperty(bad, "1"); err == nil {
			t.Errorf("WithProperty(%q) is accepted", bad)
		}
	}
}

// darktable 1 wrote its history as parallel lists.
func TestOldestFormatIsKept(t *testing.T) {
	t.Parallel()
	old := strings.Replace(string(packet(`darktable:xmp_version="1"`)), `<darktable:history><rdf:Seq></rdf:Seq></darktable:history>`,
		`<darktable:history_modversion><rdf:Bag><rdf:li>2</rdf:li></rdf:Bag></darktable:history_modversion>`+
			`<darktable:history_operation><rdf:Bag><rdf:li>exposure</rdf:li></rdf:Bag></darktable:history_operation>`, 1)
	s := mustParse(t, []byte(old))
	if diff := cmp.Diff([]string{"exposure"}, s.List("darktable:history_operation")); diff != "" {
		t.Error(diff)
	}
	if !mustParse(t, s.Bytes()).Equal(s) || len(s.History()) != 0 || !bytes.Contains(s.Canonical(), []byte("history_modversion")) {
		t.Errorf("not kept:\n%s", s.Bytes())
	}
}

// What darktable leaves out has its own defaults: measured on 4.2.1 and 5.4.1.
func TestAbsentPropertiesMeanWhatDarktableTakesThemFor(t *testing.T) {
	t.Parallel()
	bare := `<rdf:li darktable:operation="exposure" darktable:modversion="1" darktable:params="%s"/>`
	s := mustParse(t, packet(v50, strings.Replace(bare, "%s", "01", 1), strings.Replace(bare, "%s", "02", 1)))
	history := s.History()
	if len(history) != 2 || history[0].Params[0] != 2 {
		t.Fatalf("entries without a num are %v, want the later one first", history)
	}
	if e := history[1]; e.Enabled || e.MultiName != "" || e.MultiPriority != 0 || e.Blend != nil {
		t.Errorf("an entry of little is %+v", e)
	}
}

func TestForeignInstanceWithoutPlaceIsNotRevived(t *testing.T) {
	t.Parallel()
	// darktable drops an instance that the pipeline order does not have.
	s := mustParse(t, packet(v50, li(0, "exposure", "01", "", 0), li(1, "exposure", "02", "lost", 1)))
	s = with(t, s, put("exposure", "x", 3))
	list, _ := s.Property("darktable:iop_order_list")
	if strings.Contains(list, "exposure,1") || !strings.Contains(list, "exposure,0,exposure,2,") {
		t.Errorf("order is %s", list)
	}
	if _, ok := s.Find("exposure", "lost"); !ok {
		t.Error("the instance is lost altogether")
	}
}

func TestRasterMasksFollowTheirSource(t *testing.T) {
	t.Parallel()
	user := put("sigmoid", "", 1)
	user.Entry.Blend = make([]byte, blendSize)
	user.Entry.Blend[0] = 1 | rasterMode
	copy(user.Entry.Blend[rasterSource:], "exposure")
	user.Entry.Blend[rasterInstance] = 1
	s := with(t, mustParse(t, packet(v50)), put("exposure", "m", 1))
	s = with(t, s, user)
	s = with(t, s, put("exposure", "a", 2)) // becomes number 1, and m number 2
	e, _ := s.Find("sigmoid", "")
	source, _ := s.Find("exposure", "m")
	if got := int(e.Blend[rasterInstance]); got != 2 || source.MultiPriority != 2 {
		t.Errorf("the raster mask is of instance %d, its source is instance %d; want 2", got, source.MultiPriority)
	}
}
