import { hash } from "node:crypto";
import type { JsonObject } from "hermes-agent/plugin";
import { list } from "./closed-off.ts";
import { commandUser, type CommandUser } from "./command-user.ts";
import { declaredVariables, positive } from "hermes-agent/terminal";

/** How the container of a task is run. */
export interface ContainerOptions {
  readonly image: string;
  /** Arguments of `run` before the image, all but those of the user. */
  readonly args: readonly string[];
  /** The user that runs the commands. */
  readonly user: CommandUser;
  /**
   * Further arguments that some container engines do not support; Hermes omits them, with a warning, if the engine
   * refuses them.
   */
  readonly limits: readonly string[];
  /** Values of the variables that `args` name. */
  readonly variables: Record<string, string>;
  /** Where a task starts. */
  readonly cwd: string;
  /** A container made with other options is not used again. */
  readonly fingerprint: string;
}

export function containerOptions(
  config: JsonObject,
  startDirectory: string,
  environment: NodeJS.ProcessEnv,
): ContainerOptions {
  const mounted = config["docker_mount_cwd_to_workspace"] === true;
  const user = commandUser(config, mounted ? startDirectory : undefined);
  const variables = {
    ...declaredVariables(config["env_passthrough"], environment),
    ...Object.fromEntries(
      list(config["docker_forward_env"]).flatMap((name) =>
        environment[name] === undefined ? [] : [[name, environment[name]]],
      ),
    ),
    ...(config["docker_env"] as Record<string, string> | undefined),
  };
  const image =
    typeof config["docker_image"] === "string" ? config["docker_image"] : "nikolaik/python-nodejs:python3.11-nodejs20";
  const args = [
    "--cap-drop",
    "ALL",
    ...["DAC_OVERRIDE", "CHOWN", "FOWNER"].flatMap((name) => ["--cap-add", name]),
    "--security-opt",
    "no-new-privileges",
    "--tmpfs",
    "/tmp:rw,nosuid,nodev,exec,mode=1777,size=512m",
    "--tmpfs",
    "/var/tmp:rw,nosuid,nodev,noexec,mode=1777,size=256m",
    "--tmpfs",
    "/run:rw,nosuid,nodev,noexec,mode=755,size=64m",
    ...(config["docker_network"] === false ? ["--network", "none"] : []),
    ...list(config["docker_volumes"]).flatMap((volume) => ["-v", volume]),
    ...(mounted ? ["-v", `${startDirectory}:/workspace`] : []),
    ...Object.keys(variables).flatMap((name) => ["-e", name]),
    ...list(config["docker_extra_args"]),
  ];
  const [cpus, megabytes] = [positive(config["container_cpu"]), positive(config["container_memory"])];
  const limits = [
    "--pids-limit",
    "512",
    ...(cpus === undefined ? [] : ["--cpus", String(cpus)]),
    ...(megabytes === undefined ? [] : ["--memory", `${megabytes}m`]),
  ];
  const configured = config["cwd"];
  const cwd = typeof configured === "string" && /^[/~]/.test(configured) ? configured : mounted ? "/workspace" : "~";
  return {
    image,
    args,
    user,
    limits,
    variables,
    cwd,
    fingerprint: hash("sha256", JSON.stringify([image, args, user, limits, variables])).slice(0, 16),
  };
}
