/**
 * `npm run build`: what is published. Every part that is loaded lazily becomes one bundled, minified file; what parts share becomes
 * chunks. Plugins keep their folders (manifest beside code), so they are found installed as they are in a clone.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, globSync, mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");
const out = join(root, "dist");
const plugins = globSync("plugins/*/index.ts", { cwd: root }).map((file) => basename(dirname(file))).sort();

rmSync(out, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  platform: "node",
  input: {
    main: "src/main.ts",
    plugin: "src/plugin.ts",
    registry: "src/registry.ts",
    testing: "src/testing/index.ts",
    ...Object.fromEntries(plugins.map((name) => [`plugins/${name}/index`, `plugins/${name}/index.ts`])),
  },
  resolve: { conditionNames: ["hermes-source", "node", "import", "default"] },
  external: [/^node:/, "@lydell/node-pty", "koffi"],
});
await bundle.write({ dir: out, format: "esm", minify: true, entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" });
await bundle.close();

for (const name of plugins) {
  mkdirSync(join(out, "plugins", name), { recursive: true });
  for (const file of ["plugin.yaml", "README.md"]) if (existsSync(join(root, "plugins", name, file))) copyFileSync(join(root, "plugins", name, file), join(out, "plugins", name, file));
}
copyFileSync(join(root, "plugins/snapshot.json"), join(out, "plugins/snapshot.json"));
copyFileSync(join(root, "src/launcher.cjs"), join(out, "hermes.cjs"));
chmodSync(join(out, "hermes.cjs"), 0o755);
cpSync(join(root, "examples"), join(out, "examples"), { recursive: true });

const types = spawnSync("tsc", ["-p", "tsconfig.types.json"], { cwd: root, stdio: "inherit" });
if (types.status !== 0) process.exit(types.status ?? 1);
const files = globSync("dist/**/*.js", { cwd: root });
console.log(`dist: ${files.length} files, ${plugins.length} plugins.`);
