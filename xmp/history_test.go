package xmp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/xmp"
)

func parse(t *testing.T, s string) *xmp.Sidecar {
	t.Helper()
	sidecar, err := xmp.Parse([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return sidecar
}

const sidecarStart = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:darktable="http://darktable.sf.net/" `

const sidecarEnd = `</rdf:Description></rdf:RDF></x:xmpmeta>`

func TestAHistoryMovesToAnotherPicturesSidecar(t *testing.T) {
	t.Parallel()
	ours := parse(t, sidecarStart+`xmp:Rating="1" darktable:xmp_version="4" darktable:history_end="0" darktable:iop_order_version="2">`+sidecarEnd)
	theirs := parse(t, sidecarStart+`xmp:Rating="5" darktable:xmp_version="5" darktable:history_end="1" darktable:iop_order_version="4">
		<darktable:history><rdf:Seq><rdf:li darktable:num="0" darktable:operation="gamma" darktable:enabled="1" darktable:modversion="1" darktable:params="00" darktable:multi_name="" darktable:multi_priority="0"/></rdf:Seq></darktable:history>`+sidecarEnd)
	got := ours.WithHistory(theirs)
	if rating, _ := got.Property("xmp:Rating"); rating != "1" {
		t.Errorf("the rating is %q, want our own", rating)
	}
	if order, _ := got.Property("darktable:iop_order_version"); order != "4" {
		t.Errorf("the pipeline order is %q, want the history's", order)
	}
	if !cmp.Equal(got.History(), theirs.History()) {
		t.Error("the history is not theirs")
	}
	if again := parse(t, string(got.Bytes())); !again.Equal(got) {
		t.Errorf("what is written does not read back:\n%s", got.Bytes())
	}
}

func TestAListIsSetAndRemoved(t *testing.T) {
	t.Parallel()
	s := parse(t, sidecarStart+`darktable:history_end="0">`+sidecarEnd)
	labelled, err := s.WithList("darktable:colorlabels", []string{"0", "3"})
	if err != nil {
		t.Fatal(err)
	}
	if got := parse(t, string(labelled.Bytes())).List("darktable:colorlabels"); !cmp.Equal(got, []string{"0", "3"}) {
		t.Errorf("the labels read back as %q", got)
	}
	none, err := labelled.WithList("darktable:colorlabels", nil)
	if err != nil || !none.Equal(s) {
		t.Errorf("without labels the sidecar is not what it was (%v)", err)
	}
	if _, err := s.WithList("darktable:iop_order_list", []string{"x"}); err == nil {
		t.Error("the pipeline order was set as a list")
	}
}
