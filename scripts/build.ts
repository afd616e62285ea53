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
const CORE = /^src\/(contract|engine|host\/(?!models|model-|local-servers|doctor|store\/(session-desk|session-index|index-|search-|salvage|check-store|export-|backup-|branch-)|config\/(edit-|write-|nearest)|logger\/read-)|surfaces\/cli\/[a-z-]+\.ts|surfaces\/cli\/commands\/chat\.ts|safety\/[a-z-]+\.ts)/;
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
  plugins: [builtinsByName()],
});
await bundle.write({
  dir: out,
  format: "esm",
  minify: true,
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].mjs",
  // What every one-shot runs is one file: a module costs half a millisecond whatever its size.
  codeSplitting: { groups: [{ name: "core", test: isCore}], includeDependenciesRecursively: false },
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

/** On the way of every one-shot to its first request. */
function isCore(id: string): boolean {
  const file = relative(root, id);
  return CORE.test(file) || id.includes("/node_modules/commander/");
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
