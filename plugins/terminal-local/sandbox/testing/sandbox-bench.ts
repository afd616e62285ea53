import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenProxy, Terminal } from "hermes-agent/plugin";
import { quietLog } from "hermes-agent/testing";
import { LocalBackend } from "../../local-backend.ts";
import { pipesFolder } from "../../pipes-folder.ts";
import { Enclosure, type SandboxSettings } from "../enclosure.ts";

const wanted: SandboxSettings = { mode: "on", network: "open", hosts: [], write: [], read: [] };

/** Why tests in a real sandbox cannot run here; `false` when they can. */
export async function whyNoSandbox(): Promise<string | false> {
  if (process.platform !== "linux") return "bubblewrap is for Linux";
  const state = await new Enclosure({
    settings: () => wanted,
    home: "/",
    agentHome: "/.hermes",
    pipes: pipesFolder,
    proxy: noProxy,
    log: quietLog(),
  }).state();
  return state.kind === "missing" ? state.words : false;
}

/**
 * A home with secrets, an agent's home in it and a repository as the task's folder, where nothing may be written by
 * default (`/var/tmp`), and a terminal in the sandbox.
 */
export async function openSandbox(
  settings: Partial<SandboxSettings> = {},
  prepare: (places: SandboxPlaces) => void = () => {},
  proxy: OpenProxy = noProxy,
) {
  const root = realpathSync(mkdtempSync("/var/tmp/hermes-sandbox-"));
  const places: SandboxPlaces = {
    root,
    home: join(root, "home"),
    agentHome: join(root, "home", ".hermes"),
    work: join(root, "home", "work"),
    elsewhere: join(root, "elsewhere"),
  };
  for (const folder of [
    join(places.home, ".ssh"),
    join(places.agentHome, "skills"),
    join(places.work, ".git", "hooks"),
    places.elsewhere,
  ])
    mkdirSync(folder, { recursive: true });
  const files = {
    [join(places.home, ".ssh", "id_ed25519")]: CANARY,
    [join(places.agentHome, "auth.json")]: CANARY,
    [join(places.agentHome, "skills", "hello")]: "a skill",
    [join(places.work, ".env")]: `KEY=${CANARY}`,
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(file, text);
  for (const [file, text] of [
    ["HEAD", "ref: refs/heads/main\n"],
    ["config", "[core]\n"],
  ] as const)
    writeFileSync(join(places.work, ".git", file), text);
  for (const folder of ["objects", "refs"]) mkdirSync(join(places.work, ".git", folder));
  prepare(places);
  const environment = { ...process.env, HOME: places.home };
  const enclosure = new Enclosure({
    settings: () => ({ ...wanted, ...settings }),
    home: places.home,
    agentHome: places.agentHome,
    pipes: pipesFolder,
    proxy,
    log: quietLog(),
  });
  const backend = new LocalBackend({ auto_source_bashrc: false }, quietLog(), environment, (cwd) =>
    enclosure.around(cwd),
  );
  const { signal } = new AbortController();
  const terminal: Terminal = await backend.open({ key: "task", cwd: places.work }, signal);
  return {
    ...places,
    backend,
    enclosure,
    terminal,
    signal,
    async run(command: string, timeoutMs = 20_000) {
      const { output, exitCode } = await terminal.run(command, { signal, timeoutMs });
      return { output, exitCode };
    },
    async [Symbol.asyncDispose]() {
      await backend[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Where the network is not the matter. */
export const noProxy: OpenProxy = () => Promise.reject(new Error("There is no proxy here."));

export interface SandboxPlaces {
  readonly root: string;
  readonly home: string;
  readonly agentHome: string;
  /** The task's folder, a repository. */
  readonly work: string;
  readonly elsewhere: string;
}

/** Content that no command may see. */
export const CANARY = "canary-5b1e77c2";
