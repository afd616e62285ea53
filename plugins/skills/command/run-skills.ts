import type { Service, Subcommand } from "./command-services.ts";
import { runWords, type WordCommand } from "./run-subcommand.ts";

const YES = { yes: { type: "boolean", short: "y" } } as const;

/** The words of `hermes skills` and `/skills`: one table for both. Each one's work is loaded when it is used. */
export const SUBCOMMANDS: { readonly [name: string]: Subcommand } = {
  list: {
    takes: "[--source builtin|hub|local|outside|plugin] [--enabled-only] [--json]",
    does: "List all skills with their source and whether they are on",
    words: [0, 0],
    options: { source: { type: "string" }, "enabled-only": { type: "boolean" }, json: { type: "boolean" } },
    run: async (words, options, service) => (await import("./look.ts")).list(words, options, service),
  },
  search: {
    takes: "WORDS… [--source github|claude-marketplace|clawhub|lobehub|REPO] [--limit N] [--json]",
    does: "Search taps and registries by name and description",
    words: [1, 20],
    options: { source: { type: "string" }, limit: { type: "string" }, json: { type: "boolean" } },
    run: async (words, options, service) => (await import("../hub/search.ts")).search(words, options, service),
  },
  install: {
    takes:
      "REPO/SKILL|GIT-URL#SKILL|FOLDER|clawhub/SLUG|lobehub/AGENT|claude-marketplace/REPO/PLUGIN/SKILL [--category C] [--name NAME] [--force] [-y]",
    does: "Download a skill, scan it and install it",
    words: [1, 1],
    options: { category: { type: "string" }, name: { type: "string" }, force: { type: "boolean" }, ...YES },
    run: async (words, options, service) => (await import("../hub/install.ts")).install(words, options, service),
  },
  uninstall: {
    takes: "NAME",
    does: "Remove an installed skill and its record",
    words: [1, 1],
    run: async (words, options, service) => (await import("../hub/install.ts")).uninstall(words, options, service),
  },
  tap: {
    takes: "list | add REPO | remove REPO",
    does: "List, add or remove repositories to search; a tap is a Git repository with skills/NAME/SKILL.md",
    words: [0, 2],
    run: async (words, options, service) => (await import("../hub/taps.ts")).tap(words, options, service),
  },
  publish: {
    takes: "NAME --repo REPO [--branch B] [-y]",
    does: "Push one of your skills to a Git repository, as a commit on a branch",
    words: [1, 1],
    options: { repo: { type: "string" }, branch: { type: "string" }, ...YES },
    run: async (words, options, service) => (await import("../hub/publish.ts")).publish(words, options, service),
  },
  snapshot: {
    takes: "export FILE | import FILE [--force]",
    does: "Export all skills of the home to one file, or import such a file",
    words: [1, 2],
    options: { force: { type: "boolean" } },
    run: async (words, options, service) => (await import("../hub/snapshot.ts")).snapshot(words, options, service),
  },
  inspect: {
    takes: "NAME|REPO/SKILL|FOLDER",
    does: "Show one skill, installed or not: source, files, requirements, scan result",
    words: [1, 1],
    run: async (words, options, service) => (await import("./look.ts")).inspect(words, options, service),
  },
  audit: {
    takes: "[NAME]",
    does: "Scan the installed skills again; also shows which were modified after their installation",
    words: [0, 1],
    run: async (words, options, service) => (await import("./look.ts")).audit(words, options, service),
  },
  enable: {
    takes: "NAME [--platform P]",
    does: "List and load the skill again",
    words: [1, 1],
    options: { platform: { type: "string" } },
    run: async (words, options, service) => (await import("./switch.ts")).switchSkill(true, words, options, service),
  },
  disable: {
    takes: "NAME [--platform P]",
    does: "Neither list nor load the skill; with --platform, only there",
    words: [1, 1],
    options: { platform: { type: "string" } },
    run: async (words, options, service) => (await import("./switch.ts")).switchSkill(false, words, options, service),
  },
  history: {
    takes: "[NAME]",
    does: "List earlier versions of what the agent changed or deleted",
    words: [0, 1],
    run: async (words, options, service) => (await import("./past.ts")).history(words, options, service),
  },
  restore: {
    takes: "ID|NAME",
    does: "Restore an earlier version",
    words: [1, 1],
    run: async (words, options, service) => (await import("./past.ts")).restore(words, options, service),
  },
  reset: {
    takes: "NAME [--restore] [-y]",
    does: "Let a bundled skill update with Hermes again; with --restore, replace it with the bundled version",
    words: [1, 1],
    options: { restore: { type: "boolean" }, ...YES },
    run: async (words, options, service) => (await import("./past.ts")).reset(words, options, service),
  },
};

/** Words of the original that are not here, and what helps instead. */
const ABSENT: { readonly [name: string]: string } = {
  config: "Enable or disable skills by name: skills disable NAME --platform P.",
  browse: "Search the registries instead: skills search WORDS --source clawhub.",
  check: "Install the skill again to update it: skills install FROM --force.",
  update: "Install the skill again to update it: skills install FROM --force.",
};

/** @param words What was typed behind `skills`. @returns the exit status. @throws {UserError} for a slip. */
export async function runSkills(words: readonly string[], service: Service): Promise<number> {
  (await import("../hub/move-into-place.ts")).endLeft(service.shelf.folder);
  return runWords(SKILLS, words, service);
}

const SKILLS: WordCommand<Service> = {
  name: "skills",
  about: "Manage skills: instructions for one kind of work each, in the folder `skills` of the home.",
  subcommands: SUBCOMMANDS,
  usual: "list",
  absent: ABSENT,
};
