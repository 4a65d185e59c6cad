// Ideas side by side. The one that is chosen becomes the edit.
import {html, useEffect, useState} from "./vendor/htm-preact.js";
import * as api from "./api.js";
import {state, set, useStudio, attempt, change, readOnly, words, headEvent} from "./state.js";
import {moveOf} from "./moves.js";

// Of variants one is developed at a time: they share the darktable that has the raw.
const turns = {last: Promise.resolve()};
const inTurn = work => turns.last = turns.last.catch(() => {}).then(work);

// Variant shows what moves make of a version. Where the picture has to be of a certain look,
// and is not, it cannot be chosen.
function Variant({item, image, base, size, choose}) {
	const [shown, show] = useState(null);
	useEffect(() => {
		const gone = {yes: false};
		show(null);
		inTurn(async () => {
			if (gone.yes) return;
			try {
				const picture = await api.picture({kind: "draft", image, ref: base, moves: item.moves, size});
				if (item.look && picture.result.state_hash !== item.look) throw new Error("The edit has changed since.");
				if (!gone.yes) show(picture);
			} catch (e) {
				if (!gone.yes) show({problem: e.message});
			}
		});
		return () => { gone.yes = true; };
	}, [image, base, JSON.stringify(item.moves)]);
	return html`<button type="button" class="variant" disabled=${!choose || !shown?.url} aria-busy=${!shown} aria-label=${"Choose " + item.name}
		aria-pressed=${item.chosen ? "true" : null} onClick=${() => choose(item)}>
		<span class="shown">${shown?.url ? html`<img src=${shown.url} alt="" draggable=${false} />` : shown?.problem ?? "…"}</span><span class="caption">${item.name}</span></button>`;
}

// Variants shows {name, moves, look} on top of a version, to choose one.
export const Variants = ({items, image, base, size = 512, choose}) => html`<div class="grid">${items.map((item, i) => html`
	<${Variant} key=${i + item.name} item=${item} image=${image} base=${base} size=${size} choose=${choose} />`)}</div>`;

async function apply({moves}) {
	for (const move of moves) if (!await change("apply_primitive", move)) return;
	set({view: "look", sheet: null});
}

export function Sheet() {
	const s = useStudio();
	const [query, ask] = useState("");
	const search = e => {
		e.preventDefault();
		attempt(async () => {
			const {entries} = await api.call("list_vocabulary", {query: query.trim() || "film look", limit: 12, available_only: true});
			const items = entries.map(move => ({name: words(move.name), moves: [moveOf(move.name, {})]}));
			set({sheet: {title: query || "film looks", items, ref: headEvent()}});
		});
	};
	const base = headEvent();
	return html`<section class="sheet" aria-label="Variants">
		<form class="bar" onSubmit=${search}>
			<input type="search" id="variants-of" placeholder="film look, warmer, black and white …" aria-label="Moves to try" value=${query} onInput=${e => ask(e.target.value)} />
			<button type="submit" id="try">Try</button>
		</form>
		${s.sheet && html`<h2>${s.sheet.title}</h2>`}
		${s.sheet ? html`<${Variants} items=${s.sheet.items} image=${s.image} base=${base} choose=${readOnly() ? null : apply} />` :
			html`<p class="hint">Say what to try, or take “Variants” of a move.</p>`}
	</section>`;
}
