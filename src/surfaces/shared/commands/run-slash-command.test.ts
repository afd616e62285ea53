import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../../../contract/services/app.ts";
import type { PluginListing } from "../../../contract/services/plugin-service.ts";
import type { SlashCommand } from "../../../contract/conversation/command.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { CommandInfo } from "../../../contract/plugins/hook.ts";
import { RESERVED_COMMANDS } from "../../../contract/conversation/reserved-commands.ts";
import type { Session } from "../../../contract/conversation/session.ts";
import type { Skill } from "../../../contract/plugins/skill.ts";
import { ABSENT_COMMANDS } from "./absent-commands.ts";
import { CORE_COMMANDS } from "./core-commands.ts";
import { isSlashCommand, runSlashCommand } from "./run-slash-command.ts";
import type { SlashHost } from "./slash-host.ts";

function hostWith(
  options: {
    readonly commands?: readonly SlashCommand[];
    readonly skills?: readonly Partial<Skill>[];
    readonly called?: object[];
    readonly sent?: string[];
    readonly plugins?: readonly Partial<PluginListing>[];
    readonly chat?: boolean;
    readonly verdict?: (info: CommandInfo) => object | undefined;
  } = {},
): SlashHost {
  const commands = options.commands ?? [];
  const app = {
    version: "hermes-agent 0",
    home: "/home/x/.hermes",
    profile: "default",
    skills: { all: async () => options.skills ?? [] },
    tools: { withRole: () => "skill_view" },
    commands: { list: () => commands, get: (name: string) => commands.find((command) => command.name === name) },
    plugins: { list: async () => options.plugins ?? [] },
    log: { warning: () => {} },
    hooks: { beforeCommand: async (info: CommandInfo) => options.verdict?.(info) },
  } as unknown as App;
  return {
    app,
    surface: "cli",
    signal: new AbortController().signal,
    terminal: options.chat === true ? undefined : true,
    session: () => (options.skills === undefined ? ({ id: "s1" } as Session) : sessionWith(options)),
  };
}

/** Answers skill_view, and records the messages. */
function sessionWith({ called = [], sent = [] }: { readonly called?: object[]; readonly sent?: string[] }): Session {
  const call = async (tool: string, { name }: { readonly name?: string }) => (
    called.push({ tool, name }),
    {
      kind: "ok",
      shown: [
        {
          type: "text",
          text: JSON.stringify({
            success: true,
            content: `How to ${name}.\n`,
            skill_dir: `/s/${name}`,
            linked_files: { references: ["references/a.md"] },
          }),
        },
      ],
    }
  );
  return { id: "s1", busy: false, call, send: async (text: string) => void sent.push(text) } as unknown as Session;
}

test("/SKILL sends the texts of one or more skills and the words behind them; commands win, and unknown names stay unknown", async () => {
  const skill = (path: string, more: Partial<Skill> = {}): Partial<Skill> => ({
    name: path.split("/").at(-1)!,
    path,
    ...more,
  });
  const [called, sent]: [object[], string[]] = [[], []];
  const host = hostWith({
    called,
    sent,
    commands: [{ name: "taken", description: "", run: () => "the command" }],
    skills: [
      skill("ops/Deploy_It"),
      skill("notes"),
      skill("taken"),
      skill("off", { hidden: { kind: "disabled", why: "disabled" } }),
      skill("hel"),
    ],
  });
  const block = (name: string, path: string) =>
    `[The user chose the skill "${name}" for this. Follow it.]\n\nHow to ${path}.\n\n[The skill's folder: /s/${path}]\n[Its files, for skill_view with file_path: references/a.md]`;
  assert.deepEqual(await runSlashCommand("/deploy-it now, please", host), { ok: true, text: "" });
  assert.deepEqual(await runSlashCommand("/notes /deploy-it /notes", host), { ok: true, text: "" });
  assert.deepEqual(sent, [
    `${block("Deploy_It", "ops/Deploy_It")}\n\nnow, please`,
    `${block("notes", "notes")}\n\n${block("Deploy_It", "ops/Deploy_It")}\n\n/notes`,
  ]);
  assert.deepEqual(
    called,
    ["ops/Deploy_It", "notes", "ops/Deploy_It"].map((name) => ({ tool: "skill_view", name })),
  );
  assert.equal((await runSlashCommand("/taken", host)).text, "the command");
  for (const word of ["/off", "/note"]) assert.match((await runSlashCommand(word, host)).text, /^Unknown command/);
  assert.equal((await runSlashCommand("/hel", host)).ok, true);
  assert.equal(sent.length, 3, "a skill takes precedence over a command with the same prefix");
});

// req: plugins.slash-plugins
test("/plugins prints the plugins with what they register, as the original does", async () => {
  const calculator = {
    key: "calculator",
    source: "user",
    state: "enabled",
    manifest: { version: "1.0.0" },
    registered: {
      tools: ["calculate", "unit_convert"],
      hooks: ["post_tool_call"],
      commands: [],
      cli: [],
      skills: [],
      providers: [],
      toolsets: [],
      middleware: [],
    },
  } as unknown as PluginListing;
  assert.deepEqual(await runSlashCommand("/plugins", hostWith({ plugins: [calculator] })), {
    ok: true,
    text: "Plugins (1):\n  ✓ calculator v1.0.0 (2 tools, 1 hooks)",
  });
});

// req: plugins.command-raw-args, plugins.command-result
test("a plugin's command gets everything after its name as one string, and its text is shown", async () => {
  const echo: SlashCommand = { name: "echo", description: "", run: (args) => `<${args}>` };
  const silent: SlashCommand = { name: "silent", description: "", run: () => undefined };
  assert.deepEqual(await runSlashCommand("/echo  a 'b c'  ", hostWith({ commands: [echo] })), {
    ok: true,
    text: "<a 'b c'>",
  });
  assert.deepEqual(await runSlashCommand("/silent", hostWith({ commands: [silent] })), { ok: true, text: "" });
});

// req: slash.q-is-queue
test("/q is /queue and not /quit", () => {
  assert.equal(CORE_COMMANDS.find((command) => command.aliases.includes("q"))?.name, "queue");
});

// req: slash.help, plugins.command-help
test("/help lists the commands that this surface supports, including plugins' commands", async () => {
  const { text } = await runSlashCommand(
    "/help",
    hostWith({ commands: [{ name: "scan", description: "scan a folder", run: () => "" }] }),
  );
  assert.match(text, /^\/help /m);
  assert.match(text, /^\/scan +scan a folder$/m);
  assert.doesNotMatch(text, /^\/quit/m, "this surface cannot quit");
});

test("/help keeps heads and texts in columns on a narrow screen", async () => {
  const scan: SlashCommand = {
    name: "scan",
    description: "look at every file of a folder and say what is in it",
    argsHint: "[folder|all the folders there are]",
    run: () => "",
  };
  const { text } = await runSlashCommand("/help", { ...hostWith({ commands: [scan] }), columns: () => 60 });
  assert.ok(
    text.split("\n").every((line) => line.length <= 60),
    text,
  );
  assert.match(
    text,
    /^\/scan \[folder\|all the folders there are\]\n {22}look at every file of a folder and say\n {22}what is in it$/m,
  );
  assert.match(text, /^\/usage +Show the tokens and cost of this\n +session$/m);
});

test("shows a command's error with its hint", async () => {
  const fails: SlashCommand = {
    name: "fails",
    description: "",
    run: () => {
      throw new UserError("There is no such thing.", { hint: "Look around." });
    },
  };
  assert.deepEqual(await runSlashCommand("/fails", hostWith({ commands: [fails] })), {
    ok: false,
    text: "/fails: There is no such thing.\nLook around.",
  });
});

test("runs the only command with a prefix, names several, and reports none", async () => {
  assert.deepEqual(await runSlashCommand("/vers", hostWith()), { ok: true, text: "hermes-agent 0" });
  assert.deepEqual(
    await runSlashCommand("/toolset", hostWith()).then(({ text }) => text.startsWith("Ambiguous")),
    false,
  );
  assert.match(
    (await runSlashCommand("/c", hostWith())).text,
    /^Ambiguous command: \/c could be .*\/compress.*\/config/,
  );
  const two = [
    { name: "deploy", description: "", run: () => "" },
    { name: "depend", description: "", run: () => "" },
  ];
  assert.deepEqual(await runSlashCommand("/dep", hostWith({ commands: two })), {
    ok: false,
    text: "Ambiguous command: /dep could be /deploy, /depend.",
  });
  assert.deepEqual(await runSlashCommand("/nothing", hostWith()), {
    ok: false,
    text: "Unknown command: /nothing. /help lists all commands.",
  });
});

test("suggests a command for a typo", async () => {
  assert.deepEqual(await runSlashCommand("/hlep", hostWith()), {
    ok: false,
    text: "Unknown command: /hlep. Did you mean /help? /help lists all commands.",
  });
});

test("a path at the beginning is not a command", () => {
  assert.deepEqual(["/help", "/q later", "/", "/etc/hosts", "/tmp/x is full", "no /help"].map(isSlashCommand), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("reports the error of a command that throws", async () => {
  const broken: SlashCommand = {
    name: "broken",
    description: "",
    run: () => {
      throw new Error("no such place");
    },
  };
  assert.deepEqual(await runSlashCommand("/broken", hostWith({ commands: [broken] })), {
    ok: false,
    text: "/broken: no such place",
  });
});

test("explains a command of the original that is missing here, unless a plugin provides it", async () => {
  const original = Object.keys(ABSENT_COMMANDS);
  for (const name of original) {
    const { ok, text } = await runSlashCommand(`/${name} x`, hostWith());
    assert.deepEqual(
      [ok, text.includes("Unknown command"), text.endsWith("."), text.includes("\n")],
      [false, false, true, false],
      name,
    );
  }
  const voice: SlashCommand = { name: "voice", description: "", run: () => "spoken" };
  assert.deepEqual(await runSlashCommand("/voice", hostWith({ commands: [voice] })), { ok: true, text: "spoken" });
  assert.deepEqual(
    Object.keys(ABSENT_COMMANDS).filter((name) => RESERVED_COMMANDS.has(name)),
    [],
  );
});

test("a CLI command outside the CLI says so, and is not listed", async () => {
  const chat = hostWith({ chat: true });
  assert.deepEqual(await runSlashCommand("/history", chat), { ok: false, text: "/history works only in the CLI." });
  assert.deepEqual(await runSlashCommand("/q later", hostWith()).then(({ ok }) => ok), false);
  assert.deepEqual(await runSlashCommand("/exit", hostWith()), {
    ok: false,
    text: "/quit works only in an interactive session. Start one with: hermes",
  });
  assert.deepEqual(await runSlashCommand("/new", hostWith()), {
    ok: false,
    text: "/new works only in an interactive session. Start one with: hermes",
  });
  assert.deepEqual(await runSlashCommand("/new", chat), { ok: false, text: "/new does not work here." });
  const { text } = await runSlashCommand("/help", chat);
  assert.match(text, /^\/usage /m);
  assert.doesNotMatch(text, /^\/history/m);
  const only: SlashCommand = { name: "only-here", description: "", cliOnly: true, run: () => "done" };
  assert.deepEqual(
    [
      await runSlashCommand("/only-here", hostWith({ commands: [only] })),
      await runSlashCommand("/only-here", hostWith({ commands: [only], chat: true })),
    ],
    [
      { ok: true, text: "done" },
      { ok: false, text: "/only-here works only in the CLI." },
    ],
  );
  assert.doesNotMatch((await runSlashCommand("/help", hostWith({ commands: [only], chat: true }))).text, /only-here/);
  const original =
    "skin snapshot gquota reload tools toolsets browser config cron skills platforms paste image statusbar plugins busy indicator redraw clear history save copy quit verbose".split(
      " ",
    );
  assert.deepEqual(
    CORE_COMMANDS.filter(({ cliOnly }) => cliOnly)
      .map(({ name }) => name)
      .filter((name) => !original.includes(name)),
    [],
  );
  assert.deepEqual(
    CORE_COMMANDS.filter(({ name, cliOnly }) => !cliOnly && original.includes(name)).map(({ name }) => name),
    [],
  );
});

test("no two commands share a name or an alias", () => {
  const words = CORE_COMMANDS.flatMap((command) => [command.name, ...command.aliases]);
  assert.deepEqual(
    words.filter((word, index) => words.indexOf(word) !== index),
    [],
  );
});

test("the names reserved from plugins are exactly the built-in ones", () => {
  assert.deepEqual(
    [...RESERVED_COMMANDS].sort(),
    CORE_COMMANDS.flatMap((command) => [command.name, ...command.aliases]).sort(),
  );
});

test("a command hook gets the resolved name, and may block, handle or rewrite the command", async () => {
  const received: CommandInfo[] = [];
  const ran: string[] = [];
  const commands = ["deploy", "plan"].map((name): SlashCommand => ({
    name,
    description: "",
    run: (args) => (ran.push(`${name} ${args}`), name),
  }));
  const answering = (verdict: object | undefined) =>
    hostWith({ commands, verdict: (info) => (received.push(info), verdict) });
  assert.deepEqual(await runSlashCommand("/dep now", answering(undefined)), { ok: true, text: "deploy" });
  assert.deepEqual(received, [
    { session_id: "s1", platform: "cli", command: "deploy", raw_command: "dep", args: "now" },
  ]);
  assert.deepEqual(await runSlashCommand("/deploy", answering({ action: "block", message: "Not today." })), {
    ok: false,
    text: "Not today.",
  });
  assert.deepEqual(await runSlashCommand("/deploy", answering({ action: "handled", message: "Done elsewhere." })), {
    ok: true,
    text: "Done elsewhere.",
  });
  assert.deepEqual(await runSlashCommand("/deploy", answering({ action: "rewrite", command: "plan", args: "first" })), {
    ok: true,
    text: "plan",
  });
  assert.deepEqual(await runSlashCommand("/deploy", answering({ action: "rewrite", command: "nowhere" })), {
    ok: false,
    text: "Unknown command: /nowhere. /help lists all commands.",
  });
  assert.deepEqual(ran, ["deploy now", "plan first"]);
  assert.equal(received.length, 5, "a line that a guard substituted does not pass the guards again");
});
