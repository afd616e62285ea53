import type { Plugin, TerminalBackend } from "hermes-agent/plugin";
import type { ModalBackend } from "./modal-backend.ts";
import type { ModalSdk } from "./modal-sdk.ts";

const NEEDED = ["MODAL_TOKEN_ID", "MODAL_TOKEN_SECRET"] as const;

const register: Plugin = (ctx) => {
  let backend: Promise<ModalBackend> | undefined;
  const load = () =>
    (backend ??= import("./modal-backend.ts").then((module) => {
      const [tokenId, tokenSecret] = NEEDED.map((name) => ctx.env(name));
      const environment = ctx.env("MODAL_ENVIRONMENT");
      return new module.ModalBackend({ config: ctx.config, home: ctx.home, log: ctx.log, storage: () => ctx.storage, load: async () => (await ctx.package("modal")) as ModalSdk, tokenId, tokenSecret, environment });
    }));
  const provider: TerminalBackend = {
    id: "modal",
    label: `a sandbox of Modal${ctx.config["sync_cwd_to_workspace"] === true ? ", the start directory synced" : ""}`,
    isolated: true,
    elsewhere: true,
    available: (probe) => {
      const missing = NEEDED.filter((name) => probe.env(name) === undefined);
      return missing.length === 0 ? { ok: true } : { ok: false, reason: `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set.`, needs: missing };
    },
    open: async (options, signal) => (await load()).open(options, signal),
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
