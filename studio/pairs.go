package studio

import _ "embed"

//go:generate go tool -modfile=../tools/go.mod esbuild view/pairs.js --bundle --minify --format=esm --target=es2022 --charset=utf8 --legal-comments=none --log-level=warning --outfile=view/pairs_bundle.js

//go:embed view/pairs_bundle.js
var pairsScript string

// PairAssets have a document show pairs of pictures as the page does, without a server: a
// file that opens from a disk, for example.
//
//	<div data-pair="warmth"><img src="…" alt="before" width="480" height="320"><img src="…" alt="after" …></div>
//
// shows its two pictures under the divider. Pictures of a pair have one size. An element
// data-pair-modes gets the buttons that put those of all pairs side by side. Without
// JavaScript the pictures stand where they are.
type PairAssets struct {
	// Style is CSS: the page's colours, controls and divider. The layout is the document's.
	Style string
	// Script is for an element <script type="module">, which runs when the document is read.
	Script string
	// Licences are those of the libraries in Script, which go with it.
	Licences string
}

// Pairs returns the page's assets for pairs of pictures.
func Pairs() PairAssets {
	return PairAssets{Style: asset("base.css"), Script: pairsScript, Licences: asset("vendor/htm-preact.LICENSE.txt")}
}
