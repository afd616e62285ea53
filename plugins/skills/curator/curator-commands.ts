import type { CliIo, CommandContext, PluginContext } from "hermes-agent/plugin";
import { runWords, type WordCommand } from "../command/run-subcommand.ts";
import type { CuratorService } from "./subcommands.ts";

const CURATOR: WordCommand<CuratorService> = {
  name: "curator",
  about:
    "Maintains the skills that the agent created: archives those that were not used for a long time. It deletes nothing, and you can restore everything.",
  usual: "status",
  subcommands: {
    status: {
      takes: "",
      does: "Show when the curator runs, and all skills that the agent created",
      words: [0, 0],
      run: async (_words, _options, service) => (await import("./subcommands.ts")).status(service),
    },
    run: {
      takes: "[--dry-run] [--consolidate]",
      does: "Run the curator now; --dry-run only shows the changes, --consolidate merges overlapping skills",
      words: [0, 0],
      options: { "dry-run": { type: "boolean" }, consolidate: { type: "boolean" }, "if-due": { type: "boolean" } },
      run: async (_words, options, service) => (await import("./subcommands.ts")).run(options, service),
    },
    pause: {
      takes: "",
      does: "Stop automatic runs until you resume them",
      words: [0, 0],
      run: async (_words, _options, service) => (await import("./subcommands.ts")).pause(true, service),
    },
    resume: {
      takes: "",
      does: "Resume automatic runs",
      words: [0, 0],
      run: async (_words, _options, service) => (await import("./subcommands.ts")).pause(false, service),
    },
    pin: {
      takes: "NAME",
      does: "Keep a skill, however long it is not used",
      words: [1, 1],
      run: async ([name = ""], _options, service) => (await import("./subcommands.ts")).pin(name, true, service),
    },
    unpin: {
      takes: "NAME",
      does: "Let the curator archive the skill again",
      words: [1, 1],
      run: async ([name = ""], _options, service) => (await import("./subcommands.ts")).pin(name, false, service),
    },
    restore: {
      takes: "NAME",
      does: "Restore an archived skill",
      words: [1, 1],
      run: async ([name = ""], _options, service) => (await import("./subcommands.ts")).restore(name, service),
    },
  },
  absent: {
    usage: "curator status shows the usage of the agent's own skills; skills list shows all skills.",
    archive: "curator run archives unused skills; skills disable NAME hides a skill.",
    prune: "curator run does that; curator.archive_after_days sets the number of days.",
    backup:
      "You can undo every run: curator restore, skills history. hermes skills snapshot export FILE saves all skills.",
    rollback: "curator restore NAME restores an archived skill; skills restore NAME restores an earlier text.",
    "list-archived": "curator status lists them.",
  },
};

/** `hermes curator …`, and what a gateway runs each hour. */
export function cli(words: readonly string[], io: CliIo, ctx: PluginContext): Promise<number> {
  return runWords(CURATOR, words, { door: ctx, signal: io.signal, say: (text) => io.out(`${text}\n`) });
}

/** `/curator …` */
export async function slash(args: string, call: CommandContext, ctx: PluginContext): Promise<string> {
  const message: string[] = [];
  await runWords(
    CURATOR,
    args.split(/\s+/).filter((word) => word !== ""),
    { door: ctx, signal: call.signal, say: (text) => void message.push(text) },
  );
  return message.join("\n");
}

export function completions(): readonly string[] {
  return Object.keys(CURATOR.subcommands);
}
