import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanDefinition } from "./tools/clean-definition.ts";
import { driftOf, identityOf, isDrift, readPin } from "./tools/pin.ts";
import { passes, readEntry, type ServerEntry } from "./server/server-entry.ts";
import { serverEnvironment } from "./server/server-environment.ts";
import { mcpToolName, shortToolName } from "./tools/tool-name.ts";
import { readResult } from "./tools/tool-result.ts";
import { withoutUndefined } from "hermes-agent/testing";

test("names a tool mcp__SERVER__TOOL, replaces other characters by _, and ends a long name in a digest that keeps it unique", () => {
  assert.deepEqual(
    [mcpToolName("my-fs", "read.file"), shortToolName("my-fs", "read.file")],
    ["mcp__my_fs__read_file", "mcp_my_fs_read_file"],
  );
  const [a, b] = [mcpToolName("s", `${"x".repeat(80)}a`), mcpToolName("s", `${"x".repeat(80)}b`)];
  assert.deepEqual([a.length, b.length, a === b], [64, 64, false]);
});

// req: R-65
test("cleans a server's tool definition: no hidden characters, a short description, a schema that providers accept", () => {
  const cleaned = cleanDefinition({
    name: "read",
    description: `Reads.\u202eevil\u200b\u{e0041}${"x".repeat(3_000)}`,
    inputSchema: {
      $schema: "s",
      anyOf: [{}],
      definitions: { a: { type: "string" } },
      properties: { path: { $ref: "#/definitions/a", description: "a\u0007b" } },
      required: ["path", "gone"],
    },
  });
  assert.ok(cleaned.kind === "tool");
  assert.deepEqual(
    [cleaned.tool.description.length, cleaned.tool.description.startsWith("Reads.evilxxx"), cleaned.tool.destructive],
    [1_024, true, false],
  );
  assert.deepEqual(cleaned.tool.input, {
    $defs: { a: { type: "string" } },
    properties: { path: { $ref: "#/$defs/a", description: "ab" } },
    required: ["path"],
    type: "object",
  });
});

test("refuses an invalid tool with its reason and accepts the others", () => {
  const reasons = [
    {},
    { name: "a", inputSchema: { type: "string" } },
    { name: "b", inputSchema: { properties: { "bad name": {} } } },
    { name: "c", inputSchema: { properties: { x: { description: "y", enum: ["z".repeat(20_000)] } } } },
    { name: "d", inputSchema: deep(40) },
  ].map((given) => {
    const cleaned = cleanDefinition(given);
    return cleaned.kind === "refused" ? cleaned.reason : "taken";
  });
  assert.deepEqual(reasons, [
    "it has no usable name",
    "its schema does not describe an object",
    'its argument "bad name" has a name that model providers do not accept',
    "its schema is longer than 16000 characters",
    "its schema is nested deeper than 16 levels",
  ]);
});

function deep(levels: number): object {
  return levels === 0 ? {} : { properties: { x: deep(levels - 1) } };
}

const entry = (value: object): ServerEntry => {
  const read = readEntry("s", value as never);
  assert.ok(read.kind === "server", JSON.stringify(read));
  return read.entry;
};

test("an invalid configuration entry is rejected with the reason", () => {
  const wrong = [
    {},
    { command: "a", url: "https://b.example" },
    { url: "ftp://b.example" },
    { url: "https://b.example", ssl_verify: false },
    { url: "https://b.example", client_cert: "c" },
    { url: "https://b.example", auth: "magic" },
    [],
  ].map((value) => {
    const read = readEntry("s", value as never);
    return read.kind === "wrong" ? read.reason : read.kind;
  });
  assert.deepEqual(wrong, [
    "it has neither a command nor a url",
    "it has both a command and a url",
    "its url is not an http or https URL",
    "certificate checks cannot be turned off; use NODE_EXTRA_CA_CERTS to add certificate authorities",
    "client certificates are not supported",
    "its auth is neither oauth nor header",
    "its entry is not a map",
  ]);
  assert.deepEqual(
    [readEntry("s", { enabled: false }).kind, readEntry("a b", { command: "c" }).kind],
    ["off", "wrong"],
  );
});

test("a list of tools to include wins over a list to exclude; both match names or patterns", () => {
  const offered = (tools: object) =>
    ["read", "write_a", "write_b"].filter((name) => passes(entry({ command: "c", tools }).filter, name));
  assert.deepEqual(
    [
      offered({}),
      offered({ exclude: "write_*" }),
      offered({ include: ["write_?"], exclude: ["write_a"] }),
      offered({ include: "read" }),
    ],
    [["read", "write_a", "write_b"], ["read"], ["write_a", "write_b"], ["read"]],
  );
});

test("a pin belongs to one command or URL, and every change of a tool is reported", () => {
  const tool = { name: "a", description: "A", input: { type: "object" }, destructive: false };
  const pin = {
    server: identityOf(entry({ command: "x", args: ["1"] })),
    tools: [tool, { ...tool, name: "b" }],
    has: [],
  };
  assert.deepEqual(
    [
      readPin(pin as never, identityOf(entry({ command: "x", args: ["1"], env: { A: "b" } })))?.tools.length,
      readPin(pin as never, identityOf(entry({ command: "x", args: ["2"] }))),
    ],
    [2, undefined],
  );
  assert.deepEqual(
    driftOf(pin, [
      { ...tool, description: "Another" },
      { ...tool, name: "c" },
    ]),
    { added: ["c"], changed: ["a"], removed: ["b"] },
  );
  assert.equal(
    isDrift(
      driftOf(pin, [
        { ...tool, name: "b" },
        { destructive: false, input: { type: "object" }, description: "A", name: "a" },
      ]),
    ),
    false,
  );
});

test("a server process gets only the basic environment variables and its configured ones", () => {
  assert.deepEqual(
    serverEnvironment(
      { PATH: "/bin", HOME: "/h", API_KEY: "k", XDG_RUNTIME_DIR: "/r", NODE_OPTIONS: "-x" },
      { OWN: "1" },
      "/h/.hermes",
    ),
    { PATH: "/bin:/h/.hermes/node/bin:/h/.local/bin:/usr/local/bin", HOME: "/h", XDG_RUNTIME_DIR: "/r", OWN: "1" },
  );
});

// req: R-65
test("reads results of every shape: structured, resources, plain text, empty and invalid", async () => {
  const read = async (given: unknown) => (await readResult(given, async () => "")).output;
  assert.deepEqual(
    withoutUndefined(await read({ content: [{ type: "text", text: '{"n":1}' }], structuredContent: { n: 1 } })),
    {
      result: '{"n":1}',
    },
  );
  assert.deepEqual(withoutUndefined(await read({ structuredContent: { n: 1 } })), { result: { n: 1 } });
  assert.deepEqual(withoutUndefined(await read({ contents: [{ uri: "a", text: "b" }] })), {
    result: { contents: [{ uri: "a", text: "b" }] },
  });
  assert.deepEqual(await read("plain"), { result: "plain" });
  assert.deepEqual(
    withoutUndefined([
      await read({}),
      await read(null),
      await read({ content: 7 }),
      (await readResult({ content: [], isError: true }, async () => "")).failed,
    ]),
    [{ result: {} }, { result: null }, { result: "" }, true],
  );
});
