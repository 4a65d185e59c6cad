// Calls each tool with valid and with invalid arguments, through the strictest client
// SDK: it validates every structured result by the output schema of its tool.
//
//   node client.mjs CALLS.json stdio COMMAND ARGS…
//   node client.mjs CALLS.json http URL
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// scripts/conformance installs the packages into the working directory.
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

const errors = [];
const client = new Client({ name: "strict", version: "1.0" });
await client.connect(transport);
const { tools } = await client.listTools(); // after this, the SDK validates results

const results = {}; // the last successful result of each tool

// Replaces the arguments "$tool.field".
function resolve(args) {
  return Object.fromEntries(Object.entries(args ?? {}).map(([name, value]) => {
    const [, tool, path] = /^\$(\w+)\.([\w.]+)$/.exec(value) ?? [];
    return [name, tool ? path.split(".").reduce((at, key) => at?.[key], results[tool]) : value];
  }));
}

async function call(tool, args, good) {
  args = resolve(args);
  const shown = `${tool} ${JSON.stringify(args)}`;
  try {
    const result = await client.callTool({ name: tool, arguments: args }, undefined, { timeout: 180_000 });
    const { structuredContent: envelope, content, isError } = result;
    const text = JSON.parse(content[0].text);
    if (envelope.success !== good || !!isError === good) {
      errors.push(`${shown}: success ${envelope.success}, want ${good}: ${content[0].text.slice(0, 500)}`);
    }
    if (good) results[tool] = envelope.data;
    if (JSON.stringify(text) !== JSON.stringify(envelope)) errors.push(`${shown}: text and structured content differ`);
  } catch (error) {
    errors.push(`${shown}: ${error.message}`);
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
    if (!set.has(name)) errors.push(`no call provokes a ${what} of ${name}: add one to calls_test.go`);
  }
}

for (const { name } of (await client.listPrompts()).prompts) {
  await client.getPrompt({ name, arguments: { image_id: "a" } });
}
const preview = await client.readResource({ uri: "chemigram://images/a/preview/HEAD" });
if (!preview.contents[0].blob) errors.push("the preview resource has no picture");

await client.close();
for (const error of errors) console.error(error);
console.log(`${kind}: ${tools.length} tools, ${calls.length + tools.length} calls, ${errors.length} errors`);
process.exit(errors.length > 0 ? 1 : 0);
