package xmp

import (
	"bytes"
	"strings"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
)

// OriginNamespace is the namespace of the one attribute that Chemigram adds to
// history entries, and that darktable ignores: chemigram:origins, which says
// what made the entry.
const OriginNamespace = "https://github.com/chemigram/chemigram/ns/1.0/"

// Namespace is that of darktable's properties, its history stack among them.
const Namespace = "http://darktable.sf.net/"

// Properties that this package reads and writes.
var (
	nameHistory      = rdf.Name{Space: Namespace, Local: "history"}
	nameHistoryEnd   = rdf.Name{Space: Namespace, Local: "history_end"}
	nameFormat       = rdf.Name{Space: Namespace, Local: "xmp_version"}
	nameForms        = rdf.Name{Space: Namespace, Local: "masks_history"}
	nameFormID       = rdf.Name{Space: Namespace, Local: "mask_id"}
	nameOrigins      = rdf.Name{Space: OriginNamespace, Local: "origins"}
	nameOrderVersion = rdf.Name{Space: Namespace, Local: "iop_order_version"}
	nameOrderList    = rdf.Name{Space: Namespace, Local: "iop_order_list"}
	// nameEntryOrder is the place in the pipeline that darktable 2.6 gave each
	// entry.
	nameEntryOrder = rdf.Name{Space: Namespace, Local: "iop_order"}
	nameEditedName = rdf.Name{Space: Namespace, Local: "multi_name_hand_edited"}

	nameSubject  = rdf.Name{Space: "http://purl.org/dc/elements/1.1/", Local: "subject"}
	nameSubjects = rdf.Name{Space: "http://ns.adobe.com/lightroom/1.0/", Local: "hierarchicalSubject"}
)

// isHistory reports whether a property of darktable's belongs to the history: its
// entries, its forms, the pipeline order and the version of the format.
func isHistory(n rdf.Name) bool {
	if n.Space != Namespace {
		return false
	}
	return strings.HasPrefix(n.Local, "history") || strings.HasPrefix(n.Local, "masks_history") ||
		strings.HasPrefix(n.Local, "iop_order") || n == nameFormat
}

// isHistoryHash reports whether a property is one of darktable's hashes of the
// history: see withoutHashes.
func isHistoryHash(n rdf.Name) bool {
	return n == nameBasicHash || n == nameAutoHash || n == nameCurrentHash
}

// Namespaces of properties that name a file.
const (
	nsXMP   = "http://ns.adobe.com/xap/1.0/"
	nsMedia = "http://ns.adobe.com/xap/1.0/mm/"
)

// namesFile reports whether a property names the file that the packet is of, or when
// and by what it was written, and so does not belong to the look.
func namesFile(n rdf.Name) bool {
	switch n.Space {
	case nsXMP:
		return n.Local == "MetadataDate" || n.Local == "ModifyDate" || n.Local == "CreatorTool"
	case nsMedia:
		switch n.Local {
		case "DerivedFrom", "DocumentID", "InstanceID", "OriginalDocumentID", "History":
			return true
		}
	}
	return false
}

// NamesFile reports whether canonical bytes are of before they left out what names a
// file: then another state may be the same look.
func NamesFile(canonical []byte) bool {
	for _, name := range []string{"xmpMM:DerivedFrom", "xmp:MetadataDate", "xmp:ModifyDate", "xmp:CreatorTool", "xmpMM:DocumentID", "xmpMM:InstanceID", "xmpMM:OriginalDocumentID", "xmpMM:History"} {
		if bytes.Contains(canonical, []byte(name)) {
			return true
		}
	}
	return false
}

// isTimestamp reports whether a property is a time that darktable notes down.
func isTimestamp(n rdf.Name) bool {
	if n.Space != Namespace {
		return false
	}
	switch n.Local {
	case "import_timestamp", "change_timestamp", "export_timestamp", "print_timestamp":
		return true
	}
	return false
}
