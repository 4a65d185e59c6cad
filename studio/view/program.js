// The server's tools, as the view's client passes calls on to them.
import {Refused, askThrough} from "../page/api.js";
import * as client from "./host.js";

let tools = [];

// can reports whether the view may call a tool.
export const can = tool => tools.includes(tool);

// named is a tool under the name that views have for it.
const named = tool => tool === "apply_primitive" ? "view_apply" : tool;

// without are the answers of tools that the server does not offer, where the view does as well
// without them.
const without = {list_masks: {masks: []}, diff: {}};

// dataOf takes a tool's answer apart: its envelope is the structured content, and the text.
export function dataOf(result) {
	let envelope = result?.structuredContent;
	if (!envelope) {
		try {
			envelope = JSON.parse(result.content.find(block => block.type === "text").text);
		} catch {
			throw new Refused({message: "the client gave no answer that the view understands"});
		}
	}
	if (!envelope.success) throw new Refused(envelope.error);
	return envelope.data;
}

// pictureOf gives the address of the picture in an answer, which is data.
export function pictureOf(result) {
	const block = result?.content?.find(block => block.type === "image" && block.mimeType === "image/jpeg");
	return block && /^[A-Za-z0-9+/]+=*$/.test(block.data) ? "data:image/jpeg;base64," + block.data : null;
}

async function ask(tool, args, signal) {
	if (!can(tool)) throw new Refused({message: "This client's server does not offer " + tool + "."});
	return client.request("tools/call", {name: tool, arguments: args}, signal);
}

// told says of calls that change something what the agent is to know.
const told = {
	checkout: a => `The person went to ${JSON.stringify(a.ref_or_hash)} of image ${a.image_id} (checkout).`,
	branch: a => `The person made the branch ${JSON.stringify(a.name)} of image ${a.image_id}.`,
	tag: a => `The person made the tag ${JSON.stringify(a.name)} of image ${a.image_id}.`,
};

async function call(tool, args) {
	if (without[tool] && !can(tool)) return without[tool];
	const data = dataOf(await ask(named(tool), args));
	if (told[tool]) client.note(told[tool](args));
	return data;
}

const kinds = {
	preview: q => ["view_preview", {image_id: q.image, ref_or_hash: q.ref, size: q.size, region: q.region, quality: q.quality}],
	draft: q => ["view_draft", {image_id: q.image, ref_or_hash: q.ref, moves: q.moves, size: q.size}],
	difference: q => ["view_difference", {image_id: q.image, hash_a: q.a, hash_b: q.b, size: q.size}],
	mask: q => ["view_mask", {image_id: q.image, mask: q.mask, size: q.size}],
};

// picture gives a picture as the page has it, and not from what was kept.
export async function picture(query, signal) {
	const answer = await ask(...kinds[query.kind](query), signal);
	const data = dataOf(answer), url = pictureOf(answer);
	if (!url) throw new Refused({message: "The picture did not come with the answer."});
	return {url, result: data};
}

// useClient has the page's parts ask through the client.
export function useClient(offered) {
	tools = offered;
	askThrough({call, picture});
}
