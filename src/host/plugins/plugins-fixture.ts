import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ToolContext } from "../../contract/tools/tool.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { openBrowserReturn } from "../services/browser-return.ts";
import { changeFile } from "../environment/change-file.ts";
import { openConfig } from "../config/open-config.ts";
import { openEnvironment } from "../environment/environment.ts";
import { resolveHome } from "../environment/home.ts";
import { openHosts } from "../../plugin-runtimes/plugin-hosts.ts";
import { openPluginPins } from "./consent/plugin-pins.ts";
import { openPluginIndex } from "./discovery/plugin-index.ts";
import {
  NO_SERVICES,
  type ConversationServices,
  type NetworkServices,
  type PluginServices,
  type StateServices,
} from "./registry/plugin-services.ts";
import { openStorage } from "./registry/plugin-storage.ts";
import { createPluginHost } from "./create-plugin-host.ts";
import type { PluginHost } from "./registry/plugin-host.ts";

/** Services that a test replaces; each belongs to the group that has it. */
type FlatServices = Partial<
  ConversationServices & NetworkServices & StateServices & Omit<PluginServices, "conversations" | "network" | "state">
>;

export type Files = { readonly [path: string]: string };

export const manifest = (name: string, more = ""): string =>
  `name: ${name}\nversion: 1.0.0\ndescription: A plugin\n${more}`;
export const tool = (name: string, answer: string): string =>
  `ctx.tool({ name: "${name}", toolset: "${name}", description: "Says ${answer}.", effect: "none", input: { type: "object", properties: {} }, execute: async () => ({ said: "${answer}" }) });`;
export const register = (body: string): string =>
  `globalThis.loads = (globalThis.loads ?? []).concat(import.meta.filename.split("/").at(-2));\nexport default function register(ctx) {\n${body}\n}\n`;

/** The home, bundled plugins and plugin messages of one test. */
export function setUp(t: { after(run: () => void | Promise<void>): void }, files: Files = {}, config = "") {
  const path = mkdtempSync(join(tmpdir(), "hermes-plugins-"));
  const hosts: PluginHost[] = [];
  t.after(async () => {
    for (const host of hosts) await host[Symbol.asyncDispose]();
    rmSync(path, { recursive: true, force: true });
    delete (globalThis as { loads?: unknown }).loads;
  });
  const write = (more: Files): void => {
    for (const [name, text] of Object.entries(more)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    }
  };
  for (const folder of ["bundled", "work"]) mkdirSync(join(path, folder));
  write({ "home/config.yaml": config, ...files });
  return {
    path,
    write,
    loads: (): readonly string[] => (globalThis as { loads?: string[] }).loads ?? [],
    config: () => readFileSync(join(path, "home/config.yaml"), "utf8"),
    async start(
      env: Files = {},
      more: {
        readonly projectDir?: string;
        readonly modulesDir?: string;
        readonly unread?: string;
        readonly path?: string;
        readonly hosts?: true;
        readonly patienceMs?: number;
        readonly services?: FlatServices;
      } = {},
    ) {
      const log = quietLog();
      const home = resolveHome({ env: { HERMES_HOME: join(path, "home") }, userHome: path });
      const environment = openEnvironment({ home, process: env });
      const pins = openPluginPins(home);
      const index = await openPluginIndex({
        home,
        log,
        pins,
        bundledDirs: [join(path, "bundled")],
        version: "1",
        projectDir: more.projectDir,
        modulesDir: more.modulesDir,
        path: more.path,
      });
      const config = await openConfig({ home, environment, sections: index.sections });
      const variables = { PATH: process.env["PATH"], HOME: path, ...env };
      const processes =
        more.hosts === true
          ? openHosts({
              home,
              log,
              cwd: join(path, "work"),
              version: "1",
              variables,
              environment: openEnvironment({ home, process: variables }),
              config,
            })
          : undefined;
      const calls: unknown[] = [];
      const reread = async () => (environment.refresh(), config.load());
      const host = createPluginHost({
        log,
        clock: fakeClock(),
        home,
        installed: { index, pins, path: more.path, unread: more.unread },
        settings: { config, environment, reread },
        hosts: processes,
        reserved: { command: (name) => name === "help", word: (name) => name === "chat" },
        patienceMs: more.patienceMs ?? 120_000,
      });
      await host.start({
        ...NO_SERVICES,
        ...more.services,
        conversations: {
          ...NO_SERVICES.conversations,
          call: async (...call) => (
            calls.push(call),
            { kind: "ok", value: { got: 1 }, shown: [{ type: "text", text: '{"got":1}' }] }
          ),
          ...more.services,
        },
        network: {
          ...NO_SERVICES.network,
          fetch: () => () => Promise.reject(new Error("no network")),
          browserReturn: openBrowserReturn,
          ...more.services,
        },
        state: {
          home: home.path,
          storage: (plugin) => openStorage(home, plugin),
          changeFile: (file, change) => changeFile(home.path, file, change),
          secrets: {
            ...NO_SERVICES.state.secrets,
            read: async (name) => (environment.refresh(), environment.get(name)),
          },
          saveConfig: NO_SERVICES.state.saveConfig,
          ...more.services,
        },
      });
      hosts.push(host);
      return { host, log, calls, environment, pins, index };
    },
  };
}

export async function run(host: PluginHost, name: string): Promise<unknown> {
  const loaded = await host.tools.get(name)?.load();
  return loaded?.execute({}, {} as ToolContext);
}
