import type { Plugin, Terminal, TerminalBackend, TerminalOptions } from "hermes-agent/plugin";
import type { Enclosure } from "./sandbox/enclosure.ts";
import type { LocalBackend } from "./local-backend.ts";

const register: Plugin = (ctx) => {
  let backend: Promise<LocalBackend> | undefined;
  let enclosure: Promise<Enclosure> | undefined;
  const enclose = () => (enclosure ??= import("./sandbox/open-enclosure.ts").then((module) => module.openEnclosure(ctx)));
  // Where nobody wants one, none of its code is loaded.
  const unwanted = () => ctx.setting("sandbox.mode") === "off";
  const around = async (cwd: string) => (unwanted() ? undefined : (await enclose()).around(cwd));
  const load = () => (backend ??= import("./local-backend.ts").then((module) => new module.LocalBackend(ctx.config, ctx.log, process.env, around, ctx.home)));
  const provider: TerminalBackend = {
    id: "local",
    label: "this machine",
    isolated: false,
    sandbox: async () => (unwanted() ? { kind: "off", words: "sandbox.mode is off" } : (await enclose()).state()),
    open: async (options: TerminalOptions, signal: AbortSignal): Promise<Terminal> => (await load()).open(options, signal),
    [Symbol.asyncDispose]: async () => {
      await (await backend)?.[Symbol.asyncDispose]();
    },
  };
  ctx.provide("terminal", provider);
  ctx.onUnload(async () => {
    await provider[Symbol.asyncDispose]();
  });
};

export default register;
