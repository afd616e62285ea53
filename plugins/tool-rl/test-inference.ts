import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ToolFailure, type JsonObject, type PluginContext, type ToolContext } from "hermes-agent/plugin";
import { runProgram, type ProgramEnd } from "hermes-agent/terminal";
import { childEnvironment } from "./child-environment.ts";
import { scoresOf, share } from "./inference-scores.ts";
import { lockedFields } from "./locked-fields.ts";
import { needMeans, type Means } from "./means.ts";
import { needSelection, type Selection } from "./selection.ts";
import { settingsOf, wandbVariables } from "./settings.ts";
import { logsFolder } from "./start-training.ts";

export interface InferenceInput {
  readonly num_steps?: number | undefined;
  readonly group_size?: number | undefined;
  readonly models?: readonly string[] | undefined;
}

interface Model {
  readonly id: string;
  readonly name: string;
  readonly scale: string;
}

type Call = Pick<ToolContext, "sessionId" | "env" | "signal" | "progress">;
type Door = Pick<PluginContext, "home" | "setting" | "storage" | "redact">;

const MODELS: readonly Model[] = [
  { id: "qwen/qwen3-8b", name: "Qwen3 8B", scale: "small" },
  { id: "z-ai/glm-4.7-flash", name: "GLM-4.7 Flash", scale: "medium" },
  { id: "minimax/minimax-m2.7", name: "MiniMax M2.7", scale: "large" },
];
export const MODEL_MS = 600_000;
const MAX_RESULT_BYTES = 50_000_000;
const MAX_QUOTED = 1_000;
const PROGRESS = /processing|group|step|progress|%|completed/i;

/**
 * Runs an environment's file as if started with `--openai.api_key KEY`, but reads the key from stdin, because process
 * lists show arguments.
 */
const WITH_KEY = `import os, runpy, sys
key = sys.stdin.readline().strip()
sys.argv = [*sys.argv[1:], "--openai.api_key", key]
sys.path[0] = os.path.dirname(sys.argv[0])
runpy.run_path(sys.argv[0], run_name="__main__")
`;

/** Size of a test. */
export function sizeOf({ num_steps: steps = 3, group_size: group = 16, models }: InferenceInput): {
  readonly steps: number;
  readonly group: number;
  readonly models: readonly Model[];
  readonly total: number;
} {
  const named =
    models === undefined || models.length === 0
      ? MODELS
      : [...new Set(models)].map((id) => MODELS.find((one) => one.id === id) ?? { id, name: id, scale: "custom" });
  return { steps, group, models: named, total: steps * group * named.length };
}

/** Runs a few steps of the environment with OpenRouter models, to test loading, prompts, parsing and scoring. */
export async function testInference(input: InferenceInput, call: Call, ctx: Door): Promise<JsonObject> {
  const means = needMeans(ctx);
  const selection = await needSelection(call.sessionId, ctx);
  if (call.env("OPENROUTER_API_KEY") === undefined)
    throw new ToolFailure("unavailable", "The test uses OpenRouter models, but OPENROUTER_API_KEY is not set.", {
      hint: "Set it with: hermes config set OPENROUTER_API_KEY VALUE",
    });
  const { steps, group, models, total } = sizeOf(input);
  const folder = join(logsFolder(ctx.home), "inference_tests");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const tested = [];
  for (const model of models) {
    tested.push(await testModel(model, { steps, group, folder, means, selection }, call, ctx));
    call.signal.throwIfAborted();
  }
  const working = tested.filter(({ steps_tested }) => steps_tested > 0);
  return {
    environment: selection.environment.name,
    environment_file: selection.environment.file_path,
    test_config: { num_steps: steps, group_size: group, rollouts_per_model: steps * group, total_rollouts: total },
    models_tested: tested,
    summary: {
      steps_requested: steps,
      models_tested: models.length,
      models_succeeded: working.length,
      best_model: working.toSorted((a, b) => b.accuracy - a.accuracy)[0]?.model ?? null,
      avg_accuracy: share(
        working.reduce((sum, { accuracy }) => sum + accuracy, 0),
        working.length,
      ),
      environment_working: working.length > 0,
      output_directory: folder,
    },
  };
}

interface Test {
  readonly steps: number;
  readonly group: number;
  readonly folder: string;
  readonly means: Means;
  readonly selection: Selection;
}

async function testModel(model: Model, test: Test, call: Call, ctx: Door) {
  const { environment } = test.selection;
  const stem = join(test.folder, `test_${fileName(environment.name)}_${fileName(model.id)}`);
  const [output, log] = [`${stem}.jsonl`, `${stem}.log`];
  const run = `test_inference_RSIAgent_${environment.name}_${randomUUID().slice(0, 8)}`;
  const args = argumentsOf(model, run, output, test, ctx);
  rmSync(output, { force: true });
  call.progress(`${model.id}: ${test.steps} steps of ${test.group} completions`);
  const ended = await runProgram({
    program: test.means.python,
    args: ["-c", WITH_KEY, ...args],
    cwd: test.means.checkout,
    env: childEnvironment(test.means.python, {
      WANDB_API_KEY: call.env("WANDB_API_KEY") ?? "",
      ...Object.fromEntries(wandbVariables(settingsOf(ctx))),
    }),
    input: `${call.env("OPENROUTER_API_KEY")}\n`,
    timeoutMs: MODEL_MS,
    signal: call.signal,
    line: (text) => PROGRESS.test(text) && call.progress(`${model.id}: ${ctx.redact(text).slice(0, 200)}`),
  });
  writeFileSync(
    log,
    ctx.redact(
      `Command: ${[test.means.python, ...args].join(" ")} --openai.api_key ***\nWorking dir: ${test.means.checkout}\nReturn code: ${ended.code}\n\n== STDOUT\n${ended.out}\n\n== STDERR\n${ended.err}\n`,
    ),
    { mode: 0o600 },
  );
  const failure = failureOf(ended, output, ctx);
  return {
    model: model.id,
    name: model.name,
    scale: model.scale,
    wandb_run: run,
    output_file: output,
    ...scoresOf(failure === undefined ? readFileSync(output, "utf8") : ""),
    ...failure,
    log_file: log,
  };
}

function argumentsOf(
  model: Model,
  run: string,
  output: string,
  { steps, group, selection }: Test,
  ctx: Door,
): readonly string[] {
  const locked = lockedFields(settingsOf(ctx).ports);
  const same = ["tokenizer_name", "max_token_length", "max_num_workers", "max_batches_offpolicy"].flatMap((field) => [
    `--env.${field}`,
    String(locked[field]),
  ]);
  return [
    selection.environment.file_path,
    "process",
    "--env.total_steps",
    String(steps),
    "--env.group_size",
    String(group),
    "--env.use_wandb",
    "true",
    "--env.wandb_name",
    run,
    "--env.data_path_to_save_groups",
    output,
    ...same,
    "--openai.base_url",
    "https://openrouter.ai/api/v1",
    "--openai.model_name",
    model.id,
    "--openai.server_type",
    "openai",
    "--openai.health_check",
    "false",
  ];
}

function failureOf(ended: ProgramEnd, output: string, { redact }: Door): JsonObject | undefined {
  const quoted = {
    stderr: redact(ended.err).slice(-MAX_QUOTED).toWellFormed(),
    stdout: redact(ended.out).slice(-MAX_QUOTED).toWellFormed(),
  };
  if (ended.endedBy === "time")
    return { error: `The test timed out after ${MODEL_MS / 60_000} minutes and was stopped.`, ...quoted };
  if (ended.endedBy === "output") return { error: "The test printed too much and was stopped.", ...quoted };
  if (ended.missing !== undefined) return { error: `Cannot start the test: ${ended.missing}` };
  if (ended.code !== 0)
    return {
      error: `The test ${typeof ended.code !== "number" ? "was killed by a signal" : `exited with status ${ended.code}`}.`,
      ...quoted,
    };
  try {
    return statSync(output).size > MAX_RESULT_BYTES
      ? { error: `The results are larger than ${MAX_RESULT_BYTES} bytes: ${output}` }
      : undefined;
  } catch {
    return { error: `The test wrote no results: ${output}`, ...quoted };
  }
}

function fileName(text: string): string {
  return text.replaceAll(/[^\w.-]/g, "_").slice(0, 80);
}
