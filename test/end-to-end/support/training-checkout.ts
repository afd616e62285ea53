import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

const BASE = `
class Field:
    def __init__(self, annotation, default, description):
        self.annotation, self.default, self.description = annotation, default, description

class BaseEnvConfig:
    model_fields = {}

class BaseEnv:
    pass
`;
const SUMS = `
import json, os, re, sys, time
from typing import Literal, Optional
from atroposlib.envs.base import BaseEnv, BaseEnvConfig, Field

print("imported")
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

class SumsConfig(BaseEnvConfig):
    model_fields = {
        "group_size": Field(int, 4, "Completions of one prompt"),
        "batch_size": Field(Optional[int], None, "Groups of one step"),
        "temperature": Field(float, 1.0, "How freely it answers"),
        "level": Field(Literal["easy", "hard"], "easy", "Which sums"),
        "tokenizer_name": Field(str, "other/model", "Whose tokens"),
        "wandb_name": Field(Optional[str], None, "Name at W&B"),
    }
    group_size, batch_size, temperature, level, tokenizer_name, wandb_name = 8, 64, 1.0, "easy", "other/model", None

class Sums(BaseEnv):
    """Adds small numbers.

    More of it."""
    name = "sums"
    env_config_cls = SumsConfig

    @classmethod
    def config_init(cls):
        return SumsConfig(), []

def seen(which):
    with open(os.path.join(ROOT, "seen_%s.json" % which), "w") as held:
        json.dump({"argv": sys.argv, "env": dict(os.environ)}, held)

if __name__ == "__main__":
    given = dict(zip(sys.argv[2::2], sys.argv[3::2]))
    if sys.argv[1] == "serve":
        seen("env")
        print("serving with", os.environ["TINKER_API_KEY"])
        end = os.path.join(ROOT, "end_env")
        while not os.path.exists(end):
            time.sleep(0.05)
        sys.exit(int(open(end).read()))
    seen("process")
    if given["--openai.model_name"] == "never/ends":
        print("step 1", flush=True)
        time.sleep(600)
    if given["--openai.model_name"] == "no/answer":
        sys.exit("the model said " + given["--openai.api_key"])
    with open(given["--env.data_path_to_save_groups"], "w") as held:
        for step in range(int(given["--env.total_steps"])):
            held.write(json.dumps({"scores": [1.0, -1.0] * (int(given["--env.group_size"]) // 2)}) + "\\n")
        held.write("no json\\n")
`;
const TRAINER = `
import json, os, re, socket, sys, time
ROOT = os.path.dirname(os.path.abspath(__file__))
text = open(sys.argv[2]).read()
if '"level": "hard"' in text:
    print("no such model for", os.environ["TINKER_API_KEY"])
    sys.exit(7)
with open(os.path.join(ROOT, "seen_trainer.json"), "w") as held:
    json.dump({"argv": sys.argv, "env": dict(os.environ)}, held)
if not os.fork():
    os.setsid()
    time.sleep(600)
server = socket.create_server(("127.0.0.1", int(re.search(r"localhost:(\\d+)/v1", text)[1])))
print("weights at tinker://run-1/sampler_weights/final", flush=True)
while True:
    server.accept()[0].close()
`;
const RUN_API = `#!/usr/bin/env python3
import json, os, socket, sys
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
with open(os.path.join(ROOT, "seen_api.json"), "w") as held:
    json.dump({"argv": sys.argv, "env": dict(os.environ)}, held)
server = socket.create_server(("127.0.0.1", int(sys.argv[2])))
while True:
    server.accept()[0].close()
`;

/**
 * A checkout of tinker-atropos whose programs only record their arguments, with a separate Python. Disposal ends the
 * processes that a failed test left.
 */
export class TrainingCheckout implements Disposable {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
    this.write("tinker_atropos/environments/sums.py", SUMS);
    this.write("tinker_atropos/environments/broken.py", "class Broken(BaseEnv:\n");
    this.write("tinker_atropos/environments/_private.py", "class Private(BaseEnv):\n    pass\n");
    this.write(
      "tinker_atropos/environments/unmet.py",
      "import no_such_module\nfrom atroposlib.envs import base\nclass Unmet(base.BaseEnv):\n    pass\n",
    );
    this.write("tinker_atropos/environments/atroposlib/__init__.py", "");
    this.write("tinker_atropos/environments/atroposlib/envs/__init__.py", "");
    this.write("tinker_atropos/environments/atroposlib/envs/base.py", BASE);
    this.write("launch_training.py", TRAINER);
    this.write(".venv/bin/python", '#!/bin/sh\nexec python3 "$@"\n', 0o755);
    this.write(".venv/bin/run-api", RUN_API, 0o755);
  }

  get environment(): string {
    return join(this.root, "tinker_atropos/environments/sums.py");
  }

  write(path: string, text: string, mode = 0o644): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
  }

  [Symbol.dispose](): void {
    for (const name of existsSync("/proc/self") ? readdirSync("/proc").filter((one) => /^\d+$/.test(one)) : []) {
      try {
        if (readlinkSync(`/proc/${name}/cwd`) === this.root) process.kill(Number(name), "SIGKILL");
      } catch {
        // Ended, or another user's.
      }
    }
  }

  /** The arguments and environment of one of the programs. */
  seen(which: "api" | "trainer" | "env" | "process"): {
    readonly argv: readonly string[];
    readonly env: { readonly [name: string]: string };
  } {
    return JSON.parse(readFileSync(join(this.root, `seen_${which}.json`), "utf8")) as ReturnType<
      TrainingCheckout["seen"]
    >;
  }
}

/** Free at the time of the check. */
export async function freePorts(): Promise<readonly [number, number]> {
  const servers = [createServer(), createServer()];
  const ports = await Promise.all(
    servers.map(
      async (server) =>
        new Promise<number>((resolve) =>
          server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
        ),
    ),
  );
  for (const server of servers) server.close();
  return [ports[0]!, ports[1]!];
}

/** Processes whose environment names the run. */
export function processesOf(runId: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`\0HERMES_RL_RUN=${runId}\0`))
    .map(Number);
}

/** Waits for something that another process does. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  await waitFor(holds, { what });
}

/** The last output of the run's starter. */
export function savedState(agentHome: string, runId: string): JsonObject {
  const file = join(agentHome, "rl_training", `${runId}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as JsonObject) : {};
}

function environmentOf(pid: string): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}\0`;
  } catch {
    return "";
  }
}
