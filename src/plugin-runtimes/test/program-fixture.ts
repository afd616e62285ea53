import { chmodSync } from "node:fs";
import { join } from "node:path";
import { manifest, setUp, type Files } from "../../host/plugins/plugins-fixture.ts";
import { enabled } from "./hosts-fixture.ts";

/**
 * A program of plain Node, without code of ours, which implements the protocol as documented; `handlers` answers by the
 * handle's last part.
 */
export const pluginProgram = (registrations: string, handlers: string): string => `#!/usr/bin/env node
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
let plugin;
let next = 0;
const waiting = new Map();
const ask = (method, params, call) => new Promise((resolve) => { const id = "p" + ++next; waiting.set(id, resolve); say({ id, method, params: { plugin, call, ...params } }); });
const register = (kind, name, more = {}) => say({ method: "register", params: { plugin, kind, name, handle: plugin + "/" + kind + ":" + name + "#0", ...more } });
const schema = { description: "Does it.", parameters: { type: "object", properties: {} } };
const handlers = { ${handlers} };
const calls = {
  initialize: () => ({ protocol: 1, host: "node", version: "1" }),
  ping: () => ({}),
  shutdown: () => (setTimeout(() => process.exit(0), 20), null),
  "plugin.load": (params) => { plugin = params.plugin; globalThis.loaded = params; ${registrations}; return null; },
  "plugin.unload": () => null,
};
let rest = "";
process.stdin.setEncoding("utf8").on("end", () => process.exit(0)).on("data", (text) => {
  const lines = (rest + text).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params = {}, result, error } = JSON.parse(line);
    if (method === undefined) { waiting.get(id)?.({ result, error }); continue; }
    if (id === undefined) continue;
    const run = calls[method] ?? handlers[/:(\\w+)#/.exec(params.handle ?? "")?.[1]];
    Promise.resolve().then(() => run(params, id)).then((result) => say({ id, result: result ?? null }), (error) => say({ id, error: { code: -32000, message: error.message } }));
  }
});
`;

/** The files of a plugin in the home whose program is executable. */
export const programPlugin = (name: string, code: string, more = "", program = "./plugin"): Files => ({
  [`home/plugins/${name}/plugin.yaml`]: manifest(name, `program: ${program}\n${more}`),
  [`home/plugins/${name}/plugin`]: code,
});

/** A home with that plugin on, its program executable. */
export function withProgram(
  t: Parameters<typeof setUp>[0],
  name: string,
  code: string,
  more = "",
  config = enabled(name),
) {
  const place = setUp(t, programPlugin(name, code, more), config);
  chmodSync(join(place.path, `home/plugins/${name}/plugin`), 0o755);
  return place;
}

/** One tool of the name `does`. */
export const withTool = (body: string): string =>
  pluginProgram(`register("tool", "does", { schema })`, `does: async (params, id) => { ${body} }`);
