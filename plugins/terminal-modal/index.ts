import {
  needsVariables,
  provideTerminal,
  syncing,
  TerminalUnavailable,
  type Availability,
  type Plugin,
  type Probe,
} from "hermes-agent/plugin";
import type { ModalSdk } from "./modal-sdk.ts";

const NEEDED = ["MODAL_TOKEN_ID", "MODAL_TOKEN_SECRET"] as const;

const MANAGED =
  "terminal.modal_mode is managed. That mode needs a service of the original project, which Hermes for TypeScript does not use.";

const register: Plugin = (ctx) => {
  const managed = ctx.config["modal_mode"] === "managed";
  const available = (probe: Probe): Availability =>
    managed ? { ok: false, reason: MANAGED, needs: ["terminal.modal_mode"] } : needsVariables(probe, NEEDED);
  provideTerminal(
    ctx,
    { id: "modal", ...syncing("a Modal sandbox", ctx.config), isolated: true, elsewhere: true, available },
    async () => {
      if (managed)
        throw new TerminalUnavailable(MANAGED, {
          hint: "Run `hermes config set terminal.modal_mode direct` and set your own Modal token.",
        });
      const { ModalBackend } = await import("./modal-backend.ts");
      const [tokenId, tokenSecret] = NEEDED.map((name) => ctx.env(name));
      return new ModalBackend({
        config: ctx.config,
        home: ctx.home,
        log: ctx.log,
        storage: () => ctx.storage,
        load: async () => (await ctx.package("modal")) as ModalSdk,
        tokenId,
        tokenSecret,
        environment: ctx.env("MODAL_ENVIRONMENT"),
      });
    },
  );
};

export default register;
