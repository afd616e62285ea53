import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import type { ApprovalRequest } from "../../../src/contract/tools/approval.ts";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import type { Prompter } from "../../../src/contract/conversation/question.ts";
import { lacksProgram } from "../../../src/testing/lacks-program.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { startWandb, WANDB_KEY } from "../../servers/wandb.ts";
import { NewUser } from "../support/test-user.ts";
import { openToolHome } from "../support/tool-home.ts";
import { freePorts, savedState, processesOf, TrainingCheckout, until } from "../support/training-checkout.ts";

const TEN = [
  "rl_check_status",
  "rl_edit_config",
  "rl_get_current_config",
  "rl_get_results",
  "rl_list_environments",
  "rl_list_runs",
  "rl_select_environment",
  "rl_start_training",
  "rl_stop_training",
  "rl_test_inference",
];
const TINKER_KEY = "tinker-key-of-the-test-7788";
const OPENROUTER_KEY = "openrouter-key-of-the-test-99";
const KEYS = { TINKER_API_KEY: TINKER_KEY, WANDB_API_KEY: WANDB_KEY, OPENROUTER_API_KEY: OPENROUTER_KEY };
const skip = existsSync("/proc/self/environ") ? lacksProgram("python3") : "finds processes by /proc";

async function setUp(user: NewUser, wandbUrl = "http://127.0.0.1:9", extra = 'approvals: { mode: "off" }\n') {
  const checkout = new TrainingCheckout(join(user.home, ".hermes/tinker-atropos"));
  const [rollout, inference] = await freePorts();
  const settings = `rl: { rollout_port: ${rollout}, inference_port: ${inference}, api_wait_seconds: 15, trainer_wait_seconds: 15, environment_wait_seconds: 0.3, wandb_base_url: "${wandbUrl}" }\ntoolsets: [rl]\n${extra}`;
  return { checkout, rollout, inference, settings };
}

// req: rl-batch.rl-hidden
test("a plain installation offers none of the ten tools, and names each missing requirement with its fix", async () => {
  using user = new NewUser();
  const root = join(user.home, ".hermes/tinker-atropos");
  const why = async (variables: { readonly [name: string]: string }, settings = ""): Promise<string | undefined> => {
    await using home = await openToolHome(user, variables, `toolsets: [rl]\n${settings}`);
    assert.deepEqual(await home.offered("rl"), []);
    return home.why("rl_start_training");
  };
  assert.equal(await why({}), "TINKER_API_KEY is not set.");
  assert.equal(await why({ TINKER_API_KEY: TINKER_KEY }), "WANDB_API_KEY is not set.");
  assert.equal(
    await why(KEYS),
    `tinker-atropos is not checked out at ${root}. Run git clone https://github.com/NousResearch/tinker-atropos ${root}, or set rl.tinker_atropos_dir.`,
  );
  const checkout = new TrainingCheckout(root);
  assert.equal(await why(KEYS, "rl: { python: /no/python }\n"), "rl.python is /no/python, which does not exist.");
  checkout.write(".venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.10.4\n");
  assert.equal(
    await why(KEYS),
    `${root}/.venv/bin/python is Python 3.10, but training needs 3.11 or later. Create ${root}/.venv with a later one, or set rl.python.`,
  );
  checkout.write(".venv/pyvenv.cfg", "home = /usr/bin\nversion_info = 3.12.1.final.0\n");
  rmSync(join(root, ".venv/bin/run-api"));
  assert.equal(
    await why(KEYS),
    `run-api is not installed next to ${root}/.venv/bin/python. Run ${root}/.venv/bin/python -m pip install -e ${root}`,
  );
  checkout.write(".venv/bin/run-api", "", 0o755);
  {
    await using plain = await openToolHome(user, KEYS, "");
    assert.deepEqual(await plain.offered("rl"), []);
  }
  await using home = await openToolHome(user, KEYS, "toolsets: [rl]\n");
  assert.deepEqual((await home.offered("rl")).toSorted(), TEN);
});

// req: rl-batch.rl-tools
test(
  "with stub programs a run is tried, configured, started, checked and stopped; only the programs that need keys get them",
  { skip },
  async () => {
    await using wandb = await startWandb();
    using user = new NewUser();
    const { checkout, settings, rollout, inference } = await setUp(user, wandb.url);
    using _ = checkout;
    await using home = await openToolHome(user, { ...KEYS, SOMETHING_ELSE: "another-secret-of-the-person" }, settings);
    const listed = await home.call("rl_list_environments", {});
    assert.deepEqual(
      [listed["environments"], listed["count"]],
      [
        [
          { name: "sums", class_name: "Sums", file_path: checkout.environment, description: "Adds small numbers." },
          {
            name: "unmet",
            class_name: "Unmet",
            file_path: checkout.environment.replace("sums", "unmet"),
            description: "Environment in unmet.py",
          },
        ],
        2,
      ],
    );
    assert.deepEqual(
      (listed["unreadable"] as readonly JsonObject[]).map(({ file_path }) => file_path),
      [checkout.environment.replace("sums", "broken")],
    );

    assert.deepEqual(await home.call("rl_select_environment", { name: "sums" }), {
      message: "Selected the environment sums: 6 fields can be changed.",
      environment: "sums",
      file_path: checkout.environment,
    });
    const shown = await home.call("rl_get_current_config", {});
    const stamped = (shown["configurable_fields"] as readonly JsonObject[]).map((field) =>
      field["name"] === "wandb_name"
        ? { ...field, current_value: String(field["current_value"]).replace(/\d{8}-\d{6}$/, "TIME") }
        : field,
    );
    assert.deepEqual(stamped, [
      { name: "group_size", type: "int", default: 8, description: "Completions of one prompt", current_value: 8 },
      {
        name: "batch_size",
        type: "typing.Optional[int]",
        default: 64,
        description: "Groups of one step",
        current_value: 64,
      },
      { name: "temperature", type: "float", default: 1, description: "How freely it answers", current_value: 1 },
      {
        name: "level",
        type: "typing.Literal['easy', 'hard']",
        default: "easy",
        description: "Which sums",
        choices: ["easy", "hard"],
        current_value: "easy",
      },
      {
        name: "wandb_name",
        type: "typing.Optional[str]",
        default: null,
        description: "Name at W&B",
        current_value: "sums-TIME",
      },
      {
        name: "wandb_project",
        type: "str",
        default: "atropos-tinker",
        description: "Weights & Biases project of the run.",
        current_value: "atropos-tinker",
      },
    ]);
    assert.deepEqual(shown["locked_fields"], [
      {
        name: "tokenizer_name",
        type: "str",
        default: "other/model",
        description: "Whose tokens",
        current_value: "Qwen/Qwen3-8B",
        locked_value: "Qwen/Qwen3-8B",
      },
    ]);
    assert.deepEqual(
      await home
        .call("rl_edit_config", { field: "group_size", value: "12" })
        .then(({ message, field, value }) => ({ message, field, value })),
      { message: "group_size is 12 now.", field: "group_size", value: 12 },
    );

    const tried = await home.call("rl_test_inference", {
      num_steps: 2,
      group_size: 4,
      models: ["qwen/qwen3-8b", "no/answer"],
    });
    const [worked, failed] = tried["models_tested"] as readonly [JsonObject, JsonObject];
    const folder = join(user.agentHome, "logs/rl_training/inference_tests");
    assert.match(String(worked["wandb_run"]), /^test_inference_RSIAgent_sums_[0-9a-f]{8}$/);
    const score = { completions: 4, correct: 2, scores: [1, -1, 1, -1] };
    assert.deepEqual(
      { ...worked, wandb_run: "" },
      {
        model: "qwen/qwen3-8b",
        name: "Qwen3 8B",
        scale: "small",
        wandb_run: "",
        output_file: join(folder, "test_sums_qwen_qwen3-8b.jsonl"),
        steps: [
          { step: 1, ...score },
          { step: 2, ...score },
        ],
        steps_tested: 2,
        total_completions: 8,
        correct_completions: 4,
        accuracy: 0.5,
        steps_with_correct: 2,
        step_success_rate: 1,
        log_file: join(folder, "test_sums_qwen_qwen3-8b.log"),
      },
    );
    assert.deepEqual(
      [failed["model"], failed["scale"], failed["error"], failed["stderr"], failed["steps_tested"]],
      [
        "no/answer",
        "custom",
        "The test exited with status 1.",
        "imported\nthe model said [REDACTED]\n".replace("imported\n", ""),
        0,
      ],
    );
    assert.deepEqual(tried["summary"], {
      steps_requested: 2,
      models_tested: 2,
      models_succeeded: 1,
      best_model: "qwen/qwen3-8b",
      avg_accuracy: 0.5,
      environment_working: true,
      output_directory: folder,
    });
    const process = checkout.seen("process");
    assert.deepEqual(process.argv.slice(1, 2).concat(process.argv.slice(-4)), [
      "process",
      "--openai.health_check",
      "false",
      "--openai.api_key",
      OPENROUTER_KEY,
    ]);
    assert.deepEqual(
      [
        process.env["WANDB_API_KEY"],
        Object.values(process.env).some((value) => value.includes(OPENROUTER_KEY) || value.includes(TINKER_KEY)),
      ],
      [WANDB_KEY, false],
    );

    const started = await home.call("rl_start_training", {});
    const id = String(started["run_id"]);
    assert.match(id, /^[0-9a-f]{8}$/);
    const logs = Object.fromEntries(
      ["api", "trainer", "env"].map((name) => [name, join(user.agentHome, `logs/rl_training/${name}_${id}.log`)]),
    );
    const { config, message, ...rest } = started;
    assert.match(String(message), /rl_check_status/);
    assert.equal((config as JsonObject)["group_size"], 12);
    assert.deepEqual(rest, {
      run_id: id,
      status: "starting",
      environment: "sums",
      wandb_project: "atropos-tinker",
      wandb_run_name: `sums-${id}`,
      config_path: join(checkout.root, `configs/run_${id}.yaml`),
      logs,
    });
    await until(
      "the run has started",
      async () => ((await home.call("rl_list_runs", {}))["runs"] as readonly JsonObject[])[0]!["status"] === "running",
    );
    assert.deepEqual(await home.call("rl_list_runs", {}), {
      runs: [{ run_id: id, environment: "sums", status: "running", wandb_run_name: `sums-${id}` }],
      count: 1,
    });

    const config_path = String(started["config_path"]);
    const yaml = readFileSync(config_path, "utf8");
    for (const line of [
      '  "group_size": 12',
      '  "tokenizer_name": "Qwen/Qwen3-8B"',
      `  "rollout_server_url": "http://localhost:${rollout}"`,
      '  "total_steps": 2500',
      `"openai": [{"model_name": "Qwen/Qwen3-8B", "base_url": "http://localhost:${inference}/v1"`,
      '  "learning_rate": 0.00004',
      `  "wandb_run_name": "sums-${id}"`,
    ])
      assert.ok(yaml.includes(line), `${line}\n${yaml}`);
    assert.deepEqual(
      [checkout.seen("trainer").argv, checkout.seen("env").argv, checkout.seen("api").argv.slice(1)],
      [
        ["launch_training.py", "--config", config_path],
        [checkout.environment, "serve", "--config", config_path],
        ["--port", String(rollout)],
      ],
    );
    for (const [which, keys] of [
      ["api", []],
      ["trainer", [TINKER_KEY, WANDB_KEY]],
      ["env", [TINKER_KEY, WANDB_KEY]],
    ] as const) {
      assert.deepEqual(
        Object.values(checkout.seen(which).env)
          .filter((value) => /-of-the-(?:test|person)/.test(value))
          .toSorted(),
        keys,
        which,
      );
    }
    const written = [
      yaml,
      JSON.stringify(savedState(user.agentHome, id)),
      readFileSync(join(user.agentHome, "rl_training/runs.json"), "utf8"),
      ...processesOf(id).map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8")),
    ];
    assert.ok(written.every((text) => !/-of-the-(?:test|person)/.test(text)));

    assert.equal(
      (await home.call("rl_get_results", { run_id: id }))["wandb_error"],
      `Weights & Biases has no run sums-${id} in nousresearch/atropos-tinker or alice/atropos-tinker yet. Weights & Biases refused the request: permission denied`,
    );
    wandb.keep({
      entity: "alice",
      project: "atropos-tinker",
      name: "x1y2",
      displayName: `sums-${id}-trainer-ab12`,
      summaryMetrics: '{"_step": 40, "train/reward_mean": 0.25, "train/percent_correct": NaN, "note": "NaN"}',
      history: ['{"_step": 1, "train/reward_mean": 0.1}'],
    });
    const checked = await home.call("rl_check_status", { run_id: id });
    const { running_time_minutes, ...standing } = checked;
    assert.ok(Number(running_time_minutes) < 1);
    assert.deepEqual(standing, {
      run_id: id,
      status: "running",
      environment: "sums",
      processes: { api: "running", trainer: "running", env: "running" },
      wandb_project: "atropos-tinker",
      wandb_run_name: `sums-${id}`,
      logs,
      wandb_url: `${wandb.url}/alice/atropos-tinker/runs/x1y2`,
      metrics: { step: 40, reward_mean: 0.25, percent_correct: null, eval_percent_correct: null },
    });
    assert.deepEqual(
      wandb.received.map(({ variables }) => variables["entity"]),
      ["nousresearch", "alice", "nousresearch", "alice"],
    );
    const again = await home.call("rl_check_status", { run_id: id });
    assert.deepEqual([again["rate_limited"], Number(again["next_check_in_seconds"]) > 1790], [true, true]);

    assert.deepEqual(await home.call("rl_stop_training", { run_id: id }), {
      message: `Stopped the training run "${id}".`,
      run_id: id,
      status: "stopped",
    });
    assert.deepEqual(processesOf(id), []);
    assert.deepEqual(await home.call("rl_stop_training", { run_id: id }), {
      message: `The run "${id}" is not running (status: stopped).`,
      run_id: id,
      status: "stopped",
    });
    assert.deepEqual(await home.call("rl_get_results", { run_id: id }), {
      run_id: id,
      status: "stopped",
      environment: "sums",
      wandb_project: "atropos-tinker",
      wandb_run_name: `sums-${id}`,
      weights: "tinker://run-1/sampler_weights/final",
      wandb_url: `${wandb.url}/alice/atropos-tinker/runs/x1y2`,
      final_metrics: { _step: 40, "train/reward_mean": 0.25, "train/percent_correct": null, note: "NaN" },
      history: [{ _step: 1, "train/reward_mean": 0.1 }],
    });
    wandb.break({ status: 502, body: "gone" });
    assert.equal((await home.call("rl_get_results", { run_id: id }))["wandb_error"], "Weights & Biases answered 502.");
    wandb.break({ status: 401, body: '{"errors": [{"message": "user is not logged in"}]}' });
    assert.equal(
      (await home.call("rl_get_results", { run_id: id }))["wandb_error"],
      "Weights & Biases rejected the key in WANDB_API_KEY.",
    );
  },
);

test(
  "refuses a locked, unknown or invalid field without a change; conversations stay separate and can be resumed",
  { skip },
  async () => {
    using user = new NewUser();
    const { settings, checkout } = await setUp(user);
    using _ = checkout;
    {
      await using home = await openToolHome(user, KEYS, settings, { sessionId: "first" });
      assert.deepEqual(await home.call("rl_get_current_config", {}), {
        error: "No environment is selected in this conversation.",
        code: "conflict",
        hint: "Use rl_select_environment(name) to select one.",
      });
      assert.deepEqual((await home.call("rl_select_environment", { name: "minus" }))["available"], ["sums", "unmet"]);
      const unmet = await home.call("rl_select_environment", { name: "unmet" });
      assert.equal(
        unmet["error"],
        `Cannot load the environment "unmet": ModuleNotFoundError: No module named 'no_such_module'`,
      );
      await home.call("rl_select_environment", { name: "sums" });
      assert.deepEqual(await home.call("rl_edit_config", { field: "total_steps", value: 3 }), {
        locked_value: 2500,
        error: 'The field "total_steps" is locked, because it must match the trainer.',
        code: "refused",
      });
      assert.deepEqual(
        await home.call("rl_edit_config", { field: "groupsize", value: 3 }).then(({ error, hint }) => [error, hint]),
        ['The environment "sums" has no field "groupsize".', "Perhaps group_size."],
      );
      const wrong = async (field: string, value: unknown): Promise<unknown> =>
        (await home.call("rl_edit_config", { field, value } as JsonObject))["error"];
      assert.equal(
        await wrong("group_size", "many"),
        '"many" is not a valid value for "group_size", which accepts integer.',
      );
      assert.equal(await wrong("group_size", 1.5), '1.5 is not a valid value for "group_size", which accepts integer.');
      assert.equal(
        await wrong("level", "medium"),
        '"medium" is not a valid value for "level", which accepts one of "easy", "hard".',
      );
      assert.equal(
        await wrong("batch_size", [1]),
        '[1] is not a valid value for "batch_size", which accepts integer or null.',
      );
      assert.equal(
        await wrong("wandb_name", "x".repeat(10_000)),
        'The value of "wandb_name" is too long: at most 10000 characters as JSON.',
      );
      assert.equal((await home.call("rl_edit_config", { field: "temperature", value: 0.5 }))["value"], 0.5);
      assert.equal((await home.call("rl_edit_config", { field: "batch_size", value: "null" }))["value"], null);
    }
    {
      await using other = await openToolHome(user, KEYS, settings, { sessionId: "second" });
      assert.equal((await other.call("rl_get_current_config", {}))["code"], "conflict");
      await other.call("rl_select_environment", { name: "sums" });
      await other.call("rl_edit_config", { field: "batch_size", value: 16 });
    }
    await using again = await openToolHome(user, KEYS, settings, { sessionId: "first" });
    const { config } = await again.call("rl_edit_config", { field: "group_size", value: 2 });
    assert.deepEqual(
      { ...(config as JsonObject), wandb_name: "" },
      {
        group_size: 2,
        batch_size: null,
        temperature: 0.5,
        level: "easy",
        wandb_name: "",
        wandb_project: "atropos-tinker",
      },
    );
  },
);

test("asks before it costs money or runs an environment's code, and a denial starts nothing", { skip }, async () => {
  using user = new NewUser();
  const { settings, checkout } = await setUp(user, undefined, "");
  using _ = checkout;
  const asked: ApprovalRequest[] = [];
  let yes = true;
  const answering: Prompter = {
    ask: async (question) =>
      question.kind !== "approval"
        ? { kind: "none", reason: "nobody" }
        : (asked.push(question.request), yes ? { kind: "approved", scope: "once" } : { kind: "refused" }),
  };
  await using home = await openToolHome(user, KEYS, settings, { prompter: answering });
  await home.call("rl_list_environments", {});
  await home.call("rl_select_environment", { name: "sums" });
  yes = false;
  assert.equal((await home.call("rl_start_training", {}))["kind"], "denied");
  assert.equal((await home.call("rl_test_inference", { num_steps: 2 }))["kind"], "denied");
  assert.deepEqual(
    asked.map(({ tool, risk }) => [tool, risk.key, risk.reasons[0]]),
    [
      [
        "rl_select_environment",
        "runs an environment's code",
        'Runs the file of the environment "sums", without any key, to read its configuration.',
      ],
      [
        "rl_start_training",
        "starts a training run",
        'Trains a model at Tinker in the environment "sums" for hours, which costs money. The programs of the checkout get TINKER_API_KEY and WANDB_API_KEY.',
      ],
      [
        "rl_test_inference",
        "tests an environment at OpenRouter",
        'Asks qwen/qwen3-8b, z-ai/glm-4.7-flash, minimax/minimax-m2.7 at OpenRouter for 96 completions, which costs money. The environment "sums" gets OPENROUTER_API_KEY and WANDB_API_KEY.',
      ],
    ],
  );
  assert.deepEqual(
    [await home.call("rl_list_runs", {}), existsSync(join(checkout.root, "configs"))],
    [{ runs: [], count: 0 }, false],
  );
});

// req: rl-batch.rl-tools
test(
  "after kill -9 of the agent, another one finds, checks and stops the run and starts no second one",
  { skip },
  async () => {
    using user = new NewUser();
    const { settings, checkout } = await setUp(user);
    using _ = checkout;
    await using server = await startOpenAiServer([
      { calls: [{ tool: "rl_select_environment", args: { name: "sums" } }] },
      { calls: [{ tool: "rl_start_training", args: {} }] },
      { headAfterMs: 60_000, text: "never" },
    ]);
    user.connect("custom", server.url, settings);
    user.write(
      "~/.hermes/.env",
      `OPENAI_API_KEY=key-of-the-model\n${Object.entries(KEYS)
        .map(([name, value]) => `${name}=${value}\n`)
        .join("")}`,
    );
    const agent = user.start(["chat", "-q", "train it", "-t", "rl"]);
    const ended = new Promise((resolve) => agent.on("exit", resolve));
    await until("the model receives the result", () => server.requests.length >= 3);
    const output = (
      JSON.parse(server.requests[2]!.body) as { readonly messages: readonly { readonly content: string }[] }
    ).messages.at(-1)!.content;
    const id = /"run_id": ?"([0-9a-f]{8})"/.exec(output)![1]!;
    agent.kill("SIGKILL");
    await ended;
    await until("it runs without the agent", () => savedState(user.agentHome, id)["status"] === "running");

    await using home = await openToolHome(user, KEYS, settings);
    await home.call("rl_select_environment", { name: "sums" });
    const second = await home.call("rl_start_training", {});
    assert.deepEqual(
      [second["error"], processesOf(id).length],
      [`The run "${id}" of sums is still active, and only one can run at a time.`, 4],
    );
    const checked = await home.call("rl_check_status", { run_id: id });
    assert.deepEqual(
      [checked["status"], checked["processes"]],
      ["running", { api: "running", trainer: "running", env: "running" }],
    );
    assert.match(String(checked["wandb_error"]), /./);

    {
      await using third = await openToolHome(user, KEYS, settings);
      assert.equal((await third.call("rl_check_status", { run_id: id }))["rate_limited"], true);
    }

    // What looks after it goes, too: its programs are found by number and start time, and those that left their group
    // by their mark.
    process.kill((savedState(user.agentHome, id)["starter"] as { readonly pid: number }).pid, "SIGKILL");
    // The signal takes its time.
    await until(
      "its starter is gone",
      async () => (await home.call("rl_get_results", { run_id: id }))["error"] !== undefined,
    );
    assert.match(
      String((await home.call("rl_get_results", { run_id: id }))["error"]),
      /nothing supervises the run\. api, trainer, env still run; use rl_stop_training/,
    );
    assert.deepEqual(await home.call("rl_stop_training", { run_id: id }), {
      message: `Stopped the training run "${id}".`,
      run_id: id,
      status: "stopped",
    });
    assert.deepEqual([processesOf(id), existsSync(join(checkout.root, "seen_env.json"))], [[], true]);
  },
);

test(
  "a failed program ends the others and its last output is reported without the key; the environment's success completes the run",
  { skip },
  async () => {
    using user = new NewUser();
    const { settings, checkout } = await setUp(user, undefined, 'approvals: { mode: "off" }\n');
    using _ = checkout;
    await using home = await openToolHome(
      user,
      KEYS,
      settings.replace("environment_wait", "status_interval_minutes: 0, environment_wait"),
    );
    const statusOf = async (id: string): Promise<JsonObject> => home.call("rl_check_status", { run_id: id });
    const start = async (): Promise<string> => String((await home.call("rl_start_training", {}))["run_id"]);
    await home.call("rl_select_environment", { name: "sums" });
    await home.call("rl_edit_config", { field: "level", value: "hard" });
    const bad = await start();
    await until("it fails", () => savedState(user.agentHome, bad)["status"] === "failed");
    const output = await statusOf(bad);
    assert.deepEqual(
      [output["status"], output["processes"], output["error"], (output["last_output"] as JsonObject)["trainer"]],
      [
        "failed",
        { api: "exited (-15)", trainer: "exited (7)", env: "not started" },
        `The trainer exited with code 7 before the run started. Log: ${(output["logs"] as JsonObject)["trainer"]}`,
        "no such model for [REDACTED]",
      ],
    );
    await home.call("rl_edit_config", { field: "level", value: "easy" });
    const good = await start();
    await until("it runs", () => savedState(user.agentHome, good)["status"] === "running");
    writeFileSync(join(checkout.root, "end_env"), "0");
    await until("it is over", () => savedState(user.agentHome, good)["status"] === "completed");
    assert.deepEqual((await statusOf(good))["processes"], {
      api: "exited (-15)",
      trainer: "exited (-15)",
      env: "exited (0)",
    });
    rmSync(join(checkout.root, "end_env"));
    const stopped = await start();
    assert.equal((await home.call("rl_stop_training", { run_id: stopped }))["status"], "stopped");
    assert.deepEqual([bad, good, stopped].map(processesOf), [[], [], []]);
    assert.deepEqual(
      ((await home.call("rl_list_runs", {}))["runs"] as readonly JsonObject[]).map(({ run_id, status }) => [
        run_id,
        status,
      ]),
      [
        [bad, "failed"],
        [good, "completed"],
        [stopped, "stopped"],
      ],
    );
  },
);

test("reports a port in use before it starts anything, and an unknown run", { skip }, async () => {
  using user = new NewUser();
  const { settings, checkout, inference } = await setUp(user);
  using _ = checkout;
  await using home = await openToolHome(user, KEYS, settings);
  await home.call("rl_select_environment", { name: "sums" });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(inference, "127.0.0.1", resolve));
  assert.equal(
    (await home.call("rl_start_training", {}))["error"],
    `Cannot start training: port ${inference} is in use by another program (rl.inference_port).`,
  );
  server.close();
  assert.deepEqual(
    [await home.call("rl_list_runs", {}), existsSync(join(checkout.root, "configs"))],
    [{ runs: [], count: 0 }, false],
  );
  for (const tool of ["rl_check_status", "rl_stop_training", "rl_get_results"])
    assert.deepEqual(await home.call(tool, { run_id: "gone" }), {
      active_runs: [],
      error: 'Unknown run "gone".',
      code: "not_found",
      hint: "Use rl_list_runs to list all runs.",
    });
});

test(
  "reports a Python that turns out to be too old, and a failed start does not block the next run",
  { skip },
  async () => {
    using user = new NewUser();
    const { settings, checkout } = await setUp(user);
    using _ = checkout;
    await using home = await openToolHome(user, KEYS, settings);
    await home.call("rl_select_environment", { name: "sums" });
    checkout.write(
      ".venv/bin/python",
      `#!/bin/sh\ncase "$*" in *HERMES_RL_RUN*) echo "old 3.9"; exit 3;; esac\necho '{"python": "3.9", "environments": [], "unreadable": [], "omitted": 0}'\n`,
      0o755,
    );
    const content = `${checkout.root}/.venv/bin/python is Python 3.9, but training needs 3.11 or later. Create ${checkout.root}/.venv with a later one, or set rl.python.`;
    for (const tool of ["rl_list_environments", "rl_start_training"])
      assert.deepEqual(await home.call(tool, {}).then(({ error, code }) => [error, code]), [content, "unavailable"]);
    rmSync(join(checkout.root, "configs"), { recursive: true });
    writeFileSync(join(checkout.root, "configs"), "a file");
    assert.match(String((await home.call("rl_start_training", {}))["error"]), /^Cannot start the run: EEXIST/);
    assert.deepEqual(
      ((await home.call("rl_list_runs", {}))["runs"] as readonly JsonObject[]).map(({ status }) => status),
      ["failed", "failed"],
    );
  },
);
