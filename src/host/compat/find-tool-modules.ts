import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Notice } from "../../contract/common/notice.ts";
import { quoted } from "../../contract/common/quoted.ts";
import type { ToolModulePorts, ToolModules } from "./tool-modules.ts";

const NONE: ToolModules = { notices: [], declaredEnv: () => [] };

/** Tool modules in the bundled folder and in the user's. */
export interface FoundToolModules extends ToolModules {
  /** Loads them and registers their tools. Never rejects. */
  load(): Promise<void>;
}

/** If the folders do not exist, loading costs one look at each. */
export function findToolModules(folders: readonly string[], ports: Omit<ToolModulePorts, "files">): FoundToolModules {
  let loaded = NONE;
  return {
    get notices() {
      return loaded.notices;
    },
    declaredEnv: (owner) => loaded.declaredEnv(owner),
    load: async () => void (loaded = await loadFrom(folders, ports)),
  };
}

async function loadFrom(folders: readonly string[], ports: Omit<ToolModulePorts, "files">): Promise<ToolModules> {
  const there = folders.filter((folder) => holdsAnything(folder));
  if (there.length === 0) return NONE;
  const [{ pythonToolFiles, toolFiles }, { loadToolModules }] = await Promise.all([
    import("./tool-files.ts"),
    import("./tool-modules.ts"),
  ]);
  const files = there.flatMap((folder) => toolFiles(folder).map((name) => join(folder, name)));
  const inPython = there.flatMap((folder) => pythonToolFiles(folder).map((name) => toMove(join(folder, name))));
  const modules = files.length === 0 ? NONE : await loadToolModules({ ...ports, files });
  return { ...modules, notices: [...modules.notices, ...inPython] };
}

/** The original's tool file runs unchanged as a plugin, because the user enables a plugin and so agrees to its code. */
function toMove(file: string): Notice {
  const name = basename(file, ".py");
  const folder = join(dirname(dirname(file)), "plugins", name);
  return {
    level: "warning",
    text: `The tool in ${file} is not loaded: Python tools run as plugins, and you have to enable them.`,
    hint: `mkdir -p ${quoted(folder)} && mv ${quoted(file)} ${quoted(join(folder, "__init__.py"))} && echo ${quoted(`name: ${name}`)} > ${quoted(join(folder, "plugin.yaml"))} && hermes plugins enable ${quoted(name)}`,
  };
}

function holdsAnything(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false; // The folder does not exist.
  }
}
