// A view inside a client: the answer of one tool, made of the parts of the studio's page.
import {html, render, useEffect, useState} from "../page/vendor/htm-preact.js";
import * as api from "../page/api.js";
import {state, set, useStudio, attempt, loadLog, say, headEvent, shownEvent, title, readOnly} from "../page/state.js";
import {Stage} from "../page/stage.js";
import {Compare} from "../page/compare.js";
import {Variants} from "../page/sheet.js";
import {History} from "../page/history.js";
import {Masks, usable} from "../page/masks.js";
import * as client from "./host.js";
import {can, dataOf, picture, pictureOf, useClient} from "./program.js";

const root = document.getElementById("studio");
const view = root.dataset.view;

// answer is what the view is about: the tool's arguments and its result.
const answer = {args: null, result: null, data: null};

// eventOf is the version that a name means now, or the name itself where there is no log.
async function eventOf(ref) {
	if (!can("log")) return ref;
	const {entries: [entry]} = await api.call("log", {image_id: state.image, ref, limit: 1});
	if (state.log && !state.log.entries.has(entry.event)) state.log.entries.set(entry.event, entry);
	return entry.event;
}

// withLog reads the history, or does with the one version that is shown.
async function withLog(ref) {
	if (can("log")) await loadLog();
	state.log ??= {entries: new Map([[ref, {event: ref, hash: ref, op: "", time: "", actor: ""}]]), head: ref, refs: [], root: ref};
	set({});
}

function Preview() {
	const s = useStudio();
	return html`<${Stage} /><div class="bar">
		<button type="button" id="before" aria-pressed=${s.before} disabled=${!s.log?.root || s.log.root === s.log.head} onClick=${() => set({before: !s.before})}>Before</button>
		<span>${s.before ? "The baseline" : title(s.log?.entries.get(shownEvent()))}</span></div>`;
}

const start = {
	async render_preview({ref_or_hash: ref = "HEAD", region}, {state_hash: look}) {
		await withLog(look);
		// What is shown is the look of then, wherever HEAD is now.
		const entry = [...state.log.entries.values()].find(e => e.hash === look);
		if (!entry) state.log.entries.set(look, {event: look, op: String(ref), time: "", actor: ""});
		set({shown: entry?.event ?? look, zoom: region ? {x: region.x + region.width / 2, y: region.y + region.height / 2} : null});
	},
	async compare({hash_a, hash_b, size}, then) {
		await withLog(hash_b);
		const [a, b] = await Promise.all([eventOf(hash_a), eventOf(hash_b)]);
		set({compare: {a, b, mode: "divider", numbers: null}});
		return async () => { // a name may mean another version since
			const {result: now} = await picture({kind: "difference", image: state.image, a, b, size});
			if (now.mean_delta_e !== then.mean_delta_e || now.max_delta_e !== then.max_delta_e) say("One of the versions is another one since this answer.");
		};
	},
	async render_variants(args, {variants}) {
		const {primitive_name, parameter} = args, values = args.parameter_values ?? args.values ?? [];
		const items = variants.map(({name, state_hash}, i) => ({
			name, look: state_hash,
			moves: args.variants?.[i]?.moves ?? [{primitive_name, ...(parameter ? {values: {[parameter]: values[i]}} : {value: values[i]})}],
		}));
		set({sheet: {items, ref: args.ref_or_hash ?? "HEAD", size: args.size ?? 480}}); // as they are developed already
	},
	async log() { await withLog("HEAD"); },
	async preview_mask({mask}) {
		await withLog("HEAD");
		set({panel: "masks", mask, showMask: usable(mask)});
	},
};

// choose makes a variant the edit, where it gives what its picture shows.
const choose = item => attempt(async () => {
	const {image, sheet} = state;
	const now = await picture({kind: "draft", image, moves: item.moves, size: sheet.size});
	if (now.result.state_hash !== item.look) throw new Error("The edit is another one since: these variants no longer fit. Ask for new ones.");
	let done = 0;
	try {
		for (const move of item.moves) {
			await api.call("apply_primitive", {image_id: image, ...move});
			done++;
		}
	} catch (e) {
		throw new Error(done ? `${e.message} ${done} of ${item.moves.length} moves are applied; undo takes them back.` : e.message);
	}
	set({sheet: {...sheet, items: sheet.items.map(i => ({...i, chosen: i === item}))}});
	const heard = await client.tell(`I choose the variant ${JSON.stringify(item.name.slice(0, 100))} of image ${image}. It is applied already: ` +
		`HEAD's look is ${item.look}.`);
	say(heard ? `“${item.name}” is applied, and the agent knows.` : `“${item.name}” is applied. This client does not tell the agent: do so yourself.`);
});

function Choice() {
	const s = useStudio();
	const {items, ref, size} = s.sheet ?? {items: []};
	useEffect(() => { // the more variants, the higher
		const resized = new ResizeObserver(fit);
		resized.observe(root.querySelector(".grid"));
		return () => resized.disconnect();
	}, []);
	const chosen = items.some(i => i.chosen);
	return html`<section class="sheet" aria-label="Variants">
		<${Variants} items=${items} image=${s.image} base=${ref} size=${size} choose=${can("view_apply") && !chosen && !s.busy ? choose : null} />
	</section>`;
}

// maskChanged has the agent know the mask as it is now.
let lastMask = "";
function Mask() {
	const s = useStudio();
	const now = JSON.stringify(s.mask);
	useEffect(() => {
		if (lastMask && now !== lastMask && usable(s.mask)) client.note(`The person corrected the mask of image ${s.image}. It is now ${now}`);
		lastMask = now;
	}, [now]);
	const use = () => attempt(async () => {
		const heard = await client.tell(`Use this mask of image ${s.image}: ${now}`);
		say(heard ? "The agent has the mask." : "This client does not tell the agent. The mask is " + now);
	});
	return html`<${Stage} /><div class="panel"><${Masks} forMoves=${false} />
		<button type="button" id="use" disabled=${!usable(s.mask)} onClick=${use}>Use this mask</button></div>`;
}

const Log = () => html`<${Stage} /><div class="panel">
	<button type="button" id="refresh" onClick=${() => attempt(loadLog)}>Read again</button><${History} compare=${false} /></div>`;

const parts = {render_preview: Preview, compare: Compare, render_variants: Choice, log: Log, preview_mask: Mask};

// Given shows the answer's own picture, where there is nothing better.
const Given = () => html`<div class="stage">${state.given && html`<img id="given" src=${state.given.url} alt="The picture of the answer" />`}</div>`;

function Head() {
	const s = useStudio();
	const full = client.host.context.displayMode === "fullscreen";
	const modes = client.host.context.availableDisplayModes ?? [];
	const toggle = () => client.request("ui/request-display-mode", {mode: full ? "inline" : "fullscreen"})
		.then(({mode}) => context({displayMode: mode}), e => say(e.message));
	return html`<header><h1>${s.image ?? "Chemigram"}</h1>
		${s.about?.read_only && html`<span class="hint">read only</span>`}
		${(full || modes.includes("fullscreen")) && html`<button type="button" id="full" class="actions" onClick=${toggle}>${full ? "Smaller" : "Full screen"}</button>`}</header>`;
}

function View() {
	const s = useStudio();
	const Part = parts[view];
	const text = s.message || s.problem || (s.busy ? "Working…" : "");
	return html`<${Head} />
		<main class=${"of-" + view}>${s.wait ? html`<p class="wait">${s.wait}</p>` : s.begun ? html`<${Part} />` : html`<${Given} />`}</main>
		<p class="status" id="status" role="status" aria-live="polite" data-problem=${!!s.problem}>${text}</p>`;
}

let asked = {};

// fit makes the view as high as it needs, in what the client gives it.
function fit() {
	const {containerDimensions: box = {}, displayMode, safeAreaInsets: inset} = client.host.context;
	const fixed = displayMode === "fullscreen" || box.height;
	const wide = innerWidth > 700;
	const share = {render_preview: 0.72, compare: wide ? 0.8 : 1.3, log: wide ? 0.6 : 1.4, preview_mask: wide ? 0.6 : 1.5}[view];
	const wanted = share ? share * innerWidth + 60 : (root.querySelector(".grid")?.offsetHeight ?? 0) + 90;
	const height = Math.round(Math.min(Math.max(wanted, 320), box.maxHeight ?? 760));
	if (height === asked.height && innerWidth === asked.width && fixed === asked.fixed) return;
	asked = {height, width: innerWidth, fixed};
	root.style.height = fixed ? "100dvh" : height + "px";
	if (inset) root.style.padding = `${inset.top}px ${inset.right}px ${inset.bottom}px ${inset.left}px`;
	if (!fixed) client.notify("ui/notifications/size-changed", {width: innerWidth, height});
}

function context(news) {
	Object.assign(client.host.context, news);
	fit();
	set({});
}

// begin shows the answer, once its arguments and its result are there.
async function begin() {
	const {args, result} = answer;
	if (!result || answer.data) return;
	try {
		answer.data = dataOf(result);
	} catch (e) {
		return set({wait: e.message});
	}
	const url = pictureOf(result);
	set({wait: "", given: url && {url, key: "given"}, image: args?.image_id ?? null});
	if (!args || client.host.capabilities && !client.host.capabilities.serverTools) {
		return set({problem: "This client lets views ask for nothing: here is the answer's own picture."});
	}
	await attempt(async () => {
		const later = await start[view](args, answer.data);
		set({begun: true});
		await later?.();
	});
}

useClient(root.dataset.tools.split(" "));
set({about: {read_only: view === "log" ? !["checkout", "branch", "tag"].every(can) : view === "render_variants" && !can("view_apply")}, wait: "Waiting for the answer…"});
root.replaceChildren();
render(html`<${View} />`, root);

const greeted = client.open({name: "chemigram " + view, version: root.dataset.version}, {
	"ui/notifications/tool-input": params => { answer.args ??= params.arguments ?? {}; },
	"ui/notifications/tool-result": params => { answer.result ??= params; greeted.then(begin); },
	"ui/notifications/tool-cancelled": () => set({wait: "The call was cancelled."}),
	"ui/notifications/host-context-changed": context,
	closed: () => render(null, root),
});
greeted.then(() => { fit(); set({}); });
addEventListener("resize", fit);
addEventListener("keydown", e => { if (e.key === "Escape") set({tool: null, zoom: null, before: false}); });
