import {html, render} from "./vendor/htm-preact.js";
import * as api from "./api.js";
import {state, set, useStudio, readOnly, change, rate, select, summary, watch, stopWatching, title} from "./state.js";
import {Filmstrip, step} from "./filmstrip.js";
import {Stage} from "./stage.js";
import {History} from "./history.js";
import {Moves} from "./moves.js";
import {Compare} from "./compare.js";
import {Sheet} from "./sheet.js";
import {Masks} from "./masks.js";
import {Export} from "./export.js";

const views = [["look", "Picture"], ["compare", "Compare"], ["sheet", "Variants"]];
const panels = [["moves", "Moves"], ["masks", "Masks"], ["history", "History"], ["export", "Export"]];

function Tabs({label, items, chosen, choose}) {
	return html`<div class="tabs" role="tablist" aria-label=${label}>${items.map(([id, name]) => html`
		<button type="button" role="tab" id=${"tab-" + id} aria-selected=${chosen === id} onClick=${() => choose(id)}>${name}</button>`)}</div>`;
}

function Rating() {
	const rating = summary()?.rating ?? 0;
	return html`<div class="rating" role="group" aria-label="Rating">
		${[1, 2, 3, 4, 5].map(n => html`<button type="button" disabled=${readOnly()} aria-pressed=${rating >= n}
			aria-label=${n + (n > 1 ? " stars" : " star")} onClick=${() => rate(rating === n ? 0 : n)}>${rating >= n ? "★" : "☆"}</button>`)}
		<button type="button" disabled=${readOnly()} aria-pressed=${rating === -1} aria-label="Reject" onClick=${() => rate(rating === -1 ? 0 : -1)}>✕</button>
	</div>`;
}

function Header() {
	const s = useStudio();
	const locked = readOnly() || !s.image;
	const looked = s.shown && s.log?.entries.get(s.shown);
	return html`<header>
		<h1>${s.image ?? "Chemigram studio"}</h1>
		<${Rating} />
		<${Tabs} label="View" items=${views} chosen=${s.view} choose=${view => set({view})} />
		<div class="actions">
			<button type="button" id="undo" disabled=${locked} onClick=${() => change("undo")} title="Ctrl+Z">Undo</button>
			<button type="button" id="redo" disabled=${locked} onClick=${() => change("redo")} title="Ctrl+Shift+Z">Redo</button>
			<button type="button" id="before" aria-pressed=${s.before} onClick=${() => set({before: !s.before})} title="B, held">Before</button>
		</div>
		${looked && html`<p class="looking">Looking at “${title(looked)}” <button type="button" onClick=${() => set({shown: null})}>Back to HEAD</button></p>`}
	</header>`;
}

function Status() {
	const s = useStudio();
	const text = s.message || s.problem || (s.busy ? "Working…" : s.live ? "" : "The program does not answer; trying again…");
	return html`<p class="status" id="status" role="status" aria-live="polite" data-problem=${!!(s.message || s.problem)}>${text}
		${s.message && html` <button type="button" onClick=${() => set({message: ""})}>Close</button>`}
		${s.about?.read_only && html`<span class="locked">read only</span>`}</p>`;
}

function Main() {
	const s = useStudio();
	if (!s.image) return html`<main><p class="wait">No images yet. The agent registers raws with ingest.</p></main>`;
	const View = {look: Stage, compare: Compare, sheet: Sheet}[s.view];
	const Panel = {moves: Moves, masks: Masks, history: History, export: Export}[s.panel];
	return html`<main><${View} /></main>
		<aside aria-label="Tools">
			<${Tabs} label="Tools" items=${panels} chosen=${s.panel} choose=${panel => set({panel, tool: panel === "masks" ? s.tool : null, showMask: panel === "masks" && s.showMask})} />
			<div class="panel" role="tabpanel" aria-labelledby=${"tab-" + s.panel}><${Panel} /></div>
		</aside>`;
}

function Studio() {
	return html`<${Header} /><${Main} /><${Filmstrip} /><${Status} />`;
}

const inText = target => target.closest?.("input:not([type=range]):not([type=checkbox]), textarea, select");

const keys = {
	ArrowLeft: e => e.target.closest?.("input, [role=slider], .strip") ? null : step(-1),
	ArrowRight: e => e.target.closest?.("input, [role=slider], .strip") ? null : step(1),
	b: () => set({before: true}),
	z: () => set({zoom: state.zoom ? null : {x: 0.5, y: 0.5}}),
	c: () => set({view: state.view === "compare" ? "look" : "compare"}),
	"/": e => { e.preventDefault(); set({panel: "moves"}); setTimeout(() => document.getElementById("search")?.focus()); },
	Escape: () => set({tool: null, zoom: null, before: false, message: ""}),
};

addEventListener("keydown", e => {
	if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z" && !inText(e.target)) {
		e.preventDefault();
		if (!readOnly()) change(e.shiftKey ? "redo" : "undo");
		return;
	}
	if (e.ctrlKey || e.metaKey || e.altKey || e.repeat && e.key === "b" || inText(e.target)) return;
	if (/^[0-5]$/.test(e.key) && !readOnly() && state.image) rate(Number(e.key));
	else keys[e.key]?.(e);
});
addEventListener("keyup", e => { if (e.key === "b" && !inText(e.target)) set({before: false}); });
// A page that nobody sees holds no connection: browsers have six for each host.
document.addEventListener("visibilitychange", () => document.hidden ? stopWatching() : watch());

async function start() {
	const root = document.getElementById("studio");
	try {
		await api.enter();
		set({about: await api.about()});
	} catch (e) {
		root.replaceChildren(Object.assign(document.createElement("p"), {className: "wait", id: "refused", textContent: "The page cannot be opened: " + e.message}));
		return;
	}
	root.replaceChildren();
	render(html`<${Studio} />`, root);
	watch();
}
start();
