// Moves by words, with a slider for each number. While the hand moves, a draft follows.
import {html, useEffect, useRef, useState} from "./vendor/htm-preact.js";
import * as api from "./api.js";
import {state, set, useStudio, attempt, change, readOnly, words, number, headEvent} from "./state.js";

// used gives the values with which each move was applied last, on the way to HEAD.
function used(log) {
	const values = new Map();
	for (let e = log?.entries.get(log.head); e; e = log.entries.get(e.parents?.[0])) {
		if (e.op === "reset") break;
		if (e.entry && !values.has(e.entry)) values.set(e.entry, e.values ?? {});
	}
	return values;
}

const limits = mask => mask ? {mask} : {};

// moveOf is a move as the tools want it, limited to the mask that is used.
export const moveOf = (name, values) => ({primitive_name: name, ...(Object.keys(values).length && {values}), ...limits(state.useMask && state.mask)});

function Slider({move, parameter, value, changed, settled, released}) {
	const {name, unit, min, max, neutral = 0} = parameter;
	const span = max - min, step = span > 50 ? 1 : span > 5 ? 0.1 : 0.01;
	const id = `${move}-${name}`;
	const text = number(value) + (unit ? " " + unit : "");
	const there = neutral >= min && neutral <= max;
	return html`<div class="slider">
		<label for=${id}>${words(name)}</label>
		<output for=${id}>${text}</output>
		<div class="track">
			${there && html`<i class="neutral" style=${{left: (neutral - min) / span * 100 + "%"}} title=${"neutral: " + number(neutral)}></i>`}
			<input type="range" id=${id} min=${min} max=${max} step=${step} value=${value} disabled=${readOnly()}
				aria-valuetext=${text + (value === neutral ? ", neutral" : "")}
				onInput=${e => changed(name, Number(e.target.value))} onChange=${e => settled(name, Number(e.target.value))}
				onPointerDown=${() => { api.hand.down = true; }} onPointerUp=${released} onPointerCancel=${released} onBlur=${released} onDblClick=${() => there && settled(name, neutral)} />
		</div>
	</div>`;
}

function Move({move, last}) {
	const s = useStudio();
	const parameters = move.parameters ?? [];
	const start = () => Object.fromEntries(parameters.map(p => [p.name, last?.[p.name] ?? (last ? p.default : p.neutral ?? 0)]));
	const [values, hold] = useState(start);
	const lastKey = JSON.stringify(last ?? null);
	// What becomes of the edit meanwhile takes no slider from under the hand.
	const moving = useRef(false);
	const released = () => { moving.current = api.hand.down = false; };
	useEffect(() => { if (!moving.current) hold(start()); }, [lastKey]);
	const follow = (name, value) => {
		moving.current = true;
		const now = {...values, [name]: value};
		hold(now);
		set({view: "look", zoom: null, shown: null, showMask: false, draft: {ref: headEvent(), moves: [moveOf(move.name, now)]}});
	};
	const apply = async now => {
		released();
		hold(now);
		const done = await change("apply_primitive", moveOf(move.name, now));
		if (!done || !done.changed) set({draft: null});
		if (!done) hold(start());
	};
	const sweep = () => {
		const p = parameters[0], n = 9;
		const items = p ? Array.from({length: n}, (_, i) => {
			const value = Math.round((p.min + (p.max - p.min) * i / (n - 1)) * 1000) / 1000;
			return {name: number(value) + (p.unit ? " " + p.unit : ""), moves: [moveOf(move.name, {...values, [p.name]: value})]};
		}) : [{name: words(move.name), moves: [moveOf(move.name, {})]}];
		set({sheet: {title: words(move.name), items, ref: headEvent()}, view: "sheet"});
	};
	return html`<li class="move" data-move=${move.name}>
		<h3>${words(move.name)} <small>${move.layer} ${move.subject}</small></h3>
		<p>${move.description}</p>
		${!move.available && html`<p class="problem">${move.unavailable_reason}</p>`}
		${parameters.map(p => html`<${Slider} key=${p.name} move=${move.name} parameter=${p} value=${values[p.name]}
			changed=${follow} settled=${(name, value) => apply({...values, [name]: value})} released=${released} />`)}
		<div class="choices">
			<button type="button" class="apply" disabled=${readOnly() || !move.available} onClick=${() => apply(last || !parameters.length ? values : Object.fromEntries(parameters.map(p => [p.name, values[p.name] === (p.neutral ?? 0) ? p.default : values[p.name]])))}>Apply</button>
			<button type="button" class="try" disabled=${!move.available} onClick=${sweep}>Variants</button>
		</div>
	</li>`;
}

// What a picture wants first, where it is there.
const basics = ["exposure", "warmth", "tint", "contrast", "highlights", "shadows", "whites", "blacks", "saturation", "vibrance", "clarity", "dehaze"];

// all gives the moves that the installed darktable can do, once.
let vocabulary = null;
const all = () => vocabulary ??= api.call("list_vocabulary", {limit: 500, available_only: true}).catch(e => { vocabulary = null; throw e; });

// firstMoves are those that the edit has, then the basics, or those of a subject.
function firstMoves(entries, last, subject) {
	if (subject) return entries.filter(m => m.subject === subject);
	const rank = m => last.has(m.name) ? -1 : basics.indexOf(m.name);
	return entries.filter(m => last.has(m.name) || basics.includes(m.name)).sort((a, b) => rank(a) - rank(b));
}

export function Moves() {
	const s = useStudio();
	const [query, ask] = useState("");
	const [subject, within] = useState("");
	const [known, learn] = useState([]);
	const [found, list] = useState(null);
	const asked = useRef(0);
	useEffect(() => { attempt(async () => learn((await all()).entries)); }, []);
	useEffect(() => {
		const mine = ++asked.current;
		if (!query.trim()) return list(null);
		const wait = setTimeout(() => attempt(async () => {
			const answer = await api.call("list_vocabulary", {query, limit: 12});
			if (mine === asked.current) list(answer);
		}), 150);
		return () => clearTimeout(wait);
	}, [query]);
	const last = used(s.log);
	const subjects = [...new Set(known.map(m => m.subject))].sort();
	const entries = found?.entries ?? firstMoves(known, last, subject);
	return html`<div class="moves">
		<input type="search" id="search" placeholder="warmer skin, less haze …" aria-label="Search for moves" value=${query} onInput=${e => ask(e.target.value)} />
		${!found && html`<label>Subject <select id="subject" value=${subject} onChange=${e => within(e.target.value)}>
			<option value="">used, and the basics</option>${subjects.map(name => html`<option value=${name}>${words(name)}</option>`)}</select></label>`}
		${s.useMask && s.mask && html`<p class="hint">Limited to the mask. <button type="button" onClick=${() => set({useMask: false})}>Whole picture</button></p>`}
		${found?.answer && html`<p class="hint">${found.answer.says}</p>`}
		<ul aria-label="Moves" aria-busy=${s.busy > 0}>${entries.map(move => html`<${Move} key=${s.image + move.name} move=${move} last=${last.get(move.name)} />`)}</ul>
		<p class="hint">${entries.length} of ${found?.total ?? known.length} moves</p>
	</div>`;
}
