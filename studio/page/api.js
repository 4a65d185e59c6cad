// What the page asks the program for: over HTTP, or, in a view, through the client. Nothing
// here touches the document.

export class Refused extends Error {
	constructor(error, status) {
		super(error?.message ?? `the program answered with status ${status}`);
		this.code = error?.code;
		this.status = status;
	}
}

async function envelope(response) {
	let answer;
	try {
		answer = await response.json();
	} catch {
		throw new Refused(null, response.status);
	}
	if (!answer.success) throw new Refused(answer.error, response.status);
	return answer.data;
}

const post = (path, body, more = {}) => fetch(path, {
	...more, method: "POST", headers: {"Content-Type": "application/json", ...more.headers}, body: JSON.stringify(body),
});

// enter exchanges the token of the address for the cookie, and takes it out of the address.
export async function enter() {
	const token = new URLSearchParams(location.hash.slice(1)).get("token");
	if (!token) return;
	history.replaceState(null, "", location.pathname + location.search);
	const response = await post("session", {token});
	if (!response.ok) await envelope(response);
}

export async function about() {
	const response = await fetch("about");
	return response.ok ? response.json() : envelope(response);
}

let program = {
	call: async (tool, args) => envelope(await post("call", {tool, arguments: args})),
	picture: async (query, signal) => {
		const response = await fetch("picture?" + asked(query), {signal});
		if (!response.ok) await envelope(response);
		return {
			url: URL.createObjectURL(await response.blob()),
			result: JSON.parse(JSON.parse(response.headers.get("Chemigram-Result") ?? '"{}"')),
		};
	},
};

// askThrough has another program asked, with the same call and picture.
export const askThrough = other => { program = other; };

// call calls a tool and gives its data.
export const call = (tool, args = {}) => program.call(tool, args);

// callWithProgress does so and reports {progress, total, message} meanwhile.
export async function callWithProgress(tool, args, report) {
	const response = await post("call", {tool, arguments: args}, {headers: {Accept: "application/x-ndjson"}});
	if (!response.ok) return envelope(response);
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	let rest = "", answer;
	for (;;) {
		const {value, done} = await reader.read();
		rest += value ?? "";
		const lines = rest.split("\n");
		rest = lines.pop();
		for (const line of lines.filter(Boolean)) {
			const said = JSON.parse(line);
			if ("success" in said) answer = said;
			else report(said);
		}
		if (done) break;
	}
	if (!answer) throw new Refused({message: "the program ended the answer early"});
	if (!answer.success) throw new Refused(answer.error);
	return answer.data;
}

// Pictures that were shown lately, newest last: what is asked for → {url, result, tag}.
const kept = new Map();
const most = 120;

// asked is the query of a picture as a text.
function asked(query) {
	const q = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value !== undefined && value !== null) q.set(name, typeof value === "object" ? JSON.stringify(value) : value);
	}
	return q.toString();
}

// picture gives {url, result} of a picture. What its version is has to be said by a hash:
// then it can be kept.
export async function picture(query, signal) {
	const key = asked(query);
	const known = kept.get(key);
	if (known) {
		kept.delete(key);
		kept.set(key, known);
		return known;
	}
	const shown = await program.picture(query, signal);
	const raced = kept.get(key);
	if (raced) {
		URL.revokeObjectURL(shown.url);
		return raced;
	}
	kept.set(key, shown);
	if (kept.size > most) {
		const [oldest, gone] = kept.entries().next().value;
		kept.delete(oldest);
		setTimeout(() => URL.revokeObjectURL(gone.url), 60_000); // it may still be on the page
	}
	return shown;
}

// Turns lets so many run at once, and none while what comes first is under way; of those who
// wait, the last to come is the first to go.
export class Turns {
	constructor(at_once) { this.free = at_once; this.first = 0; this.waiting = []; }

	// ahead does what comes first.
	async ahead(work) {
		this.first++;
		try {
			return await work();
		} finally {
			this.first--;
			this.go();
		}
	}

	go() {
		while (this.free > 0 && this.first === 0 && this.waiting.length > 0) {
			this.free--;
			this.waiting.pop()();
		}
	}

	async run(work, signal) {
		if (this.free === 0 || this.first > 0) {
			await new Promise((go, stop) => {
				this.waiting.push(go);
				signal?.addEventListener("abort", () => {
					const i = this.waiting.indexOf(go);
					if (i < 0) return;
					this.waiting.splice(i, 1);
					stop(signal.reason);
				});
			});
		} else {
			this.free--;
		}
		try {
			return await work();
		} finally {
			this.free++;
			this.go();
		}
	}
}

// Small pictures come two at a time, and after the large one, which has all processors.
export const thumbnails = new Turns(2);

// A hand that has moved nothing for so many milliseconds may be about to rest, and rests.
const pauses = 20, rests = 80;

// Following develops what the hand is at, one piece of work at a time, and of those that come
// meanwhile the newest: small while the hand moves, and whole once it rests. A single step, by
// a key or a program, is a hand that rests. One of a pointer that is down may begin a drag.
export class Following {
	constructor() { this.changed = -rests; this.busy = this.down = false; this.work = null; }

	// to follows the hand to work, a function of whether it is to be whole.
	to(work) {
		const now = performance.now();
		this.moves = now - this.changed < rests;
		this.changed = now;
		this.work = {run: work, small: false, whole: !this.moves && !this.down};
		this.next();
	}

	drop() { this.work = null; }

	next() {
		const work = this.work, still = performance.now() - this.changed;
		clearTimeout(this.timer);
		if (this.busy || !work) return;
		const whole = work.whole || still >= rests;
		if (!whole && (work.small || !this.moves || still > pauses)) {
			this.timer = setTimeout(() => this.next(), rests - still);
			return;
		}
		if (whole) this.work = null;
		work.small = this.busy = true;
		work.run(whole).finally(() => {
			this.busy = false;
			this.next();
		});
	}
}

// The hand that is at a slider.
export const hand = new Following();

// listen hears of changes until the function that it gives is called.
export function listen({image, offset, limit}, heard) {
	const q = new URLSearchParams({image: image ?? "", offset, limit});
	const events = new EventSource("events?" + q);
	for (const name of ["list", "image"]) events.addEventListener(name, e => heard(name, JSON.parse(e.data)));
	events.onopen = () => heard("open");
	events.onerror = () => heard("lost");
	return () => events.close();
}
