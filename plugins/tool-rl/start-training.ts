import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { ToolFailure, type JsonObject, type PluginContext, type ToolContext } from "hermes-agent/plugin";
import { childEnvironment } from "./child-environment.ts";
import { lockedFields, lockedSections } from "./locked-fields.ts";
import { needMeans, tooOld, type Means } from "./means.ts";
import { runConfig } from "./run-config.ts";
import { needSelection, type Selection } from "./selection.ts";
import { settingsOf, wandbVariables, type Settings } from "./settings.ts";
import { STARTER_SCRIPT } from "./starter-script.ts";
import { allRuns, claimRun, noteFailed, refuseBeside, stateFile, type TrainingRun } from "./training-runs.ts";

type Call = Pick<ToolContext, "sessionId" | "env" | "signal">;
type Door = Pick<PluginContext, "home" | "setting" | "storage" | "changeFile" | "redact">;

const GRACE_S = 10;
const STARTER_MS = 20_000;

/**
 * Requests a run and returns. A separate starter process, which outlives this one, starts, watches and ends the
 * programs.
 */
export async function startTraining(call: Call, ctx: Door): Promise<JsonObject> {
  const means = needMeans(ctx);
  const selection = await needSelection(call.sessionId, ctx);
  const settings = settingsOf(ctx);
  const run = runOf(selection, means, ctx.home);
  refuseBeside(allRuns(ctx), ctx);
  for (const [port, what] of [
    [settings.ports.rollout, "rl.rollout_port"],
    [settings.ports.inference, "rl.inference_port"],
  ] as const) {
    if (await isTaken(port))
      throw new ToolFailure("conflict", `Cannot start training: port ${port} is in use by another program (${what}).`, {
        data: { port },
      });
  }
  call.signal.throwIfAborted();
  await claimRun(run, ctx);
  try {
    mkdirSync(join(means.checkout, "configs"), { recursive: true });
    writeFileSync(run.config_path, runConfig(sectionsOf(run, selection, settings)), { mode: 0o600, flag: "wx" });
    mkdirSync(logsFolder(ctx.home), { recursive: true, mode: 0o700 });
    await begin(run, means, settings, call, ctx);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    await noteFailed(run.run_id, message, ctx);
    throw cause instanceof ToolFailure
      ? cause
      : new ToolFailure("failed", `Cannot start the run: ${message}`, { data: { run_id: run.run_id }, cause });
  }
  return {
    run_id: run.run_id,
    status: "starting",
    environment: run.environment,
    config: run.config,
    wandb_project: run.wandb_project,
    wandb_run_name: run.wandb_run_name,
    config_path: run.config_path,
    logs: run.logs,
    message:
      "The programs start one after the other, which takes some minutes; training takes hours and continues after this conversation. Use rl_check_status at most every 30 minutes.",
  };
}

export function logsFolder(home: string): string {
  return join(home, "logs", "rl_training");
}

function runOf({ environment, config }: Selection, { checkout }: Means, home: string): TrainingRun {
  const id = randomUUID().slice(0, 8);
  const log = (name: string): string => join(logsFolder(home), `${name}_${id}.log`);
  return {
    run_id: id,
    environment: environment.name,
    file_path: environment.file_path,
    config,
    config_path: join(checkout, "configs", `run_${id}.yaml`),
    wandb_project:
      typeof config["wandb_project"] === "string" && config["wandb_project"] !== ""
        ? config["wandb_project"]
        : "atropos-tinker",
    wandb_run_name: `${environment.name}-${id}`,
    logs: { api: log("api"), trainer: log("trainer"), env: log("env") },
    created_at: Date.now(),
  };
}

function sectionsOf(run: TrainingRun, { config, fields }: Selection, { ports }: Settings): JsonObject {
  const chosen = Object.entries(config).filter(
    ([name, value]) =>
      value !== null && value !== "" && (name !== "wandb_project" || fields.some((field) => field.name === name)),
  );
  const { tinker, ...rest } = lockedSections(ports);
  return {
    env: { ...Object.fromEntries(chosen), ...lockedFields(ports) },
    ...rest,
    tinker: { ...tinker, wandb_project: run.wandb_project, wandb_run_name: run.wandb_run_name },
  };
}

/** Passes the order through stdin, so that no key appears in a process list. */
async function begin(
  run: TrainingRun,
  means: Means,
  settings: Settings,
  { env }: Call,
  { home, redact }: Door,
): Promise<void> {
  const { ports } = settings;
  const given = [
    ["TINKER_API_KEY", env("TINKER_API_KEY")],
    ["WANDB_API_KEY", env("WANDB_API_KEY")],
    ...wandbVariables(settings),
  ].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const keys = Object.fromEntries(given) as { readonly [name: string]: string };
  const order = {
    run_id: run.run_id,
    state: stateFile(home, run.run_id),
    cwd: means.checkout,
    env: childEnvironment(means.python, { HERMES_RL_RUN: run.run_id }),
    grace: GRACE_S,
    programs: [
      {
        name: "api",
        label: "The rollout server (run-api)",
        argv: [means.runApi, ...(ports.rollout === 8000 ? [] : ["--port", String(ports.rollout)])],
        log: run.logs.api,
        env: {},
        port: ports.rollout,
        wait: settings.apiWaitMs / 1_000,
      },
      {
        name: "trainer",
        label: "The trainer",
        argv: [means.python, "launch_training.py", "--config", run.config_path],
        log: run.logs.trainer,
        env: keys,
        port: ports.inference,
        wait: settings.trainerWaitMs / 1_000,
      },
      {
        name: "env",
        label: "The environment",
        argv: [means.python, run.file_path, "serve", "--config", run.config_path],
        log: run.logs.env,
        env: keys,
        port: null,
        wait: settings.environmentWaitMs / 1_000,
      },
    ],
  };
  const errors = join(logsFolder(home), `starter_${run.run_id}.log`);
  const log = openSync(errors, "w", 0o600);
  let starter: ChildProcess;
  try {
    starter = spawn(means.python, ["-I", "-c", STARTER_SCRIPT], {
      cwd: means.checkout,
      env: childEnvironment(means.python),
      stdio: ["pipe", "pipe", log],
      detached: true,
    });
  } finally {
    closeSync(log);
  }
  const message = await firstWord(starter, JSON.stringify(order));
  starter.unref();
  if (message === "ready") return;
  const old = /^old (\d+\.\d+)/.exec(message)?.[1];
  throw new ToolFailure(
    old === undefined ? "failed" : "unavailable",
    old === undefined
      ? `Cannot start the run: ${redact(message)}. Log: ${errors}`
      : tooOld(means.python, old, means.checkout),
    { data: { run_id: run.run_id } },
  );
}

/** `ready` once the starter has recorded itself; else the reason. */
function firstWord(starter: ChildProcess, order: string): Promise<string> {
  return new Promise((resolve) => {
    let message = "";
    const settle = (word: string): void => {
      clearTimeout(late);
      starter.stdout?.destroy();
      resolve(word);
    };
    const late = setTimeout(() => {
      starter.kill("SIGKILL");
      settle("its starter did not report");
    }, STARTER_MS);
    starter.once("error", (cause) => settle(cause.message));
    starter.once("exit", (code) => settle(message.trim() || `its starter exited with status ${code}`));
    starter.stdout
      ?.setEncoding("utf8")
      .on("data", (text: string) => (message += text).includes("\n") && settle(message.trim()));
    starter.stdin?.on("error", () => undefined); // It has ended; the exit event reports it.
    starter.stdin?.end(order);
  });
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, timeout: 1_000 });
    const settle = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket
      .once("connect", () => settle(true))
      .once("timeout", () => settle(false))
      .once("error", () => settle(false));
  });
}
