import type { CliIo, Plugin } from "hermes-agent/plugin";
import { HELP } from "./help.ts";
import { webhookPlatform } from "./webhook-platform.ts";

const register: Plugin = (ctx) => {
  ctx.register_platform(webhookPlatform(ctx));
  ctx.cli({
    name: "webhook",
    description: "Subscribe to, list, remove or test webhook routes",
    input: { type: "object", properties: { words: { type: "array", items: { type: "string" } } } },
    raw: true,
    help: HELP,
    run: async (input: { readonly words: readonly string[] }, io: CliIo) =>
      (await import("./webhook-command.ts")).webhookCommand(ctx, input.words, io),
  });
};

export default register;
