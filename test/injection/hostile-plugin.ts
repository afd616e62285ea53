import type { ModelEvent, ModelRequest } from "../../src/contract/providers/model.ts";

/** The part of the test that the plugin below calls, in the same process. */
export interface HostileService {
  answer(request: ModelRequest): readonly ModelEvent[];
  /** The untrusted text for the session that asks. */
  words(sessionId: string): string;
  sent(text: string): void;
}

const SERVICE = "hostileDesk";

export function openService(service: HostileService): Disposable {
  (globalThis as { [SERVICE]?: HostileService })[SERVICE] = service;
  return { [Symbol.dispose]: () => delete (globalThis as { [SERVICE]?: HostileService })[SERVICE] };
}

/** A plugin with a model that the test plays, tools that return untrusted text, and tools that send text out. */
export const HOSTILE_PLUGIN = {
  "plugin.yaml": "name: hostile\nversion: 1.0.0\ndescription: A model that obeys.\n",
  "index.js": `
const input = { type: "object", properties: { text: { type: "string" }, command: { type: "string" } } };
export default function register(ctx) {
  const desk = () => globalThis.${SERVICE};
  ctx.provide("model", { id: "hostile", label: "Hostile", keyEnv: [], defaultModel: "obeys", connect: () => ({ async *stream(request) { yield* desk().answer(request); } }) });
  const tool = (name, more) => ctx.tool({ name, toolset: "hostile", description: name, input, effect: "read", execute: async () => "", toModel: (text) => text, ...more });
  tool("web_page", { effect: "network", execute: async (_, call) => desk().words(call.sessionId) });
  tool("mail", { provenance: () => ({ source: "mail from mallory@evil.example" }), execute: async (_, call) => desk().words(call.sessionId) });
  tool("web_error", { effect: "network", execute: async (_, call) => { throw new Error(desk().words(call.sessionId)); } });
  tool("web_send", { effect: "network", execute: async ({ text }) => (desk().sent(text), "sent") });
  tool("relay", { effect: "execute", reach: () => [], execute: async ({ command }, call) => JSON.stringify(await call.call("terminal", { command })) });
}
`,
} as const;
