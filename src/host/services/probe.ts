import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Probe } from "../../contract/common/availability.ts";
import type { Json } from "../../contract/common/json.ts";

export interface ProbePorts {
  /** Variables the asker declared. */
  readonly declared: readonly { readonly name: string }[];
  env(name: string): string | undefined;
  config(path: string): Json | undefined;
  readonly surface: { readonly name: string; readonly prompter: boolean };
}

/** The environment of an availability check. Undeclared variables do not exist for it. */
export function createProbe(ports: ProbePorts): Probe {
  const declared = new Set(ports.declared.map(({ name }) => name));
  return {
    env: (name) => (declared.has(name) ? ports.env(name) : undefined),
    config: (path) => ports.config(path),
    which: (program) => which(program, ports.env("PATH") ?? ""),
    prompter: ports.surface.prompter,
    surface: ports.surface.name,
  };
}

/** Remembered for the process: programs seldom come and go, and every listing asks. */
const found = new Map<string, Promise<string | undefined>>();

function which(program: string, path: string): Promise<string | undefined> {
  const key = `${program}\0${path}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  const looking = look(program, path);
  found.set(key, looking);
  // Missing programs may be installed meanwhile; existing ones stay.
  void looking.then((there) => there === undefined && found.delete(key));
  return looking;
}

async function look(program: string, path: string): Promise<string | undefined> {
  const files = isAbsolute(program)
    ? [program]
    : program === "" || /[/\\]/.test(program)
      ? []
      : path.split(delimiter).flatMap((folder) => (folder === "" ? [] : [join(folder, program)]));
  for (const file of files) {
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
