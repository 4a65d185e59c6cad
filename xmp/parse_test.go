package xmp

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:d="http://darktable.sf.net/">`
	description := func(s string) string { return rdf + `<rdf:Description>` + s + `</rdf:Description></rdf:RDF>` }
	seq := func(s string) string {
		return description(`<d:history><rdf:Seq>` + s + `</rdf:Seq></d:history>`)
	}
	for name, tt := range map[string]struct {
		in   string
		kind Kind
		line int
		says string
	}{
		"nothing":                {"", NotXML, 1, "no element"},
		"text":                   {"just words", NotXML, 1, "outside"},
		"a JPEG":                 {"\xff\xd8\xff\xe0\x00\x10JFIF", NotXML, 1, "0x00"},
		"UTF-16":                 {"\xff\xfe<\x00a\x00", NotXML, 0, "UTF-16"},
		"UTF-16 without mark":    {"<\x00a\x00/\x00>\x00", NotXML, 0, "UTF-16"},
		"another encoding":       {`<?xml version="1.0" encoding="Shift_JIS"?><a/>`, NotXML, 1, "Shift_JIS"},
		"XML 1.1":                {`<?xml version="1.1"?><a/>`, NotXML, 1, "version"},
		"NUL":                    {"<a>\n\x00</a>", NotXML, 2, "0x00"},
		"a control byte":         {"<a b='\x1b'/>", NotXML, 1, "0x1b"},
		"broken UTF-8":           {"<a>\xc3\x28</a>", NotXML, 1, "0xc3"},
		"a noncharacter":         {"<a>\uffff</a>", NotXML, 1, "0xef"},
		"a document type":        {"<!DOCTYPE a SYSTEM 'http://example.com'>\n<a/>", Forbidden, 1, "declaration"},
		"a billion laughs":       {`<?xml version="1.0"?>` + "\n" + `<!DOCTYPE l [<!ENTITY a "&b;&b;">]><a>&a;</a>`, Forbidden, 2, "entity"},
		"an entity":              {"<a>&copy;</a>", NotXML, 1, "copy"},
		"no end":                 {"<a>\n<b>\n</b>", NotXML, 3, "inside of <a>"},
		"wrong end":              {"<a></b>", NotXML, 1, "</a>"},
		"two elements":           {"<a/><b/>", NotXML, 1, "second"},
		"an attribute twice":     {"<a b='1' b='2'/>", NotXML, 1, "twice"},
		"the same by two names":  {"<a xmlns:x='u' xmlns:y='u' x:b='1' y:b='2'/>", NotXML, 1, "twice"},
		"an undeclared prefix":   {"<x:a/>", NotXML, 1, "not declared"},
		"deep nesting":           {strings.Repeat("<a>", MaxDepth+1), TooLarge, 1, "deep"},
		"too many attributes":    {"<a " + strings.Repeat("b='' ", MaxAttributes+1) + "/>", TooLarge, 1, "attributes"},
		"HTML":                   {"<html><body/></html>", NotSidecar, 1, "rdf:RDF"},
		"XMP of something else":  {`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description/></rdf:RDF>`, NotSidecar, 1, "darktable"},
		"a typed node":           {rdf + `<d:thing/></rdf:RDF>`, Unsupported, 1, "thing"},
		"two pictures":           {rdf + `<rdf:Description rdf:about="a"/><rdf:Description rdf:about="b"/></rdf:RDF>`, Unsupported, 1, "two things"},
		"a property twice":       {description(`<d:a>1</d:a><d:a>2</d:a>`), BadValue, 1, "twice"},
		"text among properties":  {description(`<d:a>1</d:a>so`), NotSidecar, 1, "so"},
		"history_end of words":   {description(`<d:history_end>all</d:history_end>`), BadValue, 1, "all"},
		"negative history_end":   {description(`<d:history_end>-1</d:history_end>`), BadValue, 1, "-1"},
		"history of a text":      {description(`<d:history>none</d:history>`), BadValue, 1, "rdf:Seq"},
		"history of a thing":     {description(`<d:history><d:thing/></d:history>`), BadValue, 1, "rdf:Seq"},
		"an entry of nothing":    {seq(`<rdf:li/>`), BadValue, 1, "operation"},
		"an entry of text":       {seq(`<rdf:li>exposure</rdf:li>`), NotSidecar, 1, "exposure"},
		"a modversion of words":  {seq(`<rdf:li d:operation="a" d:modversion="six" d:params=""/>`), BadValue, 1, "six"},
		"a modversion too great": {seq(`<rdf:li d:operation="a" d:modversion="4294967296" d:params=""/>`), BadValue, 1, "4294967296"},
	} {
		_, err := Parse([]byte(tt.in))
		e, ok := errors.AsType[*Error](err)
		switch {
		case !ok:
			t.Errorf("%s: %v, want an *Error", name, err)
		case e.Kind != tt.kind || e.Line != tt.line || !strings.Contains(err.Error(), tt.says):
			t.Errorf("%s: %v (%v, line %d), want %v, line %d, and %q in it", name, err, e.Kind, e.Line, tt.kind, tt.line, tt.says)
		}
	}
}

// Hostile inputs cost little: a bound on the time, far above what they need.
func TestHostileInputsAreRefusedSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: 100 MB of input")
	}
	fill := func(size int, start, unit string) []byte {
		return append([]byte(start), bytes.Repeat([]byte(unit), (size-len(start))/len(unit))...)
	}
	for name, input := range map[string]func() []byte{
		"100 MB":               func() []byte { return fill(100<<20, "<a>", "x") },
		"32 MB of elements":    func() []byte { return fill(MaxSize, "<a>", "<b/>") },
		"32 MB of attributes":  func() []byte { return fill(MaxSize, "<a>", "<b c=''/>") },
		"32 MB of comments":    func() []byte { return fill(MaxSize, "<a>", "x<!---->") },
		"32 MB of references":  func() []byte { return fill(MaxSize, "<a>", "&lt;") },
		"32 MB of open quotes": func() []byte { return fill(MaxSize, "<a b='", "c") },
		"32 MB of brackets":    func() []byte { return fill(MaxSize, "<a>", "]]") },
	} {
		in := input()
		start := time.Now()
		_, err := Parse(in)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s took %v", name, took)
		}
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != TooLarge && e.Kind != NotXML {
			t.Errorf("%s: %v, want TooLarge or NotXML", name, err)
		}
	}
}

func TestBlobsThatExplodeAreRefused(t *testing.T) {
	t.Parallel()
	entry := func(size int) string {
		return strings.Replace(li(0, "exposure", "02", "", 0), `"02"`, `"`+string(appendDeflated(nil, make([]byte, size)))+`"`, 1)
	}
	if _, err := Parse(packet(v50, entry(MaxBlob))); err != nil {
		t.Errorf("a blob of the greatest size: %v", err)
	}
	for name, in := range map[string]string{
		"too large a blob": entry(MaxBlob + 1),
		"too long a hex":   li(0, "exposure", strings.Repeat("00", MaxBlob+1), "", 0),
		"too long a story": strings.Repeat(li(0, "exposure", "02", "", 0), MaxEntries+1),
		"too many":         strings.Repeat(entry(MaxBlob), MaxAllBlobs/MaxBlob+1),
	} {
		_, err := Parse(packet(v50, in))
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != TooLarge {
			t.Errorf("%s: %v, want TooLarge", name, err)
		}
	}
}

// The worst that Parse lets through has to be edited in bounded time, too.
func TestLargestHistoryIsEditedSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: some seconds of work")
	}
	t.Parallel()
	var order strings.Builder
	entries := make([]string, MaxEntries-1)
	for i := range entries {
		name := fmt.Sprintf("%x", i*7919%len(entries))
		entries[i] = strings.Replace(li(i, "exposure", "02", name, i), "/>", ` c:origins="p/e@1#L3"/>`, 1)
		fmt.Fprintf(&order, ",exposure,%d", i)
	}
	data := packet(v50+` xmlns:c="`+OriginNamespace+`" darktable:iop_order_list="`+order.String()[1:]+`"`, entries...)
	start := time.Now()
	s := with(t, mustParse(t, data), put("exposure", "new", 1))
	if took := time.Since(start); took > 2*time.Minute {
		t.Errorf("%d entries took %v", MaxEntries, took)
	}
	if again := mustParse(t, s.Canonical()); again.HistoryEnd() != MaxEntries {
		t.Errorf("%d entries, want %d", again.HistoryEnd(), MaxEntries)
	}
	_, err := s.With(release(t, "5.4.1"), put("exposure", "one more", 1))
	if e, ok := errors.AsType[*Error](err); !ok || e.Kind != TooLarge {
		t.Errorf("one entry more than can be read: %v", err)
	}
}

func TestEncodingsThatAreRead(t *testing.T) {
	t.Parallel()
	body := string(packet(v50+` darktable:note="café"`, li(0, "exposure", "02", "", 0)))
	want := mustParse(t, []byte(body))
	latin := strings.ReplaceAll(body, "é", "\xe9")
	for name, in := range map[string]string{
		"mark":        "\ufeff" + body,
		"declared":    `<?xml version="1.0" encoding="UTF-8"?>` + body,
		"mark, both":  "\ufeff" + `<?xml version='1.0' encoding='utf-8' standalone="yes" ?>` + body,
		"Latin-1":     `<?xml version="1.0" encoding="ISO-8859-1"?>` + latin,
		"a packet":    "<?xpacket begin=\"\ufeff\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n" + body + strings.Repeat("   \n", 100) + `<?xpacket end="w"?>`,
		"line breaks": strings.ReplaceAll(body, "\n", "\r\n"),
	} {
		if got, err := Parse([]byte(in)); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, or another sidecar", name, err)
		}
	}
}

// darktable 1 and 2 numbered no entries: they count in the order of the document.
func TestEntriesWithoutNumbersAreInTheOrderOfTheDocument(t *testing.T) {
	t.Parallel()
	unnumbered := func(operation, params string) string {
		return strings.Replace(li(0, operation, params, "", 0), `darktable:num="0" `, "", 1)
	}
	entries := []string{unnumbered("exposure", "01"), unnumbered("sharpen", "02"), unnumbered("exposure", "03")}
	for _, format := range []string{"1", "2"} {
		for end, want := range map[string]byte{"": 3, ` darktable:history_end="3"`: 3, ` darktable:history_end="9"`: 3, ` darktable:history_end="2"`: 1} {
			s := mustParse(t, packet(`darktable:xmp_version="`+format+`"`+end, entries...))
			if e, _ := s.Find("exposure", ""); len(e.Params) != 1 || e.Params[0] != want {
				t.Errorf("format %s,%s: the exposure is %x, want %02x", format, end, e.Params, want)
			}
			if all := append(stack(s), stack(mustParse(t, s.Bytes()))...); len(s.History())+len(s.Undone()) != 3 || len(all) != 2*s.HistoryEnd() || all[0] != all[s.HistoryEnd()] {
				t.Errorf("format %s,%s: the history reads back as %v", format, end, all)
			}
		}
	}
}

// darktable 1 held its history in parallel lists, of which history_end counts the
// active ones.
func TestTheEndOfParallelListsIsKept(t *testing.T) {
	t.Parallel()
	list := func(name string, items ...string) string {
		return `<darktable:` + name + `><rdf:Seq><rdf:li>` + strings.Join(items, `</rdf:li><rdf:li>`) + `</rdf:li></rdf:Seq></darktable:` + name + `>`
	}
	in := strings.Replace(string(packet(`darktable:xmp_version="1" darktable:history_end="1"`)), `<darktable:history><rdf:Seq></rdf:Seq></darktable:history>`,
		list("history_operation", "exposure", "sharpen")+list("history_enabled", "1", "1")+list("history_params", "01", "02")+list("history_modversion", "2", "1"), 1)
	s := mustParse(t, []byte(in))
	for name, written := range map[string][]byte{"Bytes": s.Bytes(), "Canonical": s.Canonical()} {
		if n := strings.Count(string(written), `darktable:history_end="1"`); n != 1 {
			t.Errorf("%s says history_end %d times:\n%s", name, n, written)
		}
	}
	if version, said := s.FormatVersion(); version != 1 || !said {
		t.Errorf("format %d, %v", version, said)
	}
	moved := mustParse(t, packet(v50, li(0, "exposure", "02", "", 0))).WithHistory(s)
	if got := string(moved.Bytes()); strings.Count(got, "history_end") != 1 || !strings.Contains(got, "history_operation") {
		t.Errorf("the history was moved as\n%s", got)
	}
}
