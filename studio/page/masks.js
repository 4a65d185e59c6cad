// What a move is limited to: a named mask, points on a region, a box, a circle or a gradient.
import {html, useEffect, useState} from "./vendor/htm-preact.js";
import * as api from "./api.js";
import {state, set, useStudio, attempt, words} from "./state.js";

const tools = [["point", "Points on it"], ["off", "Points off it"], ["box", "Box"], ["circle", "Circle"], ["gradient", "Gradient"]];
const says = {
	point: "Click on what you mean.", off: "Click on what does not belong to it.", box: "Drag a box around it.",
	circle: "Drag from the middle outwards.", gradient: "Drag from what is selected to what is not.",
};
const round = v => Math.round(Math.min(Math.max(v, 0), 1) * 1e4) / 1e4;

// drawn is the mask with what was drawn from one place to another, in shares of the frame.
export function drawn(tool, mask, from, to, frame) {
	const dx = (to.x - from.x) * frame.width, dy = (to.y - from.y) * frame.height;
	const short = Math.min(frame.width, frame.height), length = Math.hypot(dx, dy);
	switch (tool) {
	case "point":
	case "off": {
		const point = {x: round(from.x), y: round(from.y), ...(tool === "off" && {keep: false})};
		return {...(mask?.points && mask), points: [...(mask?.points ?? []), point]};
	}
	case "box":
		if (Math.abs(dx) < 8 || Math.abs(dy) < 8) return mask;
		return {box: [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.max(from.x, to.x), Math.max(from.y, to.y)].map(round)};
	case "circle":
		if (length < 8) return mask;
		return {shapes: [{kind: "circle", x: round(from.x), y: round(from.y), radius: round(length / short)}]};
	case "gradient": {
		if (length < 8) return mask;
		// At 0° a gradient selects what is above its line; the hand goes away from what is selected.
		const rotation = Math.round((Math.atan2(dy, dx) * 180 / Math.PI - 90 + 540) % 360 - 180);
		return {shapes: [{kind: "gradient", x: round((from.x + to.x) / 2), y: round((from.y + to.y) / 2), rotation, softness: round(length / 2 / short)}]};
	}
	}
	return mask;
}

// usable reports whether a mask selects something: a point alone that is off a region does not.
export const usable = mask => !!mask && !(mask.points && !mask.points.some(p => p.keep !== false));

const onlyPoints = tool => !tool || tool === "point" || tool === "off";

// corrected is a mask whose point is somewhere else, or gone.
export function corrected(mask, i, to) {
	const points = mask.points.flatMap((p, j) => j !== i ? [p] : to ? [{...p, x: round(to.x), y: round(to.y)}] : []);
	return points.length ? {...mask, points} : null;
}

export const use = mask => set({mask, showMask: usable(mask), useMask: usable(mask)});

// Overlay lies on the picture, takes what the hand draws and shows what was drawn. A point
// that is there can be dragged; a click, or Delete, takes it away.
export function Overlay({frame}) {
	const s = useStudio();
	const [from, press] = useState(null); // {x, y}, and the point that is held
	const [to, follow] = useState(null);
	const place = e => {
		const r = e.currentTarget.getBoundingClientRect();
		return {x: (e.clientX - r.left) / r.width, y: (e.clientY - r.top) / r.height};
	};
	const pixels = (a, b) => Math.hypot((a.x - b.x) * frame.width, (a.y - b.y) * frame.height);
	const pointAt = at => onlyPoints(s.tool) ? (s.mask?.points ?? []).findIndex(p => pixels(p, at) < 12) : -1;
	const begin = e => {
		const at = place(e), point = pointAt(at);
		if (!s.tool && point < 0) return;
		e.currentTarget.setPointerCapture(e.pointerId);
		press({...at, point});
		follow(at);
	};
	const end = e => {
		if (!from) return;
		const at = place(e);
		use(from.point < 0 ? drawn(s.tool, s.mask, from, at, frame) : corrected(s.mask, from.point, pixels(from, at) > 4 ? at : null));
		press(null);
		follow(null);
	};
	const byKey = (e, i) => {
		const d = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Delete: null, Backspace: null}[e.key];
		if (d === undefined) return;
		e.preventDefault();
		e.stopPropagation();
		const p = s.mask.points[i];
		use(corrected(s.mask, i, d && {x: p.x + d[0] * 0.01, y: p.y + d[1] * 0.01}));
	};
	const held = from?.point >= 0 && to && pixels(from, to) > 4;
	const shown = held ? corrected(s.mask, from.point, to) : from && to && !onlyPoints(s.tool) ? drawn(s.tool, s.mask, from, to, frame) : s.mask;
	const short = Math.min(frame.width, frame.height);
	return html`<svg class="overlay" id="overlay" data-tool=${s.tool} viewBox=${`0 0 ${frame.width || 1} ${frame.height || 1}`} role="group"
		aria-label=${s.tool ? says[s.tool] : "The mask's points and shapes"}
		onPointerDown=${begin}
		onPointerMove=${e => from && follow(place(e))}
		onPointerCancel=${() => { press(null); follow(null); }}
		onPointerUp=${end}>
		${(shown?.points ?? []).map((p, i) => html`<circle class=${p.keep === false ? "off" : "on"} cx=${p.x * frame.width} cy=${p.y * frame.height} r="7" tabindex="0" role="button"
			aria-label=${`Point ${i + 1}, ${p.keep === false ? "off" : "on"} what is meant: arrows move it, Delete takes it away`} onKeyDown=${e => byKey(e, i)} />`)}
		${shown?.box && html`<rect x=${shown.box[0] * frame.width} y=${shown.box[1] * frame.height}
			width=${(shown.box[2] - shown.box[0]) * frame.width} height=${(shown.box[3] - shown.box[1]) * frame.height} />`}
		${(shown?.shapes ?? []).map(shape => shape.kind === "circle" ?
			html`<circle cx=${shape.x * frame.width} cy=${shape.y * frame.height} r=${shape.radius * short} />` :
			shape.kind === "gradient" && html`<g transform=${`translate(${shape.x * frame.width} ${shape.y * frame.height}) rotate(${shape.rotation ?? 0})`}>
				<line x1="-4000" x2="4000" y1="0" y2="0" /><path d="M0 0v-40m-8 10l8-10l8 10" /></g>`)}
	</svg>`;
}

export function Masks({forMoves = true}) {
	const s = useStudio();
	const [named, list] = useState([]);
	useEffect(() => { attempt(async () => list((await api.call("list_masks", {limit: 100})).masks)); }, []);
	const found = s.showMask && s.found;
	return html`<div class="masks">
		<label>Named mask <select id="named" value=${s.mask?.name ?? ""} onChange=${e => use(e.target.value ? {name: e.target.value} : null)}>
			<option value="">none</option>${named.map(m => html`<option value=${m.name} title=${m.description}>${words(m.name)}</option>`)}</select></label>
		<div class="choices" role="group" aria-label="Draw a mask">${tools.map(([id, name]) => html`
			<button type="button" data-tool=${id} aria-pressed=${s.tool === id} onClick=${() => set({tool: s.tool === id ? null : id, view: "look", zoom: null})}>${name}</button>`)}</div>
		${s.tool && html`<p class="hint">${says[s.tool]}</p>`}
		<div class="choices">
			<label><input type="checkbox" id="invert" disabled=${!s.mask} checked=${!!s.mask?.invert} onChange=${e => use({...s.mask, invert: e.target.checked || undefined})} /> Everything else</label>
			<label><input type="checkbox" id="show-mask" disabled=${!usable(s.mask)} checked=${s.showMask} onChange=${e => set({showMask: e.target.checked})} /> Show in red</label>
			${forMoves && html`<label><input type="checkbox" id="use-mask" disabled=${!usable(s.mask)} checked=${s.useMask} onChange=${e => set({useMask: e.target.checked})} /> Limit moves to it</label>`}
			<button type="button" id="no-mask" disabled=${!s.mask} onClick=${() => set({mask: null, showMask: false, useMask: false, tool: null})}>Clear</button>
		</div>
		${s.mask?.points?.length > 0 && html`<button type="button" id="last-point" onClick=${() => { const points = s.mask.points.slice(0, -1); use(points.length ? {...s.mask, points} : null); }}>Take back the last point</button>`}
		${found && html`<p id="selected">Selected: ${(found.fraction * 100).toFixed(1)} % of the picture${found.confidence !== undefined && html`, probably right to ${Math.round(found.confidence * 100)} %`}</p>`}
	</div>`;
}
