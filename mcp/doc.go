// Package mcp offers an engine's verbs as tools of the Model Context Protocol.
//
// [NewServer] makes a server of the official SDK from an engine. Each tool is one
// verb: its name is the verb in snake case, its schemas are made from the verb's
// parameter and result types, and its descriptions from their doc comments. [Bind]
// makes a tool of any function of that form. A call goes through these steps:
//
//	question  the person is asked, if the tool has a question ([Spec].Ask)
//	check     the arguments are held to the input schema; every violation is reported
//	guard     a destructive tool needs confirm, a reason and an actor
//	decode    the checked arguments become the verb's parameters
//	verb
//	envelope  the result or the error is encoded
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
