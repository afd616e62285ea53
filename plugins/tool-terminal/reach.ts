import { basename } from "node:path/posix";
import { holdsInstructions, hostOf, isLoopback, isOutsideWorkspace, type CommandEffect, type CommandJudgement, type ForeignWords, type Reach, type RiskContext } from "hermes-agent/plugin";

/** Programs that run what the folder holds: builds, tests, scripts. Of these with a second word, only the named ones; `*` is any. */
const OF_THE_FOLDER: { readonly [program: string]: readonly string[] } = {
  make: ["*"], cmake: ["*"], ninja: ["*"], just: ["*"], tsc: ["*"], eslint: ["*"], prettier: ["*"], oxlint: ["*"], vitest: ["*"], jest: ["*"], mocha: ["*"], pytest: ["*"], tox: ["*"], ruff: ["*"], mypy: ["*"], black: ["*"], gcc: ["*"], cc: ["*"], clang: ["*"], rustc: ["*"], javac: ["*"],
  npm: ["test", "t", "run", "run-script", "start", "build", "ls"], pnpm: ["test", "run", "start", "build"], yarn: ["test", "run", "start", "build"], bun: ["test", "run", "build"],
  cargo: ["build", "test", "check", "run", "fmt", "clippy", "bench"], go: ["build", "test", "vet", "fmt", "run"], mvn: ["test", "compile", "package", "verify"], gradle: ["test", "build", "check"], dotnet: ["build", "test", "run"], swift: ["build", "test", "run"],
  git: ["add", "commit", "mv", "rm", "branch", "tag", "checkout", "switch", "restore", "stash", "merge", "rebase", "reset", "status", "diff", "log", "show", "init", "cherry-pick", "revert", "apply", "am", "clean", "worktree"],
  python: ["*"], python3: ["*"], node: ["*"], deno: ["run", "test"], ruby: ["*"], perl: ["*"], php: ["*"], bash: ["*"], sh: ["*"], zsh: ["*"], source: ["*"],
};
/** What takes its code from the command itself unless it names a file. */
const INTERPRETERS = new Set(["python", "python3", "node", "deno", "bun", "ruby", "perl", "php", "lua", "bash", "sh", "zsh", "dash", "ksh", "fish", "awk", "gawk", "tclsh", "Rscript", "osascript", "pwsh"]);

/** What a command reaches beyond the session. */
export function reachOf({ effects, answer }: CommandJudgement, call: RiskContext): readonly Reach[] {
  const found = effects.flatMap((effect) => reachesOf(effect, call));
  // What could not be followed may reach anything.
  return answer === "ask" && effects.length === 0 ? [{ kind: "code", what: "a command that cannot be followed" }] : distinct(found);
}

function reachesOf(effect: CommandEffect, call: RiskContext): readonly Reach[] {
  switch (effect.kind) {
    case "network":
      if (isLoopback(effect.url)) return [];
      return [effect.sends || !/^https?:\/\//i.test(effect.url) ? { kind: "send", what: plain(effect.url) || "an address that cannot be told" } : { kind: "fetch", what: plain(effect.url) }];
    case "execute":
      return [{ kind: runsOfFolder(effect.program, effect.words) ? "run" : "code", what: plain(effect.words.join(" ")) }];
    case "write":
      return effect.path === undefined ? [] : holdsInstructions(effect.path, call) ? [{ kind: "change", what: `${plain(effect.path)}, which is read as instructions` }] : [];
    case "harm":
      return CHANGES.has(effect.harm) ? [{ kind: "change", what: plain(effect.what) }] : RUNS.has(effect.harm) ? [{ kind: "code", what: plain(effect.what) }] : effect.harm === "secret-send" ? [{ kind: "send", what: plain(effect.what) }] : [];
    default:
      return [];
  }
}

const CHANGES: ReadonlySet<string> = new Set(["self-config", "schedule", "unit", "shell-startup", "git-hook", "git-config-runs", "package-index", "privilege-config"]);
const RUNS: ReadonlySet<string> = new Set(["remote-shell", "remote-run", "decoded-shell", "unseen-shell", "code-runs", "computed-command", "option-runs", "env-code", "reverse-shell"]);

function runsOfFolder(path: string, words: readonly string[]): boolean {
  const program = basename(path);
  const [, second] = words.filter((word) => word === words[0] || !word.startsWith("-"));
  // A program of the folder itself: `./test.sh`.
  if (path.startsWith("./") || path.startsWith("../")) return true;
  if (INTERPRETERS.has(program) && (second === undefined || second.includes("…"))) return false;
  const known = OF_THE_FOLDER[program];
  return known !== undefined && (known.includes("*") || (second !== undefined && known.includes(second)));
}

/** Programs that ask a service by themselves and print what other people wrote there. */
const ASK_SERVICES = new Set("gh glab hub aws gcloud az heroku http https xh w3m lynx links elinks mutt neomutt himalaya notmuch mail".split(" "));

/** Whose words a command prints: those of the addresses it asks, and of files outside the session's folder. */
export function foreignWords({ effects }: CommandJudgement, call: RiskContext): ForeignWords | undefined {
  const kept = effects.some((effect) => effect.kind === "write") ? { kept: true as const } : {};
  for (const effect of effects) {
    if (effect.kind === "network" && !isLoopback(effect.url)) {
      const host = hostOf(plain(effect.url));
      return { source: plain(effect.url) || "the network", ...(host === undefined ? {} : { host }), ...kept };
    }
    if (effect.kind === "execute" && ASK_SERVICES.has(basename(effect.program))) return { source: plain(effect.words.join(" ")), ...kept };
    if (effect.kind === "read" && effect.path !== undefined && isOutsideWorkspace(effect.path, call)) return { source: plain(effect.path), ...kept };
  }
  return undefined;
}

/** Marks for what only the running shell knows, as a person reads them. */
function plain(text: string): string {
  return text.replaceAll("\uE010", "*").replace(/[\uE000-\uE01F]/g, "…");
}

function distinct(reaches: readonly Reach[]): readonly Reach[] {
  return reaches.filter(({ kind, what }, at) => reaches.findIndex((other) => other.kind === kind && other.what === what) === at);
}
