// What the page knows, and how it changes. Components read it with useStudio.
import {useState, useEffect} from "./vendor/htm-preact.js";
import * as api from "./api.js";

const listeners = new Set();
export const state = {
	about: null, problem: "", message: "", busy: 0, live: true,
	total: 0, images: new Map(), window: {offset: 0, limit: 60}, // of the list, by index
	image: null, index: 0,
	log: null, // {entries: Map by event, head, refs, root, names: event → refs}
	shown: null, // an event that is looked at; null for HEAD
	view: "look", panel: "moves", before: false, zoom: null,
	compare: {a: null, b: null, mode: "divider", numbers: null},
	sheet: null, // {title, items: [{name, moves}]}
	draft: null, // {moves}: shown in place of HEAD
	mask: null, tool: null, showMask: false, useMask: false,
	given: null, // {url, key}: shown until a picture has come
};

let version = 0; // of the state: how often it was set

export function set(patch) {
	Object.assign(state, patch);
	version++;
	for (const heard of listeners) heard();
}

export function useStudio() {
	const [, again] = useState(0);
	const rendered = version;
	useEffect(() => {
		const heard = () => again(n => n + 1);
		listeners.add(heard);
		if (version !== rendered) heard(); // what was set before the browser painted
		return () => listeners.delete(heard);
	}, []);
	return state;
}

export const say = message => set({message});

// attempt runs what the person asked for and says what went wrong.
export async function attempt(work) {
	set({busy: state.busy + 1, message: ""});
	try {
		return await work();
	} catch (e) {
		if (e.name !== "AbortError") set({message: e.message});
	} finally {
		set({busy: state.busy - 1});
	}
}

export const readOnly = () => state.about?.read_only ?? true;
export const headEvent = () => state.log?.head ?? null;
// shownEvent is the version that the large picture shows.
export const shownEvent = () => state.before ? state.log?.root : state.shown ?? headEvent();

export function select(image, index) {
	if (image === state.image) return;
	set({
		image, index, log: null, shown: null, draft: null, mask: null, showMask: false, useMask: false, zoom: null, before: false,
		sheet: null, view: "look", compare: {a: null, b: null, mode: state.compare.mode, numbers: null}, message: "",
	});
	watch();
	loadLog();
}

const pageOfLog = 200, mostRefs = 40;

// loadLog reads the history of HEAD and of every branch and tag, as far as a page goes.
export async function loadLog() {
	const image = state.image;
	if (!image) return;
	try {
		const main = await api.call("log", {image_id: image, limit: pageOfLog});
		const entries = new Map(main.entries.map(e => [e.event, e]));
		const refs = main.refs.filter(ref => ref !== "HEAD").slice(0, mostRefs);
		let root = main.entries.at(-1)?.event;
		const more = refs.map(async ref => {
			for (const e of (await api.call("log", {image_id: image, ref, limit: pageOfLog})).entries) entries.set(e.event, e);
		});
		if (main.total > main.entries.length) more.push((async () => {
			const last = await api.call("log", {image_id: image, limit: 1, offset: main.total - 1});
			root = last.entries[0].event;
			entries.set(root, last.entries[0]);
		})());
		await Promise.all(more);
		if (state.image !== image) return;
		const head = main.entries[0]?.event ?? null;
		const draft = head === state.log?.head ? state.draft : null;
		set({log: {entries, head, refs: main.refs, root}, draft, problem: (main.problems ?? []).join(" "), shown: state.shown === head ? null : state.shown});
	} catch (e) {
		if (state.image === image) set({problem: e.message});
	}
}

// watch listens for what happens to the image and to the images of the filmstrip.
let unwatch = null, asked = "";
export function watch() {
	const {offset, limit} = state.window;
	const now = JSON.stringify([state.image, offset, limit]);
	if (unwatch && now === asked) return;
	asked = now;
	unwatch?.();
	unwatch = api.listen({image: state.image, offset, limit}, (what, news) => {
		switch (what) {
		case "open": return set({live: true});
		case "lost": return set({live: false});
		case "list": return heardList(news);
		case "image": return heardImage(news);
		}
	});
}

export function stopWatching() {
	unwatch?.();
	unwatch = null;
}

function heardList({total, offset, images}) {
	const all = total === state.total ? state.images : new Map();
	images.forEach((image, i) => all.set(offset + i, image));
	set({total, images: all});
	if (!state.image && images.length) select(images[0].image_id, offset);
}

function heardImage(news) {
	if (news.image_id !== state.image) return;
	if (news.problem) return set({problem: news.problem});
	const known = state.log;
	const same = known && news.head.event === known.head && JSON.stringify(news.refs) === JSON.stringify(known.refs) &&
		JSON.stringify(news.head.ref) === JSON.stringify(known.entries.get(known.head)?.ref);
	if (!same) loadLog();
}

// staying are the tools that leave the version that is looked at.
const staying = ["tag", "branch", "set_rating"];

// change calls a tool that changes the image and reads the history again.
export const change = (tool, args) => attempt(async () => {
	const image = state.image;
	const result = await api.call(tool, {image_id: image, ...args});
	if (result.warning) say(result.warning);
	if (image === state.image) {
		if (!staying.includes(tool)) set({shown: null});
		await loadLog();
	}
	return result;
});

export const summary = () => {
	for (const image of state.images.values()) if (image.image_id === state.image) return image;
	return null;
};

// rate rates the image; the list tells the page of it.
export const rate = rating => change("set_rating", {rating});

// title says in words what made a version.
export function title(entry) {
	if (!entry) return "";
	if (entry.label) return entry.label;
	if (!entry.entry) return entry.op.replaceAll("_", " ");
	const values = Object.entries(entry.values ?? {});
	if (values.length === 1) return `${words(entry.entry)} ${number(values[0][1])}`;
	return [words(entry.entry), ...values.map(([name, value]) => `${words(name)} ${number(value)}`)].join(", ");
}

export const words = name => name.replaceAll("_", " ");
export const number = value => String(Number(Number(value).toFixed(3)));
export const shortRef = ref => ref.replace(/^refs\/(heads|tags)\//, "");
