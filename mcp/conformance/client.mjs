// The strictest of the client SDKs, which holds every structured result to its
// tool's output schema, calls each tool well and badly.
//
//   node client.mjs CALLS.json stdio COMMAND ARGS…
//   node client.mjs CALLS.json http URL
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// The packages lie in the folder that scripts/conformance installed them to.
const from = createRequire(process.cwd() + "/package.json");
const load = (name) => import(pathToFileURL(from.resolve(name)));
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js");

const [callsFile, kind, target, ...args] = process.argv.slice(2);
const calls = JSON.parse(readFileSync(callsFile, "utf8"));
const transport =
  kind === "stdio"
    ? new StdioClientTransport({ command: target, args, env: process.env, stderr: "inherit" })
    : new StreamableHTTPClientTransport(new URL(target));

const faults = [];
const client = new Client({ name: "strict", version: "1.0" });
await client.connect(transport);
const { tools } = await client.listTools(); // from now on the SDK validates results

const answers = {}; // the last good answer of each tool

function filledIn(args) {
  return Object.fromEntries(Object.entries(args ?? {}).map(([name, value]) => {
    const [, tool, path] = /^\$(\w+)\.([\w.]+)$/.exec(value) ?? [];
    return [name, tool ? path.split(".").reduce((at, key) => at?.[key], answers[tool]) : value];
  }));
}

async function call(tool, args, good) {
  args = filledIn(args);
  const shown = `${tool} ${JSON.stringify(args)}`;
  try {
    const result = await client.callTool({ name: tool, arguments: args }, undefined, { timeout: 180_000 });
    const { structuredContent: envelope, content, isError } = result;
    const text = JSON.parse(content[0].text);
    if (envelope.success !== good || !!isError === good) {
      faults.push(`${shown}: success ${envelope.success}, want ${good}: ${content[0].text.slice(0, 500)}`);
    }
    if (good) answers[tool] = envelope.data;
    if (JSON.stringify(text) !== JSON.stringify(envelope)) faults.push(`${shown}: text and structured content differ`);
  } catch (error) {
    faults.push(`${shown}: ${error.message}`);
  }
}

const succeeded = new Set();
const failed = new Set();
for (const { tool, args, good } of calls) {
  await call(tool, args, good);
  (good ? succeeded : failed).add(tool);
}
for (const { name } of tools) {
  await call(name, { no_such_argument: 1 }, false);
  for (const [set, what] of [[succeeded, "success"], [failed, "failure"]]) {
    if (!set.has(name)) faults.push(`no call provokes a ${what} of ${name}: add one to calls_test.go`);
  }
}

for (const { name } of (await client.listPrompts()).prompts) {
  await client.getPrompt({ name, arguments: { image_id: "a" } });
}
const preview = await client.readResource({ uri: "chemigram://images/a/preview/HEAD" });
if (!preview.contents[0].blob) faults.push("the preview resource has no picture");

await client.close();
for (const fault of faults) console.error(fault);
console.log(`${kind}: ${tools.length} tools, ${calls.length + tools.length} calls, ${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
