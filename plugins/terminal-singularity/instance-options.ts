import { homedir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "hermes-agent/plugin";
import { declaredVariables, positive } from "hermes-agent/terminal";

/** How the instance of a task is run. */
export interface InstanceOptions {
  /** A URI (`docker://python:3.12`), an image file or a folder. */
  readonly image: string;
  /** Built images, one file for each URI. */
  readonly imageFolder: string;
  /** Files that the task writes, saved between instances; `undefined` if nothing is to outlive its instance. */
  readonly overlay: string | undefined;
  /** Options that a cluster may deny to users: left out, with a warning, when the client reports it. */
  readonly limits: readonly string[];
  readonly variables: Record<string, string>;
}

/** @param config The section `terminal` of the configuration. @param home The agent's own home. */
export function instanceOptions(
  config: JsonObject,
  home: string,
  task: string,
  environment: NodeJS.ProcessEnv,
): InstanceOptions {
  const folder = instanceFolder(config, home);
  const [cpus, megabytes] = [positive(config["container_cpu"]), positive(config["container_memory"])];
  const variables = declaredVariables(config["env_passthrough"], environment);
  return {
    image: word(config["singularity_image"]) ?? "docker://nikolaik/python-nodejs:python3.11-nodejs20",
    imageFolder: join(folder, "images"),
    overlay: config["container_persistent"] === false ? undefined : join(folder, "overlays", task),
    limits: [
      ...(cpus === undefined ? [] : ["--cpus", String(cpus)]),
      ...(megabytes === undefined ? [] : ["--memory", `${megabytes}M`]),
    ],
    variables: Object.fromEntries(
      Object.entries(variables).flatMap(([name, value]) => [
        [`APPTAINERENV_${name}`, value],
        [`SINGULARITYENV_${name}`, value],
      ]),
    ),
  };
}

/** Where images and overlays are. */
export function instanceFolder(config: JsonObject, home: string): string {
  const named = word(config["scratch_dir"]) ?? word(config["sandbox_dir"]);
  return join(named?.replace(/^~(?=\/|$)/, homedir()) ?? join(home, "sandboxes"), "singularity");
}

function word(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
