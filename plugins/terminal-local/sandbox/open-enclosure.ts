import { homedir } from "node:os";
import type { PluginContext } from "hermes-agent/plugin";
import { pipesFolder } from "../pipes-folder.ts";
import { Enclosure, type SandboxSettings } from "./enclosure.ts";

/** The sandbox according to the user's configuration. */
export function openEnclosure(ctx: Pick<PluginContext, "setting" | "home" | "log" | "proxy">): Enclosure {
  return new Enclosure({
    settings: () => readSettings((path) => ctx.setting(path)),
    home: process.env["HOME"] || homedir(),
    agentHome: ctx.home,
    pipes: pipesFolder,
    proxy: ctx.proxy,
    log: ctx.log,
  });
}

function readSettings(setting: (path: string) => unknown): SandboxSettings {
  const mode = setting("sandbox.mode");
  const network = setting("sandbox.network");
  return {
    mode: mode === "on" || mode === "auto" ? mode : "off",
    network: network === "off" || network === "proxy" ? network : "open",
    hosts: texts(setting("sandbox.hosts")),
    write: texts(setting("sandbox.write")),
    read: texts(setting("sandbox.read")),
  };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}
