// Package conformance tests the server with clients and suites that are not
// ours: the protocol's conformance suite in both eras, the inspector, and the
// strictest of the client SDKs, in TypeScript, which calls every tool over
// stdio and HTTP. scripts/conformance installs them and runs the tests; without
// it they are skipped.
package conformance
