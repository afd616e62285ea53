import type { JsonObject } from "hermes-agent/plugin";

/** Nothing of this machine can be touched from inside. @param config The section `terminal` of the configuration. */
export function closedOff(config: JsonObject): boolean {
  return (
    list(config["docker_volumes"]).length === 0 &&
    list(config["docker_extra_args"]).length === 0 &&
    config["docker_mount_cwd_to_workspace"] !== true
  );
}

/** A list of words of the configuration. */
export function list(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
}
