import type { CliIo, Plugin } from "hermes-agent/plugin";
import type { Checkpoints, RollbackInput } from "./checkpoints.ts";

/** Takes a checkpoint before each turn's first change and restores it on request. */
const register: Plugin = (ctx) => {
  let loaded: Promise<Checkpoints> | undefined;
  const load = () => (loaded ??= import("./checkpoints.ts").then((module) => new module.Checkpoints(ctx)));

  ctx.middleware("tool_execution", async (call, next) => {
    if (call.effect === "none" || call.effect === "read" || ctx.config["enabled"] === false) return next();
    const ended = await (await load()).before(call);
    try {
      return await next();
    } finally {
      ended();
      // A call that the user makes outside a turn is its own turn.
      if (call.turn_id === "")
        void (await loaded)
          ?.after("")
          .catch((cause: unknown) =>
            ctx.log.warning("Cannot save the state after a call; a rollback may miss its changes.", { cause }),
          );
    }
  });
  // This process ends only the turns that it began.
  ctx.hook("on_session_end", async ({ turn_id }) => (await loaded)?.after(turn_id));
  ctx.onUnload(async () => (await loaded)?.close());

  ctx.command({
    name: "rollback",
    description: "List checkpoints, or restore files and conversation together",
    argsHint: "[list|N [file]|diff N|redo]",
    run: async (args, call) => (await load()).command(args, call),
    complete: () => ["list", "diff ", "redo"],
  });
  ctx.cli({
    name: "rollback",
    description: "Undo the file changes of turns, and the conversation with them",
    input: {
      type: "object",
      properties: {
        action: {
          type: "string",
          description: "list, diff, restore or redo. Default: list. A number alone restores that checkpoint",
        },
        which: { type: "string", description: "Number of the checkpoint; 1 is the newest" },
        file: { type: "string", description: "Restore only this file and leave the conversation unchanged" },
        session: { type: "string", description: "ID or title of the conversation. Default: the latest" },
        json: { type: "boolean", description: "Print JSON" },
      },
    },
    positional: ["action", "which", "file"],
    run: async (input: RollbackInput, io: CliIo) => (await load()).cli(input, io),
  });
  ctx.cli({
    name: "checkpoints",
    description: "Show what checkpoints store and how much disk space they use",
    input: {
      type: "object",
      properties: {
        action: { type: "string", enum: ["status", "list", "clear"], description: "Action. Default: status" },
        json: { type: "boolean", description: "Print JSON" },
      },
    },
    positional: ["action"],
    run: async (input: { readonly action?: string; readonly json?: boolean }, io: CliIo) =>
      (await load()).manage(input, io),
  });
};

export default register;
