import { needsVariables, provideTerminal, syncedLabel, type Plugin } from "hermes-agent/plugin";
import type { ModalSdk } from "./modal-sdk.ts";

const NEEDED = ["MODAL_TOKEN_ID", "MODAL_TOKEN_SECRET"] as const;

const register: Plugin = (ctx) =>
  provideTerminal(ctx, { id: "modal", label: syncedLabel("a sandbox of Modal", ctx.config), isolated: true, elsewhere: true, available: (probe) => needsVariables(probe, NEEDED) }, async () => {
    const { ModalBackend } = await import("./modal-backend.ts");
    const [tokenId, tokenSecret] = NEEDED.map((name) => ctx.env(name));
    return new ModalBackend({ config: ctx.config, home: ctx.home, log: ctx.log, storage: () => ctx.storage, load: async () => (await ctx.package("modal")) as ModalSdk, tokenId, tokenSecret, environment: ctx.env("MODAL_ENVIRONMENT") });
  });

export default register;
