// The pairs of pictures of a document on a disk, made of the page's parts.
import {html, render} from "../page/vendor/htm-preact.js";
import {Modes, Pair} from "../page/pair.js";

// Each element [data-pair] has two img elements; they are what is shown if this does not run.
const pairs = [...document.querySelectorAll("[data-pair]")].map(place => {
	const [a, b] = [...place.querySelectorAll("img")].map(img => ({url: img.getAttribute("src"), alt: img.alt}));
	const img = place.querySelector("img");
	return {place, a, b, style: {aspectRatio: `${img.getAttribute("width")} / ${img.getAttribute("height")}`}};
});
const places = document.querySelectorAll("[data-pair-modes]");

function show(mode) {
	for (const {place, a, b, style} of pairs) {
		place.dataset.mode = mode;
		render(html`<${Pair} mode=${mode} a=${a} b=${b} style=${style} label=${"Divider: " + place.dataset.pair} />`, place);
	}
	for (const place of places) render(html`<${Modes} mode=${mode} choose=${show} there=${["divider", "side"]} />`, place);
}

for (const {place} of pairs) place.replaceChildren();
show("divider");
