package xmp_test

import (
	"fmt"
	"log"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

const sidecar = `<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description xmlns:darktable="http://darktable.sf.net/"
    darktable:xmp_version="5" darktable:iop_order_version="4" darktable:history_end="1">
   <darktable:history>
    <rdf:Seq>
     <rdf:li darktable:num="0" darktable:operation="exposure" darktable:enabled="1" darktable:modversion="7"
       darktable:params="00000000000000000000003f00004842000080c00100000000000000" darktable:multi_name="" darktable:multi_priority="0"/>
    </rdf:Seq>
   </darktable:history>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>`

// A second exposure, half a stop up like the first, under a name of its own.
func ExampleSidecar_With() {
	s, err := xmp.Parse([]byte(sidecar))
	if err != nil {
		log.Fatal(err)
	}
	target, err := iop.ReleaseFor("5.4.1")
	if err != nil {
		log.Fatal(err)
	}
	exposure, _ := s.Find("exposure", "")
	exposure.MultiName = "lift"
	exposure.Origins = []xmp.Origin{{Pack: "starter", Entry: "exposure", Version: "1", Layer: "L3"}}
	next, err := s.With(target, xmp.Put{Entry: exposure})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range next.History() {
		fmt.Printf("%s %d %q, %d bytes of parameters, from %v\n", e.Operation, e.MultiPriority, e.MultiName, len(e.Params), e.Origins)
	}
	fmt.Println("the value before still has", s.HistoryEnd(), "entry")

	back, err := next.With(target, xmp.Remove{Operation: "exposure", MultiName: "lift"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same look as before:", back.Hash() == s.Hash())
	// Output:
	// exposure 0 "", 28 bytes of parameters, from []
	// exposure 1 "lift", 28 bytes of parameters, from [{exposure starter 1 L3}]
	// the value before still has 1 entry
	// the same look as before: true
}
