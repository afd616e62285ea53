import { parseExact } from "../../../contract/common/parse-exact.ts";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PluginTestReport, RecordedCall } from "../../../contract/services/plugin-service.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import { shownOf, toSettled } from "../../../contract/tools/outcome.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import { canonical } from "../../../engine/arguments/canonical-json.ts";
import type { ToolEntry } from "../../../engine/ports.ts";
import type { Registry } from "../../../engine/tools/registry.ts";
import { STOP_MS, tryTool, type TryPorts } from "./try-tool.ts";

export interface TestPorts extends TryPorts {
  readonly tools: Registry<ToolEntry>;
  readonly recorded: readonly RecordedCall[];
}

type Check = PluginTestReport["tools"][number]["checks"][number];

const CALLS_FILE = join("tests", "calls.jsonl");

/**
 * Runs a plugin's handlers through the real dispatch pipeline: the calls of `tests/calls.jsonl` and those given, then,
 * for each tool, wrong arguments, no services, a user who denies, and a cancel.
 */
export async function testPlugin(key: string, dir: string, ports: TestPorts): Promise<PluginTestReport> {
  const entries = ports.tools.list().filter(({ owner }) => owner === key);
  const recorded = [...readCalls(dir), ...ports.recorded];
  const stray = recorded.find((call) => !entries.some(({ name }) => name === call.tool));
  const tools: PluginTestReport["tools"][number][] = [];
  for (const { name, value } of entries) {
    const calls = recorded.filter((call) => call.tool === name);
    const checks: Check[] = [];
    for (const call of calls) checks.push(await recordedCall(value, call, ports));
    checks.push(...(await wrongArguments(value, ports)));
    const example = calls.find(({ fails }) => fails === undefined)?.args;
    if (example === undefined)
      checks.push({
        what: "faults, refusal, cancel",
        ok: false,
        detail: `needs one working call: a line {"tool":"${name}","args":{…}} in ${CALLS_FILE}`,
      });
    else
      checks.push(
        await nothingThere(value, example, ports),
        await refused(value, example, ports),
        await cancelled(value, example, ports),
      );
    tools.push({ name, tokens: tokensOf(value.declaration), checks });
  }
  if (stray !== undefined)
    throw new UserError(`${CALLS_FILE} has a call of "${stray.tool}", which the plugin "${key}" does not register.`);
  return { key, tools };
}

function readCalls(dir: string): readonly RecordedCall[] {
  const file = join(dir, CALLS_FILE);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, at) => {
      if (line.trim() === "") return [];
      try {
        const call = parseExact(line) as RecordedCall;
        if (typeof call.tool === "string" && typeof call.args === "object" && call.args !== null) return [call];
      } catch {
        // Reported below.
      }
      throw new UserError(
        `${file}:${at + 1}: a line must be {"tool": …, "args": {…}}, optionally with "expect" or "fails".`,
      );
    });
}

async function recordedCall(entry: ToolEntry, call: RecordedCall, ports: TestPorts): Promise<Check> {
  const what = `recorded call ${short(call.args)}`;
  const { outcome, warnings } = await tryTool(entry, call.args, ports, {});
  const shown = textOf(shownOf(toSettled(outcome)));
  if (call.fails !== undefined)
    return { what, ok: outcome.kind !== "ok" && shown.includes(call.fails), detail: `ends with ${short(shown)}` };
  if (outcome.kind !== "ok") return { what, ok: false, detail: short(shown) };
  if (call.expect !== undefined && JSON.stringify(canonical(parsed(shown))) !== JSON.stringify(canonical(call.expect)))
    return { what, ok: false, detail: `returns ${short(shown)}, not ${short(call.expect)}` };
  return warnings.length === 0 ? { what, ok: true, detail: short(shown) } : { what, ok: false, detail: warnings[0]! };
}

/** The handler must report the error in each of them, and crash in none. */
async function wrongArguments(entry: ToolEntry, ports: TestPorts): Promise<readonly Check[]> {
  const { properties, required } = entry.declaration.input as {
    readonly properties?: { readonly [key: string]: JsonObject };
    readonly required?: readonly string[];
  };
  const wrong: JsonObject[] = (required ?? []).length > 0 ? [{}] : [];
  for (const [key, schema] of Object.entries(properties ?? {}))
    wrong.push({
      ...filled(properties ?? {}, required ?? []),
      [key]: schema["type"] === "object" ? "text" : { not: "this" },
    });
  const checks: Check[] = [];
  for (const args of wrong) {
    const { outcome } = await tryTool(entry, args, ports, {});
    const crash = outcome.kind === "failed" && outcome.code === "crashed";
    if (crash)
      checks.push({ what: `wrong arguments ${short(args)}`, ok: false, detail: `crashes: ${outcome.message}` });
  }
  return checks.length > 0
    ? checks
    : [{ what: "wrong arguments", ok: true, detail: `${wrong.length} tried, each accepted or reported as wrong` }];
}

/** No variable is set, no provider answers, no other tool works. */
async function nothingThere(entry: ToolEntry, args: JsonObject, ports: TestPorts): Promise<Check> {
  const { outcome } = await tryTool(entry, args, ports, { broken: true });
  const crash = outcome.kind === "failed" && outcome.code === "crashed";
  return {
    what: "faults: no variable, no provider, no other tool",
    ok: !crash,
    detail: crash
      ? `crashes: ${outcome.message}`
      : outcome.kind === "ok"
        ? "works anyway"
        : `reports: ${short(textOf(shownOf(toSettled(outcome))))}`,
  };
}

async function refused(entry: ToolEntry, args: JsonObject, ports: TestPorts): Promise<Check> {
  const { outcome, started } = await tryTool(entry, args, ports, { refuse: true });
  return {
    what: "the user denies",
    ok: !started && outcome.kind === "denied",
    detail: started ? "the handler ran anyway" : "the handler never ran",
  };
}

async function cancelled(entry: ToolEntry, args: JsonObject, ports: TestPorts): Promise<Check> {
  const { stopped } = await tryTool(entry, args, ports, { cancel: true });
  return {
    what: "cancel",
    ok: stopped,
    detail: stopped
      ? "the handler ends on cancel"
      : `it continues for more than ${STOP_MS / 1000} s: pass call.signal to everything it waits for`,
  };
}

/** Tokenizers average about four characters a token for JSON in English. */
function tokensOf({ name, description, input }: ToolDeclaration): number {
  return Math.ceil(
    JSON.stringify(canonical({ type: "function", function: { name, description, parameters: input } })).length / 4,
  );
}

/** A value of each required property's type, so that only the tested one is wrong. */
function filled(properties: { readonly [key: string]: JsonObject }, required: readonly string[]): JsonObject {
  const values: { [type: string]: Json } = { string: "x", number: 1, integer: 1, boolean: true, array: [], object: {} };
  return Object.fromEntries(
    required.map((key) => [
      key,
      (properties[key]?.["enum"] as readonly Json[] | undefined)?.[0] ??
        values[String(properties[key]?.["type"])] ??
        "x",
    ]),
  );
}

function parsed(text: string): Json {
  try {
    return parseExact(text) as Json;
  } catch {
    return text; // The tool returns text, not JSON.
  }
}

function short(value: Json): string {
  const text: string = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= 100 ? text : `${text.slice(0, 97)}...`;
}
