import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "hermes-agent/plugin";
import { waitFor } from "hermes-agent/testing";

/** Apptainer or singularity for the tests: the system's if it runs an instance, else a double of its command line. */
export interface TestRuntime extends Disposable {
  readonly kind: "real" | "double";
  readonly client: string;
  /** A home of the agent's, for images and overlays. */
  readonly home: string;
  /** The section `terminal` of a configuration that uses it. */
  readonly config: JsonObject;
  /** The calls, one command line each. Only for the double. */
  calls(): readonly string[];
  /** The folder in which the double stores its state. */
  readonly state: string;
}

/**
 * An image with a bash that the real client built (`apptainer build image.sif FOLDER`), set in the environment of the
 * tests.
 */
const IMAGE = process.env["SINGULARITY_TEST_IMAGE"];

let shared: TestRuntime | string | undefined;
let users = 0;

/**
 * One for all tests of a process, since its client is found by the process's variables; gone with the last that lets go
 * of it. A text says why there is none.
 */
export function testRuntime(): TestRuntime | string {
  users += 1;
  return (shared ??= findRuntime());
}

function findRuntime(): TestRuntime | string {
  const folder = mkdtempSync(join(tmpdir(), "hermes-singularity-"));
  const client = ["apptainer", "singularity"].find((name) => spawnSync(name, ["--version"]).status === 0);
  if (client !== undefined && IMAGE !== undefined) return made("real", client, folder, { singularity_image: IMAGE });
  const missing = ["bwrap", "nsenter"].find((program) => spawnSync(program, ["--version"]).error !== undefined);
  const why =
    missing !== undefined
      ? `no apptainer with an image, and its double needs ${missing}`
      : process.getuid?.() !== 0
        ? "no apptainer with an image, and its double needs root"
        : undefined;
  if (why !== undefined) {
    rmSync(folder, { recursive: true });
    return why;
  }
  process.env["PATH"] = `${import.meta.dirname}:${process.env["PATH"]}`;
  process.env["APPTAINER_CONFIGDIR"] = join(folder, "state");
  return made("double", "apptainer", folder, { singularity_image: "docker://hermes-test/base" });
}

/**
 * Kills the client processes that hold our shells: the double's, and the real one's, which has another name once it
 * runs. Resolves when the agent has noticed it.
 */
export async function killClients(): Promise<void> {
  const clients = () =>
    [
      ["-x", "nsenter"],
      ["-f", "^(Apptainer|Singularity) runtime parent"],
    ].flatMap((which) =>
      spawnSync("pgrep", ["-P", String(process.pid), ...which], { encoding: "utf8" })
        .stdout.split("\n")
        .filter(Boolean)
        .map(Number),
    );
  const known = clients();
  for (const pid of known) if (clients().includes(pid)) process.kill(pid, "SIGKILL");
  await waitFor(() => !clients().some((pid) => known.includes(pid)));
}

function made(kind: TestRuntime["kind"], client: string, folder: string, config: JsonObject): TestRuntime {
  const state = join(folder, "state");
  return {
    kind,
    client,
    home: join(folder, "home"),
    config,
    state,
    calls: () =>
      existsSync(join(state, "calls")) ? readFileSync(join(state, "calls"), "utf8").trim().split("\n") : [],
    [Symbol.dispose]: () => {
      users -= 1;
      if (users > 0) return;
      for (const name of existsSync(join(state, "instances")) ? readdirSync(join(state, "instances")) : [])
        spawnSync(client, ["instance", "stop", name]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
