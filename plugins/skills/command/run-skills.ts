import type { Service, Subcommand } from "./command-services.ts";
import { runWords, type WordCommand } from "./run-subcommand.ts";

const YES = { yes: { type: "boolean", short: "y" } } as const;

/** The words of `hermes skills` and `/skills`: one table for both. Each one's work is loaded when it is used. */
export const SUBCOMMANDS: { readonly [name: string]: Subcommand } = {
  list: {
    takes: "[--source builtin|hub|local|outside|plugin] [--enabled-only] [--json]",
    does: "every skill, where it is from and whether it is on",
    words: [0, 0],
    options: { source: { type: "string" }, "enabled-only": { type: "boolean" }, json: { type: "boolean" } },
    run: async (words, options, service) => (await import("./look.ts")).list(words, options, service),
  },
  search: {
    takes: "WORDS… [--source github|claude-marketplace|clawhub|lobehub|REPO] [--limit N] [--json]",
    does: "skills of taps and registries by name and description",
    words: [1, 20],
    options: { source: { type: "string" }, limit: { type: "string" }, json: { type: "boolean" } },
    run: async (words, options, service) => (await import("../hub/search.ts")).search(words, options, service),
  },
  install: {
    takes:
      "REPO/SKILL|GIT-URL#SKILL|FOLDER|clawhub/SLUG|lobehub/AGENT|claude-marketplace/REPO/PLUGIN/SKILL [--category C] [--name NAME] [--force] [-y]",
    does: "fetch a skill, scan it and put it into the home",
    words: [1, 1],
    options: { category: { type: "string" }, name: { type: "string" }, force: { type: "boolean" }, ...YES },
    run: async (words, options, service) => (await import("../hub/install.ts")).install(words, options, service),
  },
  uninstall: {
    takes: "NAME",
    does: "take an installed skill and its record away",
    words: [1, 1],
    run: async (words, options, service) => (await import("../hub/install.ts")).uninstall(words, options, service),
  },
  tap: {
    takes: "list | add REPO | remove REPO",
    does: "repositories that are searched; one is a Git repository with skills/NAME/SKILL.md",
    words: [0, 2],
    run: async (words, options, service) => (await import("../hub/taps.ts")).tap(words, options, service),
  },
  publish: {
    takes: "NAME --repo REPO [--branch B] [-y]",
    does: "send a skill of your own to a Git repository, as a commit on a branch of it",
    words: [1, 1],
    options: { repo: { type: "string" }, branch: { type: "string" }, ...YES },
    run: async (words, options, service) => (await import("../hub/publish.ts")).publish(words, options, service),
  },
  snapshot: {
    takes: "export FILE | import FILE [--force]",
    does: "all skills of the home in one file, and back",
    words: [1, 2],
    options: { force: { type: "boolean" } },
    run: async (words, options, service) => (await import("../hub/snapshot.ts")).snapshot(words, options, service),
  },
  inspect: {
    takes: "NAME|REPO/SKILL|FOLDER",
    does: "one skill, also before it is installed: origin, files, what it needs, what a scan says",
    words: [1, 1],
    run: async (words, options, service) => (await import("./look.ts")).inspect(words, options, service),
  },
  audit: {
    takes: "[NAME]",
    does: "scan again what is there; tells what was altered after its installation",
    words: [0, 1],
    run: async (words, options, service) => (await import("./look.ts")).audit(words, options, service),
  },
  enable: {
    takes: "NAME [--platform P]",
    does: "list and load it again",
    words: [1, 1],
    options: { platform: { type: "string" } },
    run: async (words, options, service) => (await import("./switch.ts")).switchSkill(true, words, options, service),
  },
  disable: {
    takes: "NAME [--platform P]",
    does: "neither list nor load it; with --platform there only",
    words: [1, 1],
    options: { platform: { type: "string" } },
    run: async (words, options, service) => (await import("./switch.ts")).switchSkill(false, words, options, service),
  },
  history: {
    takes: "[NAME]",
    does: "earlier versions of what the agent changed or deleted",
    words: [0, 1],
    run: async (words, options, service) => (await import("./past.ts")).history(words, options, service),
  },
  restore: {
    takes: "ID|NAME",
    does: "put an earlier version back",
    words: [1, 1],
    run: async (words, options, service) => (await import("./past.ts")).restore(words, options, service),
  },
  reset: {
    takes: "NAME [--restore] [-y]",
    does: "let a bundled skill follow the agent's again; with --restore as it came along",
    words: [1, 1],
    options: { restore: { type: "boolean" }, ...YES },
    run: async (words, options, service) => (await import("./past.ts")).reset(words, options, service),
  },
};

/** Words of the original that are not here, and what helps instead. */
const ABSENT: { readonly [name: string]: string } = {
  config: "Switch skills by name: skills disable NAME --platform P.",
  browse: "Registries are searched, not paged through: skills search WORDS --source clawhub.",
  check: "Install it anew to have the newest: skills install FROM --force.",
  update: "Install it anew to have the newest: skills install FROM --force.",
};

/** @param words What was typed behind `skills`. @returns the exit status. @throws {UserError} for a slip. */
export async function runSkills(words: readonly string[], service: Service): Promise<number> {
  (await import("../hub/move-into-place.ts")).endLeft(service.shelf.folder);
  return runWords(SKILLS, words, service);
}

const SKILLS: WordCommand<Service> = {
  name: "skills",
  about: "Skills: instructions for one kind of work each, in the home's folder `skills`.",
  subcommands: SUBCOMMANDS,
  usual: "list",
  absent: ABSENT,
};
