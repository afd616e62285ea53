import {
  isObject,
  objectOf,
  ToolFailure,
  type Json,
  type JsonObject,
  type PluginContext,
  type ToolContext,
} from "hermes-agent/plugin";
import { runProgram, type ProgramEnd } from "hermes-agent/terminal";
import { childEnvironment } from "./child-environment.ts";
import { FIELDS_SCRIPT, LIST_SCRIPT } from "./environment-scripts.ts";
import { environmentsOf, isTooOld, tooOld, type Means } from "./means.ts";

export interface Environment {
  readonly name: string;
  readonly class_name: string;
  readonly file_path: string;
  readonly description: string;
}

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly default: Json;
  readonly description: string;
  /** JSON types that it accepts; `null` if unknown. */
  readonly kinds: readonly string[] | null;
  /** Allowed values of the field. */
  readonly choices: readonly Json[] | null;
}

type Call = Pick<ToolContext, "signal">;

const LIST_MS = 30_000;
const IMPORT_MS = 120_000;

/** Lists environments by parsing their files, without running them. */
export async function listEnvironments(
  means: Means,
  call: Call,
): Promise<{
  readonly environments: readonly Environment[];
  readonly unreadable: readonly JsonObject[];
  readonly omitted: number;
}> {
  const ended = await runProgram({
    program: means.python,
    args: ["-I", "-c", LIST_SCRIPT, environmentsOf(means.checkout)],
    cwd: means.checkout,
    env: childEnvironment(means.python),
    timeoutMs: LIST_MS,
    signal: call.signal,
  });
  const { python, environments, unreadable, omitted } = answerOf(
    ended,
    call,
    `${means.python} failed to list the environments in ${means.checkout}`,
  );
  if (typeof python === "string" && isTooOld(python))
    throw new ToolFailure("unavailable", tooOld(means.python, python, means.checkout));
  const read = (Array.isArray(environments) ? (environments as readonly Json[]) : []).map((one): Environment => {
    const { name, class_name, file_path, description } = objectOf(one);
    return {
      name: String(name),
      class_name: String(class_name),
      file_path: String(file_path),
      description: String(description) || `Environment in ${String(file_path).split("/").at(-1)}`,
    };
  });
  return {
    environments: read,
    unreadable: (Array.isArray(unreadable) ? (unreadable as readonly Json[]) : []).filter(isObject),
    omitted: Number(omitted ?? 0),
  };
}

/** @throws {ToolFailure} `not_found`, with the available environments. */
export async function findEnvironment(name: string, means: Means, call: Call): Promise<Environment> {
  const { environments } = await listEnvironments(means, call);
  const found = environments.find((one) => one.name === name);
  if (found === undefined)
    throw new ToolFailure("not_found", `There is no environment "${name}" in ${environmentsOf(means.checkout)}.`, {
      data: { available: environments.map((one) => one.name) },
    });
  return found;
}

/** Imports the environment and runs `config_init`, without any key. `note` has the parts that failed. */
export async function readFields(
  environment: Environment,
  means: Means,
  call: Call,
  ctx: Pick<PluginContext, "redact">,
): Promise<{ readonly fields: readonly Field[]; readonly note: string }> {
  const text = `Cannot load the environment "${environment.name}"`;
  const ended = await runProgram({
    program: means.python,
    args: ["-c", FIELDS_SCRIPT, environment.file_path, environment.class_name],
    cwd: means.checkout,
    env: childEnvironment(means.python),
    timeoutMs: IMPORT_MS,
    signal: call.signal,
  });
  const { error, fields, note } = answerOf(ended, call, text, environment.file_path);
  if (typeof error === "string")
    throw new ToolFailure("failed", `${text}: ${ctx.redact(error).slice(0, 500)}`, {
      hint: `Install its dependencies with: ${means.python} -m pip install …`,
      data: { file_path: environment.file_path },
      from: { source: environment.file_path },
    });
  const read = (Array.isArray(fields) ? (fields as readonly Json[]) : []).map((one): Field => {
    const { name, type, default: value, description, kinds, choices } = objectOf(one);
    return {
      name: String(name),
      type: String(type),
      default: value ?? null,
      description: String(description),
      kinds: Array.isArray(kinds) ? kinds.map(String) : null,
      choices: Array.isArray(choices) ? (choices as readonly Json[]) : null,
    };
  });
  return { fields: read, note: typeof note === "string" ? ctx.redact(note) : "" };
}

function answerOf(ended: ProgramEnd, { signal }: Call, text: string, by?: string): JsonObject {
  signal.throwIfAborted();
  if (ended.missing !== undefined) throw new ToolFailure("unavailable", `${text}: ${ended.missing}`);
  if (ended.endedBy === "time") throw new ToolFailure("timeout", `${text}: it timed out and was stopped.`);
  if (ended.endedBy === "output") throw new ToolFailure("failed", `${text}: it printed too much.`);
  try {
    return objectOf(JSON.parse(ended.out) as Json);
  } catch (cause) {
    throw new ToolFailure(
      "failed",
      `${text}: ${ended.err.trim().split("\n").at(-1)?.slice(0, 300) || `it exited with status ${ended.code}`}`,
      { cause, from: by === undefined ? undefined : { source: by } },
    );
  }
}
