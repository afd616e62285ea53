import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { Notice } from "../../contract/common/notice.ts";
import type { EnvNeed } from "../../contract/common/availability.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { CompatTool } from "../../contract/plugins/compat-context.ts";
import type { ToolEntry } from "../../engine/ports.ts";
import type { Registry } from "../../engine/tools/registry.ts";
import { fromCompat } from "../../engine/tools/compat-tool.ts";
import { entryOf } from "../../engine/tools/tool-declaration.ts";
import { freshUrl, openDoor } from "../plugins/registry/door.ts";
import { namesIn, withVariables } from "./module-variables.ts";
import { onRegister } from "./compat-runtime.ts";

export interface ToolModulePorts {
  /** Absolute, in loading order. */
  readonly files: readonly string[];
  readonly tools: Registry<ToolEntry>;
  readonly log: Logger;
  /** A variable from `.env` or the process. */
  env(name: string): string | undefined;
  /** Why this file may not register a tool of that name; `undefined` when it may. */
  refusal(file: string, name: string): string | undefined;
}

export interface ToolModules {
  readonly notices: readonly Notice[];
  /** Variables that the tools of an owner (`tools/weather.ts`) declare. */
  declaredEnv(owner: string): readonly EnvNeed[];
}

/**
 * Imports modules that register tools (`import { registry } from "hermes-agent/registry"`) and puts their tools into
 * the app's registry, owned by `tools/<file>`. A module that fails registers nothing; it is reported and does not stop
 * the others. Never rejects.
 */
export async function loadToolModules(ports: ToolModulePorts): Promise<ToolModules> {
  const { files, tools, log } = ports;
  const notices: Notice[] = [];
  const env = new Map<string, readonly EnvNeed[]>();
  openDoor();
  for (const file of files) {
    const owner = `tools/${basename(file)}`;
    try {
      const entries = seeingVariables(await registeredBy(file, ports.env), ports.env).map((tool) =>
        entryOf(fromCompat(tool, tool.toolset)),
      );
      for (const entry of entries) {
        const { name } = entry.declaration;
        const refusal = ports.refusal(file, name);
        if (refusal === undefined) tools.add(name, entry, owner);
        else {
          log.warning(refusal, { file });
          notices.push({ level: "warning", text: refusal });
        }
      }
      env.set(
        owner,
        entries.flatMap(({ declaration }) => declaration.env),
      );
    } catch (cause) {
      const text = `Cannot load the tool module "${owner}": ${cause instanceof Error ? cause.message : String(cause)}`;
      log.warning(text, { cause, file });
      notices.push({ level: "warning", text, hint: `Fix or move ${file}` });
    }
  }
  return { notices, declaredEnv: (owner) => env.get(owner) ?? [] };
}

/** The tools of one module, whose functions see in `process.env` the variables that its tools declare. */
function seeingVariables(tools: readonly RegisteredTool[], env: ToolModulePorts["env"]): readonly RegisteredTool[] {
  const names = [...new Set(tools.flatMap(({ requires_env = [] }) => requires_env))];
  if (names.length === 0) return tools;
  // Tools that share a check share its result.
  const checks = new Map<Check, Check>();
  const seeing = (check: Check): Check => {
    const known = checks.get(check) ?? ((probe) => withVariables(names, env, () => check(probe)));
    checks.set(check, known);
    return known;
  };
  return tools.map((tool) => ({
    ...tool,
    handler: (args, context) => withVariables(names, env, () => tool.handler(args, context)),
    check_fn: tool.check_fn && seeing(tool.check_fn),
  }));
}

interface Loaded {
  readonly modifiedMs: number;
  readonly tools: readonly RegisteredTool[];
}

type Check = NonNullable<CompatTool["check_fn"]>;
type RegisteredTool = CompatTool & { readonly toolset: string };

/** A module's body runs once, so its registrations are saved for the next app of this process. */
const loaded = new Map<string, Loaded>();

async function registeredBy(file: string, env: ToolModulePorts["env"]): Promise<readonly RegisteredTool[]> {
  const { mtimeMs: modifiedMs } = statSync(file);
  const known = loaded.get(file);
  if (known?.modifiedMs === modifiedMs) return known.tools;
  const tools: RegisteredTool[] = [];
  const listening = onRegister((tool) => void tools.push(tool));
  try {
    const url = pathToFileURL(file).href;
    await withVariables(
      namesIn(readFileSync(file, "utf8")),
      env,
      () => import(known === undefined ? url : freshUrl(url, modifiedMs)),
    );
  } finally {
    listening[Symbol.dispose]();
  }
  loaded.set(file, { modifiedMs, tools });
  return tools;
}
