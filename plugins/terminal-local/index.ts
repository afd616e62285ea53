import type { Plugin, Terminal, TerminalBackend, TerminalOptions } from "hermes-agent/plugin";
import type { LocalBackend } from "./local-backend.ts";

const register: Plugin = (ctx) => {
  let backend: Promise<LocalBackend> | undefined;
  const load = () => (backend ??= import("./local-backend.ts").then((module) => new module.LocalBackend(ctx.config, ctx.log)));
  const provider: TerminalBackend = {
    id: "local",
    label: "this machine",
    isolated: false,
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
