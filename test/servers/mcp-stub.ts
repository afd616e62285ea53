/**
 * A stdio server that misbehaves as its tools' arguments request. `node mcp-stub.ts [mute] [FILE]`: mute answers
 * nothing; FILE contains
 * the description of the tool `echo`.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly result?: unknown;
}

const [mode, file] = process.argv.slice(2);
const write = (line: string) => void process.stdout.write(`${line}\n`);
const report = (message: object) => write(JSON.stringify({ jsonrpc: "2.0", ...message }));
const text = (words: string) => ({ content: [{ type: "text", text: words }] });
const object = (properties: object = {}) => ({ type: "object", properties });
/** A number of any length, serialised unchanged. */
const digits = (JSON as unknown as { rawJSON(digits: string): object }).rawJSON;
const waiting = new Map<number, (answer: Message) => void>();
let asked = 0;
let late = false;

/** Sends the agent a request, and waits for its answer. */
function ask(method: string, params: object): Promise<Message> {
  asked += 1;
  const id = asked;
  report({ id: `s${id}`, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const TOOLS: {
  readonly [name: string]: (args: {
    readonly [key: string]: unknown;
  }) => object | undefined | Promise<object | undefined>;
} = {
  echo: ({ text: words }) => text(String(words)),
  pid: () => text(String(process.pid)),
  read: ({ path }) => text(readFileSync(String(path), "utf8")),
  send: ({ port, text: words }) =>
    new Promise((resolve) => connect(Number(port), "127.0.0.1").end(`${String(words)}\n`, () => resolve(text("sent")))),
  silent: () => undefined,
  late: () => new Promise((resolve) => setTimeout(() => (resolve(text("too late")), (late = true)), 1_400)),
  settled: () => (late ? text("settled") : undefined),
  die: () => process.exit(3),
  fail: () => ({ ...text("The lamp is broken."), isError: true }),
  noise: () => (write("listening on nothing"), write('{"half":'), write("[]"), text("after the noise")),
  flood: () => {
    const junk = JSON.stringify({
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", data: "x".repeat(1_000_000) },
    });
    for (let at = 0; at < 80; at++) write(junk);
    return undefined;
  },
  shapes: () => ({
    content: [
      { type: "text", text: "seen" },
      { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
      { type: "audio", mimeType: "audio/wav", data: "AAAA" },
      { type: "resource", resource: { uri: "note:1", text: "a note" } },
      { type: "mystery", value: 7 },
    ],
    structuredContent: { n: 1 },
  }),
  ids: () => ({
    ...text("ids"),
    structuredContent: {
      channel: digits("823475887319941131"),
      list: [digits("-9223372036854775808")],
      small: 7,
    },
  }),
  elicit: async ({ times }) => {
    const answers: unknown[] = [];
    for (let at = 0; at < Number(times); at++)
      answers.push(
        (
          await ask("elicitation/create", {
            message: "Which colour?",
            requestedSchema: {
              type: "object",
              properties: { colour: { type: "string", enum: ["red", "blue"] } },
              required: ["colour"],
            },
          })
        ).result,
      );
    return text(JSON.stringify(answers));
  },
  roots: async () => text(JSON.stringify((await ask("roots/list", {})).result)),
  sample: async () => text(JSON.stringify(await ask("sampling/createMessage", { messages: [], maxTokens: 5 }))),
  change: () => (report({ method: "notifications/tools/list_changed" }), text("told")),
  spawn: () => text(String(spawn("sleep", ["1000"], { stdio: "ignore" }).pid)),
};

async function answer({ id, method, params = {} }: Message): Promise<void> {
  if (id === undefined || mode === "mute") return;
  if (method === "initialize")
    return report({
      id,
      result: {
        protocolVersion: params["protocolVersion"],
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "stub", version: "1" },
      },
    });
  if (method === "ping") return report({ id, result: {} });
  if (method === "tools/list") {
    const own = file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : "Says it again.";
    return report({
      id,
      result: {
        tools: Object.keys(TOOLS).map((name) => ({
          name,
          description: name === "echo" ? own : `Does ${name}.`,
          inputSchema: object(name === "echo" ? { text: { type: "string" } } : {}),
          ...(name === "die" ? { annotations: { destructiveHint: true } } : { annotations: { readOnlyHint: true } }),
        })),
      },
    });
  }
  if (method !== "tools/call") return report({ id, error: { code: -32601, message: `No ${method}.` } });
  const given = await TOOLS[String(params["name"])]?.(
    (params["arguments"] ?? {}) as { readonly [key: string]: unknown },
  );
  if (given !== undefined) report({ id, result: given });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line) as Message;
  if (message.method === undefined && typeof message.id === "string")
    return waiting.get(Number(message.id.slice(1)))?.(message);
  return void answer(message);
});
