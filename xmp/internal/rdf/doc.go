// Package rdf is the XML of a sidecar: a scanner, the tree of a document with
// its RDF properties, and a writer.
//
// It knows XML, namespaces and as much of RDF as XMP uses, and nothing of what
// darktable says with them. [Parse] reads a [Document] of [Node]s; a [Property]
// is one statement about a resource, however the document spells it; a [Writer]
// puts them down again.
package rdf
