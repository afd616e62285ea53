import type { CliIo, Plugin } from "hermes-agent/plugin";
import type { Checkpoints, RollbackInput } from "./checkpoints.ts";

/** Checkpoints before each turn's first change, and the way back. */
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
      // A person's own call outside of a turn is all there is of its turn.
      if (call.turn_id === "")
        void (await loaded)
          ?.after("")
          .catch((cause: unknown) =>
            ctx.log.warning("What a call left behind could not be kept for a rollback.", { cause }),
          );
    }
  });
  // Only what this process began is its to end.
  ctx.hook("on_session_end", async ({ turn_id }) => (await loaded)?.after(turn_id));
  ctx.onUnload(async () => (await loaded)?.close());

  ctx.command({
    name: "rollback",
    description: "list checkpoints, or go back: files and conversation together",
    argsHint: "[N [file]|diff N|redo]",
    run: async (args, call) => (await load()).command(args, call),
    complete: () => ["diff ", "redo"],
  });
  ctx.cli({
    name: "rollback",
    description: "undo what turns did to files, and the conversation with it",
    input: {
      type: "object",
      properties: {
        action: {
          type: "string",
          description: "list, diff, restore or redo; default: list. A number alone is restored",
        },
        which: { type: "string", description: "number of the checkpoint, 1 is the newest" },
        file: { type: "string", description: "restore only this file, and leave the conversation" },
        session: { type: "string", description: "id or title of the conversation; default: the latest" },
        json: { type: "boolean", description: "for programs" },
      },
    },
    positional: ["action", "which", "file"],
    run: async (input: RollbackInput, io: CliIo) => (await load()).cli(input, io),
  });
  ctx.cli({
    name: "checkpoints",
    description: "what checkpoints keep and how much room they take",
    input: {
      type: "object",
      properties: {
        action: { type: "string", enum: ["status", "list", "clear"], description: "what to do; default: status" },
        json: { type: "boolean", description: "for programs" },
      },
    },
    positional: ["action"],
    run: async (input: { readonly action?: string; readonly json?: boolean }, io: CliIo) =>
      (await load()).manage(input, io),
  });
};

export default register;
