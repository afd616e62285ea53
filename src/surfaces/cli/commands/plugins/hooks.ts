import { readFileSync } from "node:fs";
import { UserError } from "../../../../contract/common/failure.ts";
import type { EventHookInfo, ShellHookInfo, ShellHookTest } from "../../../../contract/services/hook-service.ts";
import type { JsonObject } from "../../../../contract/common/json.ts";
import type { Call } from "../../program/call.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import { printable } from "../../../shared/display/printable.ts";
import { asTyped } from "../../../shared/process/called-as.ts";

/** `hermes hooks`: shell hooks in config.yaml and event hooks in `~/.hermes/hooks`. */
export async function listHooks({ io, open }: Call, { json }: { readonly json?: boolean }): Promise<void> {
  const { shell, problems, events } = await (await open()).hooks.list();
  if (json) return io.out(`${JSON.stringify({ shell, problems, events }, null, 2)}\n`);
  if (shell.length + problems.length + events.length === 0)
    return io.note(
      "No hooks. Add shell commands under `hooks` in config.yaml, or event handlers to ~/.hermes/hooks.\n",
    );
  if (shell.length > 0) io.out(`Shell hooks (${shell.length}):\n${shell.map((hook) => `${lineOf(hook)}\n`).join("")}`);
  if (problems.length > 0)
    io.out(`Problems in config.yaml:\n${problems.map((text) => `  ✗ ${printable(text)}\n`).join("")}`);
  const eventLine = ({ name, events: names, problem }: EventHookInfo): string =>
    `  ${problem === undefined ? "✓" : "✗"} ${printable(name)}  ${printable(problem ?? names.join(", "))}\n`;
  if (events.length > 0) io.out(`Event hooks (${events.length}):\n${events.map(eventLine).join("")}`);
}

const STATES = {
  given: "",
  missing: "not allowed yet",
  changed: "its script changed after you allowed it",
} as const;

function lineOf({ event, command, tools, consent, agreedAt }: ShellHookInfo): string {
  const state = consent === "given" ? `allowed ${agreedAt?.slice(0, 10) ?? "manually"}` : STATES[consent];
  return `  ${consent === "given" ? "✓" : "✗"} ${event}  ${printable(command)}${tools === undefined ? "" : `  [${printable(tools)}]`}  (${state})`;
}

export async function testHooks(
  { io, open }: Call,
  event: string,
  options: { readonly forTool?: string; readonly payloadFile?: string; readonly json?: boolean },
): Promise<number> {
  const payload = options.payloadFile === undefined ? undefined : readPayload(options.payloadFile);
  const app = await open();
  const tests = await app.hooks.test(event, {
    tool: options.forTool,
    payload,
  });
  if (options.json) io.out(`${JSON.stringify(tests, null, 2)}\n`);
  else if (tests.length === 0)
    io.note(
      `No shell hook is subscribed to ${event}${options.forTool === undefined ? "" : ` for ${options.forTool}`}.\n`,
    );
  else for (const test of tests) io.out(testLines(test));
  return tests.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed;
}

function testLines({ command, exitCode, durationMs, stdout, stderr, verdict, ok }: ShellHookTest): string {
  const head = `${ok ? "✓" : "✗"} ${printable(command)}\n  status ${exitCode ?? "none"}, ${durationMs} ms → ${printable(verdict)}\n`;
  return `${head}${block("output", stdout)}${block("errors", stderr)}`;
}

function block(name: string, text: string): string {
  return text.trim() === "" ? "" : `  ${name}: ${printable(text.trim()).split("\n").join("\n    ")}\n`;
}

function readPayload(file: string): JsonObject {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
    throw new UserError("not a JSON object");
  } catch (cause) {
    throw new UserError(`Cannot use ${file} as a payload: ${(cause as Error).message}.`, { exitCode: EXIT.usage });
  }
}

export async function revokeHook({ io, open }: Call, command: string): Promise<void> {
  const count = await (await open()).hooks.revoke(command);
  if (count === 0)
    throw new UserError(`"${command}" is not an allowed hook.`, {
      hint: "`hermes hooks list` shows the allowed hooks.",
      exitCode: EXIT.usage,
    });
  io.out(
    `"${printable(command)}" is no longer allowed${count === 1 ? "" : ` for ${count} events`}. It runs again only after you allow it.\n`,
  );
}

export async function doctorHooks({ io, open }: Call, { json }: { readonly json?: boolean }): Promise<number> {
  const checks = await (await open()).hooks.doctor();
  if (json) io.out(`${JSON.stringify(checks, null, 2)}\n`);
  else if (checks.length === 0) io.note("No hooks.\n");
  else
    for (const { name, ok, detail, hint } of checks)
      io.out(
        `${ok ? "✓" : "✗"} ${printable(name)}: ${printable(detail)}\n${hint === undefined || ok ? "" : `  ${asTyped(hint)}\n`}`,
      );
  return checks.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed;
}
