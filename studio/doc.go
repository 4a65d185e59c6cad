// Package studio is a page for the person whose pictures an agent edits: the pictures,
// two versions under a divider, the history as a graph, variants to choose from, moves
// with sliders, masks.
//
// [New] makes an [http.Handler] of an engine. Nothing is loaded from a network and
// nothing has to be built:
//
//	page, err := studio.New(engine, nil)
//	…
//	fmt.Println(page.Address("http://127.0.0.1:8081/"))
//	err = http.ListenAndServe("127.0.0.1:8081", page)
//
// What the page changes goes through the tools of package mcp, so that arguments are
// checked, errors have their codes and the history names the actor as for every client:
//
//	POST /session   the token of the address becomes a cookie
//	POST /call      a tool of a fixed list; the answer is its envelope
//	GET  /picture   a preview, a draft of moves, a difference or a mask, as a JPEG
//	GET  /export    a picture that the page exported
//	GET  /events    what changed, whoever did it: this process or another one
//
// docs/SECURITY.md says who is kept out, and how.
package studio
