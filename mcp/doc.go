// Package mcp offers an engine's verbs as tools of the Model Context Protocol.
//
// [NewServer] makes a server of the official SDK from an engine. Each tool is
// one verb: its name is the verb in snake case, its schemas are made from the
// verb's parameter and result types, its words from the verb's doc comments.
// Nothing is written twice, and [Bind] is the only way from a call to a verb:
//
//	validate → decode → guard → call → envelope
//
// Every answer is an envelope, sent as structured content and as the same JSON
// in a text block:
//
//	{"success": true, "data": {…}, "error": null}
//	{"success": false, "data": null, "error": {"code", "message", "details", "recoverable"}}
//
// A program that embeds the server adds verbs of its own with [Bind] and
// [Options.Tools], or adds the engine's tools to a server that it has, with
// [AddTools].
package mcp
