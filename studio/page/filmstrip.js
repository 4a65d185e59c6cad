// The images of the workspace. Only those in sight are on the page, however many there are.
import {html, useEffect, useRef, useState} from "./vendor/htm-preact.js";
import * as api from "./api.js";
import {state, set, useStudio, select, watch} from "./state.js";

const cell = 132; // CSS pixels, with the gap
const margin = 6; // cells on each side that are kept ready

// Thumbnail shows a version small, once it is in sight.
export function Thumbnail({image, look, size = 256, label}) {
	const at = useRef(null);
	const [shown, show] = useState(null);
	useEffect(() => {
		const given_up = new AbortController();
		show(null);
		const seen = new IntersectionObserver(async entries => {
			if (!entries.some(e => e.isIntersecting)) return;
			seen.disconnect();
			try {
				show(await api.thumbnails.run(() => api.picture({kind: "preview", image, ref: look, size}, given_up.signal), given_up.signal));
			} catch (e) {
				if (!given_up.signal.aborted) show({problem: e.message});
			}
		});
		// What only flies by is not developed.
		const wait = setTimeout(() => at.current && seen.observe(at.current), 150);
		return () => { clearTimeout(wait); seen.disconnect(); given_up.abort(); };
	}, [image, look, size]);
	return html`<span class="thumbnail" ref=${at}>${shown?.url ? html`<img src=${shown.url} alt=${label} draggable=${false} />` :
		shown?.problem ? html`<span class="broken" title=${shown.problem}>!</span>` : null}</span>`;
}

// step selects the image so many further on.
export function step(by) {
	const to = Math.min(Math.max(state.index + by, 0), state.total - 1);
	const image = state.images.get(to);
	if (image) select(image.image_id, to);
	document.querySelector(".strip")?.scrollTo({left: (to + 0.5) * cell - innerWidth / 2});
}

const stars = rating => rating === -1 ? "✕" : "★".repeat(rating ?? 0);

export function Filmstrip() {
	const s = useStudio();
	const strip = useRef(null);
	const [left, moved] = useState(0);
	const first = Math.max(Math.floor(left / cell) - margin, 0);
	const count = Math.ceil((strip.current?.clientWidth ?? innerWidth) / cell) + 2 * margin;
	useEffect(() => {
		const offset = Math.max(first - 10, 0), limit = Math.min(count + 20, 100);
		if (s.window.offset === offset && s.window.limit === limit) return;
		const wait = setTimeout(() => { set({window: {offset, limit}}); watch(); }, 120);
		return () => clearTimeout(wait);
	}, [first, count]);
	const cells = [];
	for (let i = first; i < Math.min(first + count, s.total); i++) cells.push(i);
	return html`<nav class="strip" ref=${strip} aria-label=${`Images: ${s.total}`} onScroll=${e => moved(e.target.scrollLeft)}
			onKeyDown=${e => { const by = {ArrowLeft: -1, ArrowRight: 1}[e.key]; if (by) { e.preventDefault(); step(by); } }}>
		<div class="reel" style=${{width: s.total * cell + "px"}}>
		${cells.map(i => {
			const image = s.images.get(i);
			return html`<div key=${i} class="cell" style=${{left: i * cell + "px"}}>${image && html`
				<button type="button" class="frame" aria-current=${image.image_id === s.image ? "true" : null} data-image=${image.image_id}
					aria-label=${image.image_id + (image.rating > 0 ? `, ${image.rating} stars` : image.rating === -1 ? ", rejected" : "")} onClick=${() => select(image.image_id, i)}>
					<${Thumbnail} image=${image.image_id} look=${image.head_hash} label="" />
					<span class="name">${image.image_id}</span>
					<span class="stars">${image.problem ? "!" : stars(image.rating)}${(image.color_labels ?? []).map(c => html`<i class=${"dot " + c}></i>`)}</span>
				</button>`}</div>`;
		})}</div></nav>`;
}
