import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineTool, type CliIo, type Plugin } from "hermes-agent/plugin";
import type { PsCommand, PsInput } from "./processes/ps-command.ts";
import type { TerminalService } from "./run/terminal-service.ts";

/** terminal and process: run commands in the foreground and background. */
const register: Plugin = (ctx) => {
  let service: Promise<TerminalService> | undefined;
  const untold = async (sessionId: string) =>
    existsSync(join(ctx.home, "processes")) &&
    new (await import("./processes/process-table.ts")).ProcessTable(ctx.home).untold(sessionId).length > 0;
  const load = () =>
    (service ??= import("./run/terminal-service.ts").then((module) => new module.TerminalService(ctx)));

  ctx.tool(
    defineTool({
      name: "terminal",
      role: "shell",
      toolset: "terminal",
      emoji: "💻",
      description:
        "Runs a bash command. Directory and variables persist between calls. " +
        "Servers, watchers and long jobs: background=true, then the process tool.",
      input: {
        type: "object",
        properties: {
          command: { type: "string" },
          background: { type: "boolean", description: "Return at once with a session_id" },
          timeout: { type: "number", description: "Foreground timeout in seconds. Default 180, at most 600" },
          workdir: { type: "string", description: "For this command only" },
          pty: { type: "boolean", description: "Background: in a pseudo-terminal" },
          outside: { type: "boolean", description: "Run outside the sandbox; the user is asked" },
          env: {
            type: "object",
            additionalProperties: { type: "string" },
            description: 'Stored secrets as variables: {"TOKEN": "secret://NAME"}. The user is asked',
          },
          notify_on_complete: { type: "boolean", description: "Background: notify you when it ends" },
          watch_patterns: {
            type: "array",
            items: { type: "string" },
            description: "Background: notify you of lines with one of these",
          },
        },
        required: ["command"],
      },
      // Secrets are never substituted into a command's text, because it appears in argument lists.
      secrets: [{ argument: "env" }],
      // `timeout` normally applies first; this is only a backstop.
      timeoutMs: 640_000,
      maxResultChars: 100_000,
      // A denied approval has the status `blocked` instead of `error`.
      refusal: { output: "", exit_code: -1, status: "error" },
      prepare: async () => (await load()).commands.prepare(),
      assess: async (input, call) => (await load()).commands.assess(input, call),
      execute: async (input, call) => (await load()).run(input, call),
    }),
  );

  ctx.tool(
    defineTool({
      name: "process",
      toolset: "terminal",
      emoji: "⚙️",
      description:
        "Manages background processes. poll: state and newest output. log: output by lines. wait: until it ends. write: raw input. submit: input and Enter. close: end of input.",
      input: {
        type: "object",
        properties: {
          action: { type: "string", enum: ["list", "poll", "log", "wait", "kill", "write", "submit", "close"] },
          session_id: { type: "string", description: "For all actions but list" },
          data: { type: "string" },
          timeout: { type: "number", description: "Seconds to wait" },
          offset: { type: "integer", description: "First line of log, from 0. Default: newest" },
          limit: { type: "integer", description: "Lines of log. Default 200" },
        },
        required: ["action"],
      },
      // For a program that waits for a password.
      secrets: [{ argument: "data" }],
      timeoutMs: 640_000,
      whileAway: async (call) => ((await untold(call.sessionId)) ? (await load()).whileAway(call) : []),
      assess: async (input, call) => (await load()).assessInput(input, call),
      execute: async (input, call) => (await load()).process(input, call),
    }),
  );

  let ps: Promise<PsCommand> | undefined;
  const loadPs = () =>
    (ps ??= Promise.all([
      import("./processes/ps-command.ts"),
      import("./processes/process-table.ts"),
      import("./processes/stop-grace.ts"),
      import("./processes/detached-elsewhere.ts"),
    ]).then(
      ([{ PsCommand }, { ProcessTable }, { stopGraceMs }, { reachThrough }]) =>
        new PsCommand(
          new ProcessTable(ctx.home),
          (text) => ctx.redact(text),
          stopGraceMs((path) => ctx.setting(path)),
          reachThrough((id) => ctx.use("terminal", id), ctx.signal),
        ),
    ));
  ctx.command({
    name: "ps",
    description: "List, follow or stop background processes, or keep them running after the agent",
    argsHint: "[all|follow ID|stop ID|keep ID]",
    run: async (args) => (await loadPs()).slash(args),
    complete: async () => (await loadPs()).complete(),
  });
  ctx.cli({
    name: "ps",
    description: "Show running processes that agents and their commands started",
    input: {
      type: "object",
      properties: {
        action: { type: "string", enum: ["list", "follow", "stop", "keep"], description: "Action. Default: list" },
        id: { type: "string", description: "ID or PID from the list, or its beginning" },
        all: { type: "boolean", description: "Include ended processes" },
        json: { type: "boolean", description: "Print JSON" },
      },
    },
    positional: ["action", "id"],
    run: async (input: PsInput, io: CliIo) => (await loadPs()).cli(input, io),
  });

  const ended = async (sessionId: string | null) => {
    await (await service)?.endSession(sessionId);
  };
  ctx.hook("on_session_finalize", ({ session_id }) => ended(session_id));
  ctx.hook("on_session_reset", ({ session_id }) => ended(session_id));
  ctx.hook("subagent_stop", ({ child_session_id }) => ended(child_session_id));
  ctx.onUnload(async () => {
    await (await service)?.endAll();
  });
};

export default register;
