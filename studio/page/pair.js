// Two pictures under a divider, or side by side. Nothing here asks the program, so that
// documents without one have the same.
import {html, useRef} from "./vendor/htm-preact.js";

const modes = [["divider", "Divider"], ["side", "Side by side"], ["difference", "Difference"]];

// Modes are buttons for the ways to compare, or for those that are there.
export const Modes = ({mode, choose, there = ["divider", "side", "difference"]}) => html`<div class="choices" role="group" aria-label="How to compare">${
	modes.filter(([id]) => there.includes(id)).map(([id, name]) => html`
	<button type="button" data-mode=${id} aria-pressed=${mode === id} onClick=${() => choose(id)}>${name}</button>`)}</div>`;

// Divider shows one picture left of a line and the other right of it. While the hand moves
// only a clip and a transform change, so that the browser lays out and decodes nothing anew.
function Divider({a, b, style, label}) {
	const at = useRef(null), box = useRef(null);
	const slider = () => at.current.querySelector("[role=slider]");
	const place = share => {
		const x = Math.min(Math.max(share, 0), 1) * 100;
		at.current.style.setProperty("--share", x);
		slider().setAttribute("aria-valuenow", Math.round(x));
	};
	const follow = e => {
		const r = box.current ??= at.current.getBoundingClientRect();
		place((e.clientX - r.left) / r.width);
	};
	const press = e => {
		box.current = null;
		e.currentTarget.setPointerCapture(e.pointerId);
		if (e.pointerType === "touch") return; // it may be going to scroll
		follow(e);
		slider().focus({preventScroll: true});
		e.preventDefault();
	};
	const key = e => {
		const by = {ArrowLeft: -2, ArrowRight: 2, PageDown: -10, PageUp: 10, Home: -100, End: 100}[e.key];
		if (!by) return;
		e.preventDefault();
		e.stopPropagation();
		place((Number(e.target.getAttribute("aria-valuenow")) + by) / 100);
	};
	return html`<div class="frame divided" ref=${at} style=${style} onPointerDown=${press} onPointerMove=${e => e.buttons && follow(e)} onPointerUp=${follow}>
		<img decoding="async" src=${b.url} alt=${b.alt} draggable=${false} />
		<img class="first" decoding="async" src=${a.url} alt=${a.alt} draggable=${false} />
		<div class="divider" role="slider" tabindex="0" aria-label=${label ?? "Divider"} aria-valuemin="0" aria-valuemax="100" aria-valuenow="50" onKeyDown=${key}></div>
	</div>`;
}

// Pair shows {url, alt} of two pictures of one size, in the mode divider or side.
export const Pair = ({mode, a, b, style, label}) => mode === "divider" ? html`<${Divider} a=${a} b=${b} style=${style} label=${label} />` :
	[a, b].map(p => html`<div class="frame" style=${style}><img decoding="async" src=${p.url} alt=${p.alt} draggable=${false} /></div>`);
