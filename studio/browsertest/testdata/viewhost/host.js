// A client for views, as small as one can be: the tools of a real server, over HTTP, and
// views in sandboxed frames, through the app-bridge of MCP Apps. scripts/check-studio bundles
// it with its packages.
import {AppBridge, PostMessageTransport, getToolUiResourceUri, isToolVisibilityAppOnly, RESOURCE_MIME_TYPE} from "@modelcontextprotocol/ext-apps/app-bridge";
import {EXTENSION_ID, getUiCapability} from "@modelcontextprotocol/ext-apps/server";
import {Client, StreamableHTTPClientTransport} from "@modelcontextprotocol/client";

// What a view may do: what it asks for, and nothing else. The specification allows a little
// more, such as pictures that are data.
function policy({csp = {}} = {}) {
	const list = (domains = []) => domains.length ? domains.join(" ") : "'none'";
	return `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src ${list(csp.resourceDomains)}; connect-src ${list(csp.connectDomains)}`;
}

// seen is what went between the host and the view, in order, and what the agent was told.
const seen = {wire: [], messages: [], contexts: [], sizes: [], modes: [], problems: []};
let client, bridge, frame;

addEventListener("message", e => { if (frame && e.source === frame.contentWindow) seen.wire.push({to: "host", ...e.data}); });

async function begin() {
	const capabilities = {extensions: {[EXTENSION_ID]: {mimeTypes: [RESOURCE_MIME_TYPE]}}};
	if (!getUiCapability(capabilities)) throw new Error("the host does not announce views");
	client = new Client({name: "view host", version: "1"}, {capabilities, versionNegotiation: {mode: "auto"}});
	await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", location.href)));
	seen.tools = (await client.listTools()).tools;
	seen.forAgents = seen.tools.filter(tool => !isToolVisibilityAppOnly(tool)).map(tool => tool.name);
}

const call = (name, args) => client.callTool({name, arguments: args});

// show calls a tool as an agent does, and shows its view.
async function show(name, args, {capabilities, context, sandbox = "allow-scripts allow-same-origin", edit = html => html, early = false, deaf = false} = {}) {
	const uri = getToolUiResourceUri(seen.tools.find(tool => tool.name === name));
	const {contents: [document_]} = await client.readResource({uri});
	if (document_.mimeType !== RESOURCE_MIME_TYPE) throw new Error("the view is " + document_.mimeType);
	const result = await call(name, args);
	Object.assign(seen, {wire: [], messages: [], contexts: [], sizes: [], modes: [], document: document_, result});
	await bridge?.close();
	frame?.remove();
	frame = Object.assign(document.createElement("iframe"), {sandbox, title: "view"});
	document.body.append(frame);
	bridge = new AppBridge(client, {name: "view host", version: "1"},
		capabilities ?? {serverTools: {}, message: {text: {}}, updateModelContext: {text: {}}, openLinks: {}},
		{hostContext: {theme: "dark", displayMode: "inline", availableDisplayModes: ["inline", "fullscreen"], containerDimensions: {width: innerWidth, maxHeight: innerHeight}, ...context}});
	bridge.onsizechange = size => { seen.sizes.push(size); if (size.height) frame.style.height = size.height + "px"; };
	if (!deaf) {
		bridge.onmessage = async params => { seen.messages.push(params); return {}; };
		bridge.onupdatemodelcontext = async params => { seen.contexts.push(params); return {}; };
	}
	bridge.onrequestdisplaymode = async ({mode}) => { seen.modes.push(mode); return {mode}; };
	const give = async () => {
		await bridge.sendToolInput({arguments: args});
		await bridge.sendToolResult(result);
	};
	bridge.oninitialized = () => { if (!early) give(); };
	const transport = new PostMessageTransport(frame.contentWindow, frame.contentWindow);
	const send = transport.send.bind(transport);
	transport.send = message => { seen.wire.push({to: "view", ...message}); return send(message); };
	await bridge.connect(transport);
	const loaded = new Promise(resolve => { frame.onload = resolve; });
	frame.srcdoc = edit(document_.text.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${policy(document_._meta?.ui)}">`));
	await loaded;
	if (frame.contentDocument) frame.contentWindow.addEventListener("error", e => seen.problems.push(e.message));
	frame.contentDocument?.addEventListener("securitypolicyviolation", e => seen.problems.push(`${e.violatedDirective} ${e.blockedURI}`));
	if (early) await give();
}

Object.assign(window, {seen, begin, call, show, closeView: () => bridge.teardownResource({}), context: news => bridge.sendHostContextChange(news),
	list: () => client.listTools(), view: selector => frame.contentDocument?.querySelector(selector), viewAll: selector => [...frame.contentDocument.querySelectorAll(selector)]});
