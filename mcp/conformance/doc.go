// Package conformance tests the server with programs of the protocol's project: its
// conformance suite, for two revisions, the inspector, and the TypeScript SDK, the
// strictest client, which calls every tool over stdio and HTTP. scripts/conformance
// installs them and runs the tests, which are skipped otherwise.
package conformance
