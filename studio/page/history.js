// The history as a graph: branches, merges and tags, newest first.
import {html, useState} from "./vendor/htm-preact.js";
import {state, set, useStudio, change, readOnly, title, shortRef, shownEvent} from "./state.js";
import {Thumbnail} from "./filmstrip.js";

const row = 68, lane = 14;

// lanes places each entry: its lane, and the lines from it to its parents.
export function lanes(entries) {
	const open = []; // the event that each lane waits for
	const rows = entries.map(entry => {
		let mine = open.indexOf(entry.event);
		if (mine < 0) mine = open.indexOf(undefined) < 0 ? open.length : open.indexOf(undefined);
		open.forEach((event, i) => { if (event === entry.event) open[i] = undefined; });
		const through = open.map((event, i) => event ? i : -1).filter(i => i >= 0);
		const parents = (entry.parents ?? []).map((parent, i) => {
			let to = open.indexOf(parent);
			if (to < 0) {
				to = i === 0 && open[mine] === undefined ? mine : open.indexOf(undefined);
				if (to < 0) to = open.length;
				open[to] = parent;
			}
			return to;
		});
		while (open.length && open.at(-1) === undefined) open.pop();
		return {entry, lane: mine, through, parents};
	});
	return {rows, width: Math.max(1, ...rows.map(r => Math.max(r.lane, ...r.through, ...r.parents) + 1))};
}

// ordered puts children before their parents, and newer before older.
function ordered(log) {
	const children = new Map();
	for (const e of log.entries.values()) for (const p of e.parents ?? []) children.set(p, (children.get(p) ?? 0) + 1);
	const ready = [...log.entries.values()].filter(e => !children.get(e.event));
	const out = [];
	while (ready.length) {
		ready.sort((a, b) => a.time.localeCompare(b.time));
		const e = ready.pop();
		out.push(e);
		for (const p of e.parents ?? []) {
			const left = children.get(p) - 1;
			children.set(p, left);
			const parent = log.entries.get(p);
			if (left === 0 && parent) ready.push(parent);
		}
	}
	return out;
}

function Lines({at, width}) {
	const x = i => i * lane + lane / 2, middle = row / 2;
	return html`<svg class="lines" width=${width * lane} height=${row} aria-hidden="true">
		${at.through.map(i => html`<path d=${`M${x(i)} 0V${row}`} />`)}
		${at.through.includes(at.lane) || html`<path d=${`M${x(at.lane)} 0V${middle}`} class=${at.top ? "none" : ""} />`}
		${at.parents.map(i => html`<path d=${`M${x(at.lane)} ${middle}C${x(at.lane)} ${row} ${x(i)} ${middle} ${x(i)} ${row}`} />`)}
		<circle cx=${x(at.lane)} cy=${middle} r="4.5" class=${at.parents.length > 1 ? "merge" : ""} /></svg>`;
}

function Name({entry}) {
	const [name, say] = useState("");
	const make = tool => async () => {
		if (!name.trim()) return;
		const version = tool === "tag" ? {hash: entry.event} : {ref_or_hash: entry.event};
		if (await change(tool, {name: name.trim(), ...version})) say("");
	};
	// No form: the frame of a view may send none.
	return html`<div class="name">
		<input id="ref-name" placeholder="name" aria-label="Name of the branch or tag" value=${name} onInput=${e => say(e.target.value)}
			onKeyDown=${e => e.key === "Enter" && make("branch")()} />
		<button type="button" id="branch" disabled=${!name.trim()} onClick=${make("branch")}>Branch</button>
		<button type="button" id="tag" disabled=${!name.trim()} onClick=${make("tag")}>Tag</button></div>`;
}

export function History({compare = true}) {
	const s = useStudio();
	if (!s.log) return html`<p class="hint">Reading…</p>`;
	const {rows, width} = lanes(ordered(s.log));
	const shown = shownEvent(), entry = s.log.entries.get(shown);
	const branches = s.log.refs.filter(r => r.startsWith("refs/heads/"));
	return html`<div class="history">
		<div class="actions-of" aria-label="What to do with the version that is shown">
			<div class="choices">
				<button type="button" id="checkout" disabled=${readOnly() || shown === s.log.head} onClick=${() => change("checkout", {ref_or_hash: (entry.ref ?? []).find(r => r.startsWith("refs/heads/")) ?? shown})}>Check out</button>
				${compare && html`<button type="button" id="compare-with" disabled=${shown === s.log.head} onClick=${() => set({compare: {...s.compare, a: shown, b: s.log.head}, view: "compare"})}>Compare with HEAD</button>`}
				<label>Branch <select id="branches" disabled=${readOnly()} value="" onChange=${e => e.target.value && change("checkout", {ref_or_hash: e.target.value})}>
					<option value="">go to …</option>${branches.map(r => html`<option value=${r}>${shortRef(r)}</option>`)}</select></label>
			</div>
			${entry && !readOnly() && html`<${Name} entry=${entry} />`}
		</div>
		<ol aria-label="Versions, newest first">${rows.map((at, i) => {
			const e = at.entry;
			at.top = !rows.slice(0, i).some(r => r.entry.parents?.includes(e.event));
			return html`<li key=${e.event} class=${e.event === s.log.head ? "head" : ""}>
				<${Lines} at=${at} width=${width} />
				<button type="button" class="version" data-event=${e.event} aria-current=${e.event === shown ? "true" : null}
					onClick=${() => set({shown: e.event === s.log.head ? null : e.event, view: "look", draft: null, before: false})}>
					<${Thumbnail} image=${s.image} look=${e.event} label="" />
					<span class="what"><b>${title(e)}</b>
						<span class="refs">${e.event === s.log.head && html`<em class="ref">HEAD</em>`}${(e.ref ?? []).filter(r => r !== "HEAD").map(r => html`<em class=${r.startsWith("refs/tags/") ? "ref tag" : "ref"}>${shortRef(r)}</em>`)}</span>
						<small>${e.actor} · ${e.time && new Date(e.time).toLocaleString()}</small></span>
				</button></li>`;
		})}</ol>
	</div>`;
}
