/**
 * `npm run build`: what is published. Every part that is loaded lazily becomes one bundled, minified file; what parts share becomes
 * chunks. Plugins keep their folders (manifest beside code), so they are found installed as they are in a clone.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { rolldown, type Plugin } from "rolldown";

const root = join(import.meta.dirname, "..");
const out = join(root, "dist");
/** On the way of every one-shot to its first request. */
const CORE = [
  /^src\/(contract|engine)\//,
  /^src\/plugin\.ts$/,
  /^src\/host\/(?!doctor|store\/(session-desk|session-index|index-|search-|check-store|export-|backup-|branch-)|config\/nearest|logger\/read-)/,
  /^src\/safety\/([a-z-]+|shell\/marks)\.ts$/,
  /^src\/surfaces\/cli\/(?!line-session|session-markdown|plugin-commands)[a-z-]+\.ts$/,
  /^src\/surfaces\/cli\/commands\/chat\.ts$/,
  /^plugins\/model-http\/(?!messages\/(?!providers))/,
  /\/node_modules\/commander\//,
];
/** What the first shell command of a process needs, beside the core: the judge of commands, and the terminal on this machine. */
const JUDGE = [/^src\/safety\/shell\/(?!marks|programs\/(interpreters|packages|git|containers|remote|machine|databases|clouds|archives))/, /\/node_modules\/unbash\//];
const TERMINAL = [/^(src\/terminal|plugins\/(terminal-local|tool-terminal))\/(?!index)/];
const plugins = globSync("plugins/*/index.ts", { cwd: root }).map((file) => basename(dirname(file))).sort();

rmSync(out, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  platform: "node",
  input: {
    main: "src/main.ts",
    plugin: "src/plugin.ts",
    registry: "src/registry.ts",
    terminal: "src/terminal/index.ts",
    testing: "src/testing/index.ts",
    ...Object.fromEntries(plugins.map((name) => [`plugins/${name}/index`, `plugins/${name}/index.ts`])),
  },
  resolve: { conditionNames: ["hermes-source", "node", "import", "default"] },
  preserveEntrySignatures: "allow-extension",
  external: [/^node:/, "@lydell/node-pty", "koffi"],
  plugins: [inOnePiece(), builtinsByName()],
});
await bundle.write({
  dir: out,
  format: "esm",
  minify: true,
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].mjs",
  // What is always loaded together is one file: a module costs most of a millisecond whatever its size.
  codeSplitting: {
    groups: [
      { name: "core", test: (id) => among(CORE, id) || id.includes("rolldown/runtime") },
      { name: "judge", test: (id) => among(JUDGE, id) },
      { name: "terminal", test: (id) => among(TERMINAL, id) },
    ],
    includeDependenciesRecursively: false,
  },
});
await bundle.close();

for (const name of plugins) {
  mkdirSync(join(out, "plugins", name), { recursive: true });
  for (const file of ["plugin.yaml", "README.md"]) if (existsSync(join(root, "plugins", name, file))) copyFileSync(join(root, "plugins", name, file), join(out, "plugins", name, file));
}
copyFileSync(join(root, "plugins/snapshot.json"), join(out, "plugins/snapshot.json"));
// Tool modules stay as they are written, since they are known by their text.
for (const file of globSync("tools/**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] })) {
  mkdirSync(dirname(join(out, file)), { recursive: true });
  writeFileSync(join(out, file).replace(/\.ts$/, ".js"), stripTypeScriptTypes(readFileSync(join(root, file), "utf8")).replaceAll(/(from\s*"\.[^"]*)\.ts"/g, '$1.js"'));
}
cpSync(join(root, "src/host/plugins/hosts/python"), join(out, "python"), { recursive: true, filter: (file) => !file.includes("__pycache__") });
copyFileSync(join(root, "src/launcher.cjs"), join(out, "hermes.cjs"));
chmodSync(join(out, "hermes.cjs"), 0o755);
cpSync(join(root, "examples"), join(out, "examples"), { recursive: true, filter: (file) => !file.endsWith(".test.ts") });

function among(paths: readonly RegExp[], id: string): boolean {
  const file = relative(root, id);
  return paths.some((path) => path.test(file));
}

/** A lazy import of what lies in the same file anyway would make a file of its own that only leads back. */
function inOnePiece(): Plugin {
  return {
    name: "in-one-piece",
    transform(code, id) {
      const group = [CORE, JUDGE, TERMINAL].find((paths) => among(paths, id));
      if (group === undefined) return undefined;
      const taken: string[] = [];
      const mended = code.replaceAll(/(?<=(?:await|=>|\[|,)\s*)import\(\s*(["'])(\.[^"']+)\1\s*\)/g, (whole, _quote, path: string) => {
        if (!among(group, join(dirname(id), path))) return whole;
        taken.push(`import * as inOnePiece${taken.length} from ${JSON.stringify(path)};`);
        return `Promise.resolve(inOnePiece${taken.length - 1})`;
      });
      return taken.length === 0 ? undefined : { code: `${taken.join("")}${mended}`, map: null };
    },
  };
}

/**
 * `import { x } from "node:fs"` makes Node evaluate every export of `fs`, streams and all (12 ms); asked for by name, a builtin costs
 * what is used of it.
 */
function builtinsByName(): Plugin {
  return {
    name: "builtins-by-name",
    renderChunk: (code) =>
      code
        .replaceAll(/\bimport\(\s*["'`](node:[\w/]+)["'`]\s*\)/g, 'Promise.resolve(globalThis.process.getBuiltinModule("$1"))')
        .replaceAll(/\bimport\s*([\w$]+)?\s*,?\s*(?:\*\s*as\s+([\w$]+)|\{([^}]*)\})?\s*from\s*["'`](node:[\w/]+)["'`];?/g, (_, whole: string | undefined, star: string | undefined, names: string | undefined, id: string) => {
          const builtin = `globalThis.process.getBuiltinModule("${id}")`;
          // commander wants this one for subcommands that are programs of their own; we have none.
          if (whole !== undefined && id === "node:child_process") return `var ${whole}={get spawn(){return ${builtin}.spawn}};`;
          return [whole, star, names === undefined ? undefined : `{${names.replaceAll(/\s+as\s+/g, ":")}}`].flatMap((taken) => (taken === undefined ? [] : [`var ${taken}=${builtin};`])).join("");
        }),
  };
}

const types = spawnSync("tsc", ["-p", "tsconfig.types.json"], { cwd: root, stdio: "inherit" });
if (types.status !== 0) process.exit(types.status ?? 1);
const files = globSync("dist/**/*.{js,mjs}", { cwd: root });
console.log(`dist: ${files.length} files, ${plugins.length} plugins.`);
