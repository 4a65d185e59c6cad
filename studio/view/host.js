// The client that shows the view, over postMessage, in the messages of MCP Apps.

const protocolVersion = "2026-01-26";

// host is what the client said of itself.
export const host = {capabilities: null, context: {}};

const waiting = new Map(); // by the id of a request: {resolve, reject}
let ids = 0, opened = false;

// parent is the client's page, or a frame of it, whose address a view does not know.
const send = message => parent.postMessage({jsonrpc: "2.0", ...message}, "*");
const plain = value => JSON.parse(JSON.stringify(value ?? {}));

export const notify = (method, params) => send({method, params: plain(params)});

// request asks the client. When signal says so, the client is told that nobody waits.
export function request(method, params, signal) {
	const id = ++ids;
	return new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(signal.reason);
		waiting.set(id, {resolve, reject});
		signal?.addEventListener("abort", () => {
			if (!waiting.delete(id)) return;
			notify("notifications/cancelled", {requestId: id, reason: "it is no longer looked at"});
			reject(signal.reason);
		});
		send({id, method, params: plain(params)});
	});
}

// ready says once that the view is there: after the client's answer, or whatever else comes
// first, since a client that waits for it says nothing more.
function ready() {
	if (opened) return;
	opened = true;
	notify("ui/notifications/initialized");
}

// open greets the client, and ends when it has answered. heard are functions by the method of
// a notification. What the client can do is unknown when it speaks without an answer.
export async function open(appInfo, heard) {
	let spoken;
	const unanswered = new Promise(resolve => { spoken = () => setTimeout(resolve, 2000); });
	const answers = {ping: () => ({}), "ui/resource-teardown": () => { heard.closed?.(); return {}; }};
	addEventListener("message", ({source, data}) => {
		if (source !== parent || data?.jsonrpc !== "2.0") return;
		const {id, method} = data;
		if (!method) {
			const asked = waiting.get(id);
			waiting.delete(id);
			if (data.error) asked?.reject(new Error(String(data.error.message)));
			else asked?.resolve(data.result);
		} else if (id === undefined) {
			ready();
			spoken();
			heard[method]?.(data.params ?? {});
		} else if (answers[method]) {
			send({id, result: answers[method]()});
		} else {
			send({id, error: {code: -32601, message: "the view does not know " + method}});
		}
	});
	try {
		const greeting = request("ui/initialize", {protocolVersion, appInfo, appCapabilities: {availableDisplayModes: ["inline", "fullscreen"]}});
		const answer = await Promise.race([greeting, unanswered]);
		if (answer) {
			host.capabilities = answer.hostCapabilities ?? {};
			host.context = {...answer.hostContext, ...host.context};
		}
	} catch (e) {
		console.warn("the client did not greet the view: " + e.message);
	}
	ready();
}

// said is what the agent has been told quietly: a client keeps the newest message alone.
const said = [];

async function toContext(text) {
	said.push(text);
	await request("ui/update-model-context", {content: [{type: "text", text: said.slice(-20).join("\n")}]});
}

// note has the agent know of something when it is its turn again. It is no harm when the
// client has no means for that: the agent sees what is there.
export const note = text => toContext(text).catch(() => {});

// tell tells the agent something at once, or else when it is its turn again, and reports
// whether it could be told.
export async function tell(text) {
	try {
		const answer = await request("ui/message", {role: "user", content: [{type: "text", text}]});
		if (!answer?.isError) return true;
	} catch {
		// the client takes no messages
	}
	return toContext(text).then(() => true, () => false);
}
