import { defineTool, type AnyTool } from "hermes-agent/plugin";
import type { TerminalService } from "./run/terminal-service.ts";

/** The tool terminal, which runs commands. */
export function terminalTool(load: () => Promise<TerminalService>): AnyTool {
  return defineTool({
    name: "terminal",
    role: "shell",
    toolset: "terminal",
    emoji: "💻",
    title: "$ {command}",
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
  });
}

/**
 * The tool process, which manages background processes.
 * @param untold Whether processes of the session ended and the model does not know it.
 */
export function processTool(
  load: () => Promise<TerminalService>,
  untold: (sessionId: string) => Promise<boolean>,
): AnyTool {
  return defineTool({
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
  });
}
