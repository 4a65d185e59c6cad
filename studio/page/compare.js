// Two versions: under a divider, side by side, or their difference.
import {html, useEffect, useRef, useState} from "./vendor/htm-preact.js";
import * as api from "./api.js";
import {state, set, useStudio, attempt, title, words, shortRef} from "./state.js";
import {usePicture, useSize, edge, fit} from "./stage.js";
import {Modes, Pair} from "./pair.js";

function Versions({label, id, value, choose}) {
	const {log} = useStudio();
	const entries = [...log.entries.values()].sort((a, b) => b.time.localeCompare(a.time));
	return html`<label>${label} <select id=${id} value=${value} onChange=${e => choose(e.target.value)}>${entries.map(e => html`
		<option value=${e.event}>${[e.event === log.head ? "HEAD" : "", ...(e.ref ?? []).filter(r => r !== "HEAD").map(shortRef), title(e)].filter(Boolean).join(" · ")}</option>`)}</select></label>`;
}

// short is a value as far as a line goes: outlines have hundreds of points.
const short = value => !value ? "–" : value.length > 60 ? value.slice(0, 57) + "…" : value;

function inWords(change) {
	const name = words(change.module) + (change.instance && !change.instance.startsWith("#") ? ` “${change.instance}”` : "");
	return html`<li><b>${name}</b> ${change.kind}${change.fields?.length > 0 && html`<ul>${change.fields.slice(0, 12).map(f => html`
		<li>${words(f.name)}: ${short(f.before)} → ${short(f.after)}${f.unit && " " + f.unit}</li>`)}${change.fields.length > 12 && html`<li>and ${change.fields.length - 12} more</li>`}</ul>`}</li>`;
}

function Difference({a, b}) {
	const s = useStudio();
	const [changes, tell] = useState(null);
	useEffect(() => {
		let gone = false;
		tell(null);
		if (a !== b) attempt(async () => { const {changes} = await api.call("diff", {image_id: s.image, hash_a: a, hash_b: b}); if (!gone) tell(changes); });
		return () => { gone = true; };
	}, [s.image, a, b]);
	if (a === b) return html`<p class="hint" id="diff">The same version twice.</p>`;
	return html`<ul class="diff" id="diff" aria-label="What differs">${changes?.map(inWords)}${changes?.length === 0 && html`<li>Nothing differs.</li>`}</ul>`;
}

export function Compare() {
	const s = useStudio();
	const at = useRef(null);
	const box = useSize(at);
	const a = s.compare.a ?? s.log?.root, b = s.compare.b ?? s.shown ?? s.log?.head;
	const {mode} = s.compare;
	const half = mode === "side" && box.width > box.height ? {width: box.width / 2 - 4, height: box.height} : mode === "side" ? {width: box.width, height: box.height / 2 - 4} : box;
	const size = edge(half);
	const ready = box.width > 0 && a && b;
	const ask = ref => ready ? {kind: "preview", image: s.image, ref, size} : null;
	const first = usePicture(ask(a)), second = usePicture(ask(b));
	const between = usePicture(ready && mode === "difference" && a !== b ? {kind: "difference", image: s.image, a, b, size: Math.min(size, 1536)} : null);
	const pick = patch => set({compare: {...s.compare, a, b, ...patch}});
	const problem = first.problem || second.problem || between.problem;
	const frame = first.shown && fit({width: first.shown.result.width * 4, height: first.shown.result.height * 4}, half);
	const inBox = frame && {width: frame.width + "px", height: frame.height + "px"};
	const both = first.shown && second.shown;
	const n = mode === "difference" && between.shown?.result;
	return html`<section class="compare" aria-label="Compare">
		${s.log && html`<div class="bar">
			<${Versions} label="Left" id="version-a" value=${a} choose=${a => pick({a})} />
			<${Versions} label="Right" id="version-b" value=${b} choose=${b => pick({b})} />
			<${Modes} mode=${mode} choose=${mode => pick({mode})} />
		</div>`}
		<div class=${"stage mode-" + mode} ref=${at} aria-busy=${first.waiting || second.waiting || between.waiting}>
			${problem ? html`<p class="wait problem">${problem}</p>` : !both ? s.given ? html`<img id="given" src=${s.given.url} alt="Both versions" />` : html`<p class="wait">Developing…</p>` :
			mode !== "difference" ? html`<${Pair} mode=${mode} style=${inBox} a=${{url: first.shown.url, alt: "The first version"}} b=${{url: second.shown.url, alt: "The second version"}} />` :
			between.shown ? html`<div class="frame" style=${inBox}><img id="difference" src=${between.shown.url} alt="The difference" draggable=${false} /></div>` : null}
		</div>
		${n && html`<p class="hint numbers" id="numbers">ΔE2000 ${n.mean_delta_e.toFixed(2)} on average, ${n.max_delta_e.toFixed(1)} at most; ${(n.changed_fraction * 100).toFixed(1)} % of the picture changed${n.same_frame ? "" : "; the frames differ"}</p>`}
		${ready && html`<${Difference} a=${a} b=${b} />`}
	</section>`;
}
