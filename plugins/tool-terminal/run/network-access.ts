import { basename } from "node:path/posix";
import {
  DANGEROUS_PATTERNS,
  holdsInstructions,
  instructsOthers,
  shownPath,
  type CommandEffect,
  type CommandJudgement,
  type Egress,
  type RiskContext,
} from "hermes-agent/plugin";

/** Programs that run code of the folder: builds, tests, scripts. If subcommands are listed, only these. */
const OF_THE_FOLDER: ReadonlyMap<string, readonly string[] | "any"> = new Map(
  Object.entries<readonly string[] | "any">({
    make: "any",
    cmake: "any",
    ninja: "any",
    just: "any",
    tsc: "any",
    eslint: "any",
    prettier: "any",
    oxlint: "any",
    vitest: "any",
    jest: "any",
    mocha: "any",
    pytest: "any",
    tox: "any",
    ruff: "any",
    mypy: "any",
    black: "any",
    gcc: "any",
    cc: "any",
    clang: "any",
    rustc: "any",
    javac: "any",
    npm: ["test", "t", "run", "run-script", "start", "ls"],
    pnpm: ["test", "run", "start"],
    yarn: ["test", "run", "start", "build"],
    bun: ["test", "run", "build"],
    cargo: ["build", "test", "check", "run", "fmt", "clippy", "bench"],
    go: ["build", "test", "vet", "fmt", "run"],
    mvn: ["test", "compile", "package", "verify"],
    gradle: ["test", "build", "check"],
    dotnet: ["build", "test", "run"],
    swift: ["build", "test", "run"],
    git: [
      "add",
      "commit",
      "mv",
      "rm",
      "branch",
      "tag",
      "checkout",
      "switch",
      "restore",
      "stash",
      "merge",
      "rebase",
      "reset",
      "status",
      "diff",
      "log",
      "show",
      "init",
      "cherry-pick",
      "revert",
      "apply",
      "am",
      "clean",
      "worktree",
    ],
    python: "any",
    python3: "any",
    node: "any",
    ruby: "any",
    perl: "any",
    php: "any",
    bash: "any",
    sh: "any",
    zsh: "any",
  }),
);
/** Interpreters that take code from the command or from stdin, unless a file is named. */
const INTERPRETERS = new Set(["python", "python3", "node", "ruby", "perl", "php", "bash", "sh", "zsh"]);
const MODULES = new Set(["pytest", "unittest", "compileall", "json.tool", "mypy", "ruff", "black"]);
/** Harm classes that count as reach beyond the session, whatever effect they come from. */
const OF_CLASS: { readonly [harm: string]: Egress["kind"] } = {
  ...each(
    "change",
    "self-config schedule unit shell-startup git-hook git-config-runs package-index privilege-config credential-write",
  ),
  ...each(
    "code",
    "remote-shell remote-run decoded-shell unseen-shell code-runs computed-command option-runs env-code reverse-shell sql-program container-host root-shell parser-limit malformed too-deep deceptive powershell-encoded",
  ),
  ...each("send", "secret-send"),
};

function each(kind: Egress["kind"], harms: string): { readonly [harm: string]: Egress["kind"] } {
  return Object.fromEntries(harms.split(" ").map((harm) => [harm, kind]));
}

/** Lists what a command reaches beyond the session. An effect that is not certainly internal counts as external. */
export function reachOf({ effects, key, lines }: CommandJudgement, call: RiskContext): readonly Egress[] {
  const found = new Set(key.split(" + "));
  const classes = DANGEROUS_PATTERNS.filter(({ description }) => found.has(description));
  const byClass = classes.flatMap(({ pattern, description }): readonly Egress[] =>
    OF_CLASS[pattern] === undefined
      ? []
      : [
          {
            kind: OF_CLASS[pattern],
            what: description,
            ...(pattern === "self-config" ? { instructs: true as const } : {}),
          },
        ],
  );
  return distinct([...byClass, ...effects.flatMap((effect) => reachesOf(effect, lines, call))]);
}

function reachesOf(effect: CommandEffect, lines: readonly string[], call: RiskContext): readonly Egress[] {
  switch (effect.kind) {
    case "network":
      return [
        {
          kind: !effect.sends && lines.some((line) => onlyAsksFor(effect.url, line)) ? "fetch" : "send",
          what: shownPath(effect.url) || "an unknown address",
        },
      ];
    case "execute":
      return [
        { kind: runsOfFolder(effect.program, effect.words) ? "run" : "code", what: shownPath(effect.words.join(" ")) },
      ];
    case "write":
    case "delete":
      return effect.path !== undefined && holdsInstructions(effect.path, call)
        ? [
            {
              kind: "change",
              what: `${shownPath(effect.path)}, which later sessions read as instructions`,
              ...(instructsOthers(effect.path, call) ? { instructs: true as const } : {}),
            },
          ]
        : [];
    default:
      return [];
  }
}

/** Whether only the URL is sent: no header, body, proxy or other channel. */
function onlyAsksFor(url: string, line: string): boolean {
  const [program = "", ...words] = line.split(" ");
  if (!["curl", "wget"].includes(basename(program)) || !/^https?:\/\/[\w.:@%/?=&+,;~#-]+$/i.test(url)) return false;
  return words.every(
    (word, at) =>
      word === url ||
      /^(?:-[sSfLiIvOq]+|--silent|--show-error|--fail|--location|--compressed|--head|--quiet)$/.test(word) ||
      /^(?:-[sSfL]*o|--output)$/.test(word) ||
      /^(?:-[sSfL]*o|--output)$/.test(words[at - 1] ?? ""),
  );
}

/** Whether it runs only code in this folder: it names nothing from elsewhere and nothing that could be code itself. */
function runsOfFolder(path: string, words: readonly string[]): boolean {
  const rest = words.slice(1);
  if (
    !rest.every((word) => /^-{0,2}\w[\w.-]*(?:[=:/][\w.-]+)*\/?$|^\.?\/?[\w.-]+(?:\/[\w.-]+)*$/.test(word)) ||
    words.some((word) => /^\/|^~|(?:^|[^.])\.\.(?:[^.]|$)|(?:^|=)(?:https?|data):|@/.test(word))
  )
    return false;
  if (/^\.\/[\w./-]+$/.test(path) && !path.includes("..")) return true;
  const program = basename(path);
  const known = program === path ? OF_THE_FOLDER.get(program) : undefined;
  const [first] = rest;
  if (known === undefined || (known !== "any" && (first === undefined || !known.includes(first)))) return false;
  if (!INTERPRETERS.has(program)) return true;
  return rest[0] === "-m" ? MODULES.has(rest[1] ?? "") : first !== undefined && !first.startsWith("-");
}

function distinct(reaches: readonly Egress[]): readonly Egress[] {
  return reaches.filter(
    ({ kind, what }, at) => reaches.findIndex((other) => other.kind === kind && other.what === what) === at,
  );
}
