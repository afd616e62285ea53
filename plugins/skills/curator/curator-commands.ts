import type { CliIo, CommandContext, PluginContext } from "hermes-agent/plugin";
import { runWords, type WordCommand } from "../command/run-subcommand.ts";
import type { CuratorService } from "./subcommands.ts";

const CURATOR: WordCommand<CuratorService> = {
  name: "curator",
  about:
    "Looks after the skills that the agent made itself: what is not used for long goes into an archive. Nothing is deleted, and everything can be restored.",
  usual: "status",
  subcommands: {
    status: {
      takes: "",
      does: "when it runs, and every skill the agent made",
      words: [0, 0],
      run: async (_words, _options, service) => (await import("./subcommands.ts")).status(service),
    },
    run: {
      takes: "[--dry-run] [--consolidate]",
      does: "now; --dry-run only says what it would do, --consolidate has overlapping skills become one",
      words: [0, 0],
      options: { "dry-run": { type: "boolean" }, consolidate: { type: "boolean" }, "if-due": { type: "boolean" } },
      run: async (_words, options, service) => (await import("./subcommands.ts")).run(options, service),
    },
    pause: {
      takes: "",
      does: "it does not run by itself until it is resumed",
      words: [0, 0],
      run: async (_words, _options, service) => (await import("./subcommands.ts")).pause(true, service),
    },
    resume: {
      takes: "",
      does: "it runs by itself again",
      words: [0, 0],
      run: async (_words, _options, service) => (await import("./subcommands.ts")).pause(false, service),
    },
    pin: {
      takes: "NAME",
      does: "a skill that stays, however long it is not used",
      words: [1, 1],
      run: async ([name = ""], _options, service) => (await import("./subcommands.ts")).pin(name, true, service),
    },
    unpin: {
      takes: "NAME",
      does: "it is looked after like others again",
      words: [1, 1],
      run: async ([name = ""], _options, service) => (await import("./subcommands.ts")).pin(name, false, service),
    },
    restore: {
      takes: "NAME",
      does: "bring an archived skill back",
      words: [1, 1],
      run: async ([name = ""], _options, service) => (await import("./subcommands.ts")).restore(name, service),
    },
  },
  absent: {
    usage: "curator status has the figures of the agent's own skills; skills list has all there are.",
    archive: "curator run archives what is old; skills disable NAME keeps a skill out of sight.",
    prune: "curator run does that; curator.archive_after_days says after how long.",
    backup:
      "Every run can be taken back: curator restore, skills history. hermes skills snapshot export FILE keeps all of them.",
    rollback: "curator restore NAME brings one back; skills restore NAME an earlier text.",
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
