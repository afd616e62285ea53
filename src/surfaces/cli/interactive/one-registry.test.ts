import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../../../contract/services/app.ts";
import type { SlashCommand } from "../../../contract/conversation/command.ts";
import type { Session } from "../../../contract/conversation/session.ts";
import { CORE_COMMANDS } from "../../shared/commands/core-commands.ts";
import { runSlashCommand } from "../../shared/commands/run-slash-command.ts";
import type { CoreSlashCommand, SlashHost } from "../../shared/commands/slash-host.ts";
import { chatCommands } from "../../gateway/chats/chat-commands.ts";
import { Completions } from "./prompt/completions.ts";

/** Puts a command into the table for as long as the test uses it. */
function added(command: Pick<CoreSlashCommand, "name" | "description" | "cliOnly" | "run">): Disposable {
  const table = CORE_COMMANDS as CoreSlashCommand[];
  const whole: CoreSlashCommand = { aliases: [], argsHint: "", needs: [], ...command };
  table.push(whole);
  return { [Symbol.dispose]: () => void table.splice(table.indexOf(whole), 1) };
}

async function suggested(host: SlashHost, typed: string): Promise<readonly string[]> {
  const { signal } = new AbortController();
  return ((await new Completions(host).getSuggestions([typed], 0, typed.length, { signal }))?.items ?? []).map(
    ({ value }) => value,
  );
}

// req: slash.one-registry, plugins.command-help, plugins.command-everywhere
test("a new command appears in the CLI, in chats, in their help, in completion and in platform menus", async () => {
  const plugins: SlashCommand[] = [
    { name: "zulu-plugin", description: "of a plugin", run: (args) => `plugin ${args}` },
  ];
  const app = {
    config: { get: () => undefined },
    commands: { list: () => plugins, get: (name: string) => plugins.find((one) => one.name === name) },
    skills: { all: async () => [] },
    hooks: { beforeCommand: async () => undefined },
    log: { warning: () => {} },
  } as unknown as App;
  const common = {
    app,
    signal: new AbortController().signal,
    session: () => ({ id: "s1", cwd: "/" }) as unknown as Session,
  };
  const cli: SlashHost = { ...common, surface: "cli", terminal: true };
  const chat: SlashHost = {
    ...common,
    surface: "telegram",
    switchSession: async () => {},
    chat: { decide: () => "", again: async () => "", whoami: () => "", mayRun: () => true },
  };
  using _both = added({ name: "zulu-core", description: "of the core", cliOnly: false, run: (args) => `core ${args}` });
  using _one = added({ name: "zulu-cli", description: "of the CLI", cliOnly: true, run: (args) => `cli ${args}` });
  const message = async (line: string) => [
    (await runSlashCommand(line, cli)).text,
    (await runSlashCommand(line, chat)).text,
  ];
  assert.deepEqual(
    [await message("/zulu-core x"), await message("/zulu-plugin x"), await message("/zulu-cli x")],
    [
      ["core x", "core x"],
      ["plugin x", "plugin x"],
      ["cli x", "/zulu-cli works only in the CLI."],
    ],
  );
  const zulus = (text: string) => text.match(/\/zulu-\w+/g);
  assert.deepEqual(
    [zulus((await runSlashCommand("/help", cli)).text), zulus((await runSlashCommand("/help", chat)).text)],
    [
      ["/zulu-core", "/zulu-cli", "/zulu-plugin"],
      ["/zulu-core", "/zulu-plugin"],
    ],
  );
  assert.deepEqual([...(await suggested(cli, "/zulu"))].sort(), ["zulu-cli", "zulu-core", "zulu-plugin"]);
  assert.deepEqual(
    chatCommands(app).filter(({ name }) => name.startsWith("zulu")),
    [
      { name: "zulu-core", description: "of the core" },
      { name: "zulu-plugin", description: "of a plugin" },
    ],
  );
});
