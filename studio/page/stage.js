// The picture, large: whole, or a part of it at 100 %.
import {html, useEffect, useLayoutEffect, useMemo, useRef, useState} from "./vendor/htm-preact.js";
import * as api from "./api.js";
import {state, set, useStudio, shownEvent, headEvent, title} from "./state.js";
import {Overlay} from "./masks.js";

// useSize gives the size of an element in CSS pixels.
export function useSize(ref) {
	const [size, resized] = useState({width: 0, height: 0});
	useLayoutEffect(() => {
		const box = () => ref.current && resized({width: ref.current.clientWidth, height: ref.current.clientHeight});
		const observer = new ResizeObserver(box);
		if (ref.current) observer.observe(ref.current);
		box();
		return () => observer.disconnect();
	}, []);
	return size;
}

// edge is the longest edge to ask for, in steps, so that few sizes are developed.
export function edge(size, most = 2048) {
	const pixels = Math.max(size.width, size.height) * (devicePixelRatio || 1);
	return Math.min(Math.max(Math.ceil(pixels / 256) * 256, 512), most);
}

// fit is the size of a picture within a box.
export function fit(picture, box) {
	if (!picture?.width || !box.width) return {width: 0, height: 0};
	const scale = Math.min(box.width / picture.width, box.height / picture.height, 1);
	return {width: Math.floor(picture.width * scale), height: Math.floor(picture.height * scale)};
}

// usePicture gives the newest picture that is there of what was asked for last: until the
// new one has come, the old one stays.
export function usePicture(query) {
	const [shown, show] = useState(null);
	const [problem, tell] = useState("");
	const key = query && JSON.stringify(query);
	const last = useRef(key);
	last.current = key;
	useEffect(() => {
		if (!key) return;
		const given_up = new AbortController();
		tell("");
		api.thumbnails.ahead(() => api.picture(query, given_up.signal)).then(picture => {
			if (last.current === key) show({...picture, key, query});
		}, e => {
			if (!given_up.signal.aborted) tell(e.message);
		});
		// A draft that is on its way is kept: ending it would end the darktable that has the raw.
		return () => { if (query.region) given_up.abort(); };
	}, [key]);
	return {shown, problem, waiting: !!key && shown?.key !== key && !problem};
}

// useDraft gives the picture of the moves that the hand is at: small while the hand moves, and
// when it rests as large as the picture that is then applied, which is there at once.
function useDraft(image, draft, size) {
	const [shown, show] = useState(null);
	const key = draft && JSON.stringify([image, draft]);
	const wanted = useRef(key);
	wanted.current = key;
	useLayoutEffect(() => { // before the browser paints: a draft takes its time
		if (!key) {
			api.hand.drop();
			show(null);
			return;
		}
		api.hand.to(async whole => {
			try {
				const query = {kind: "draft", image, ref: draft.ref, moves: draft.moves, size: whole ? size : Math.min(size, 512)};
				const picture = await api.thumbnails.ahead(() => api.picture(query));
				if (wanted.current) show({...picture, key});
			} catch (e) {
				if (wanted.current === key) set({message: e.message});
			}
		});
	}, [key, size]);
	return key && shown;
}

const natural = e => ({width: e.target.naturalWidth, height: e.target.naturalHeight});

export function Stage() {
	const s = useStudio();
	const at = useRef(null);
	const box = useSize(at);
	const size = edge(box);
	const ref = shownEvent();
	const live = ref === headEvent() && !s.before;
	const mask = live && s.showMask && s.mask;
	const ready = box.width > 0 && ref;
	const preview = usePicture(ready ? {kind: "preview", image: s.image, ref, size} : null);
	const masked = usePicture(ready && mask ? {kind: "mask", image: s.image, mask, size: Math.min(size, 1024), at: ref} : null);
	const draft = useDraft(s.image, live ? s.draft : null, size);
	const [picture, loaded] = useState(null);
	useEffect(() => { if (mask && masked.shown) set({found: masked.shown.result}); }, [masked.shown, mask]);
	if (s.zoom && ready) return html`<div class="stage" ref=${at}><${Zoomed} image=${s.image} version=${ref} box=${box} /></div>`;
	// When a draft has been applied it stays until the picture of the new version is there.
	const held = useRef(null);
	if (draft) held.current = {image: s.image, draft};
	else if (!preview.waiting) held.current = null;
	const late = live && held.current?.image === s.image ? held.current.draft : null;
	const shown = mask && masked.shown ? masked.shown : late || preview.shown || s.given;
	const frame = fit(picture && {width: picture.width * 4, height: picture.height * 4}, box);
	const entry = s.log?.entries.get(ref);
	const problem = (mask ? masked.problem : "") || preview.problem;
	return html`<div class="stage" ref=${at} aria-busy=${preview.waiting || (mask && masked.waiting)}>
		<div class="frame" style=${{width: frame.width + "px", height: frame.height + "px"}}>
			${shown && html`<img id="picture" src=${shown.url} onLoad=${e => loaded(natural(e))} draggable=${false} data-version=${ref} data-key=${shown.key}
				alt=${`${s.image}: ${s.before ? "before" : title(entry) || "the picture"}`}
				onClick=${e => { if (!s.tool) { const r = e.target.getBoundingClientRect(); set({zoom: {x: (e.clientX - r.left) / r.width, y: (e.clientY - r.top) / r.height}}); } }} />`}
			${live && (s.tool || s.mask) && s.panel === "masks" && html`<${Overlay} frame=${frame} />`}
		</div>
		${!shown && !problem && html`<p class="wait">Developing…</p>`}
		${problem && html`<p class="wait problem">${problem}</p>`}
		${s.before && html`<p class="badge">Before</p>`}
		${late && !mask && html`<p class="badge">Draft</p>`}
		<button type="button" id="zoom" class="corner" onClick=${() => set({zoom: {x: 0.5, y: 0.5}})} title="Z">100 %</button>
	</div>`;
}

// full is the width of images in pixels of the full size, as far as it is known.
const full = new Map();
const likely = {width: 4000, height: 2667};

// regionAround is the part of a picture around a place that fills a window at 100 %.
function regionAround(place, box, size, density) {
	const share = (window, whole) => Math.min(Math.ceil(window * density / whole * 1e4) / 1e4, 1);
	const width = share(box.width, size.width), height = share(box.height, size.height);
	const from = (at, part) => Math.floor(Math.min(Math.max(at - part / 2, 0), 1 - part) * 1e4) / 1e4;
	return {x: from(place.x, width), y: from(place.y, height), width, height};
}

// Zoomed shows the part of the picture around a place, a pixel for a pixel.
function Zoomed({image, version, box}) {
	const s = useStudio();
	const [drag, dragged] = useState(null);
	const density = devicePixelRatio || 1;
	const known = full.get(image) ?? likely;
	// The region is that of a place and a window: what is learnt of the size holds from the
	// next one on, or at once where the picture does not fill the window.
	const [learning, again] = useState(0);
	const region = useMemo(() => regionAround(s.zoom, box, known, density), [s.zoom, box.width, box.height, image, learning]);
	const part = region;
	const {shown, problem, waiting} = usePicture({kind: "preview", image, ref: version, region, size: 4096});
	useEffect(() => {
		if (shown?.query.region !== region) return;
		const {width, height} = shown.result;
		full.set(image, {width: Math.round(width / region.width), height: Math.round(height / region.height)});
		const short = width < box.width * density - 2 && region.width < 1 || height < box.height * density - 2 && region.height < 1;
		if (short && learning < 3) again(learning + 1);
	}, [shown]);
	const move = e => drag && dragged({...drag, x: e.clientX - drag.from.x, y: e.clientY - drag.from.y});
	const drop = () => {
		if (!drag) return;
		const far = Math.abs(drag.x) + Math.abs(drag.y) > 4;
		set({zoom: far ? {
			x: Math.min(Math.max(region.x + region.width / 2 - drag.x * density / known.width, 0), 1),
			y: Math.min(Math.max(region.y + region.height / 2 - drag.y * density / known.height, 0), 1),
		} : null});
		dragged(null);
	};
	const by = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
	return html`<div class="zoomed" tabindex="0" role="application" aria-label="The picture at 100 %: drag or use the arrow keys to move, Escape to leave" aria-busy=${waiting}
		onPointerDown=${e => { e.currentTarget.setPointerCapture(e.pointerId); dragged({from: {x: e.clientX, y: e.clientY}, x: 0, y: 0}); }}
		onPointerMove=${move} onPointerUp=${drop} onPointerCancel=${() => dragged(null)}
		onKeyDown=${e => { const d = by[e.key]; if (d) { e.preventDefault(); e.stopPropagation();
			set({zoom: {x: Math.min(Math.max(s.zoom.x + d[0] * part.width / 3, 0), 1), y: Math.min(Math.max(s.zoom.y + d[1] * part.height / 3, 0), 1)}}); } }}>
		${shown && html`<img id="region" src=${shown.url} draggable=${false} alt="" data-region=${JSON.stringify(shown.query.region)}
			style=${{width: shown.result.width / density + "px", transform: drag ? `translate(${drag.x}px, ${drag.y}px)` : ""}} />`}
		${problem && html`<p class="wait problem">${problem}</p>`}
		${waiting && html`<p class="badge">Developing…</p>`}
		<button type="button" id="zoom" class="corner" onPointerDown=${e => e.stopPropagation()} onClick=${() => set({zoom: null})} title="Z">Whole picture</button>
	</div>`;
}
