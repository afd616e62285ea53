/**
 * `npm run build`: builds the published package. Every part that is loaded lazily becomes one bundled, minified file;
 * code that parts share
 * becomes chunks. Plugins keep their folders (manifest beside code), so the package finds them as a clone does.
 * `build.ts --clone FOLDER` builds for the clone that it belongs to, in `FOLDER/dist`: with readable names for stack
 * traces, without type
 * declarations, and with the list of everything it depends on in `FOLDER/inputs.json`. scripts/clone/make-build.ts runs
 * it.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { parseArgs, promisify } from "node:util";
import { rolldown, type Plugin } from "rolldown";
import { PIECES } from "./build-pieces.ts";
import { asScript } from "./build-script.ts";
import { pruneTypes } from "./published-types.ts";

const root = join(import.meta.dirname, "..");
const { clone } = parseArgs({ options: { clone: { type: "string" } } }).values;
const out = join(clone ?? root, "dist");
/** Where the one-shot's code lazily imports one of them. */
const CORE_SIDE = /^(src\/main\.ts$|src\/(host|plugin-runtimes|surfaces)\/|plugins\/model-http\/)/;
for (const file of Object.values(PIECES).flat())
  if (!existsSync(join(root, file)))
    throw new Error(`scripts/build-pieces.ts names "${file}", which does not exist. Name the file that replaced it.`);
/** Where the text of an escape would be read literally. */
const RAW = /(String\.raw`(?:[^`\\]|\\[^])*`)/;
/** A file that only re-exports another. */
const DOOR = /^\s*export\s*\{([^}]*)\}\s*from\s*"\.\/([^"/]+)";?\s*$/;
/** Builtins that take milliseconds to load. */
const DEAR = [
  "node:crypto",
  "node:child_process",
  "node:fs/promises",
  "node:http",
  "node:https",
  "node:net",
  "node:tls",
  "node:zlib",
  "node:readline",
  "node:readline/promises",
  "node:worker_threads",
];

/** Function names stay, for stack traces in the clone. */
const READABLE = { mangle: false, compress: true, codegen: { removeWhitespace: false } };
/**
 * The dependencies of a clone's build besides its modules. If files are found by pattern, their folders are listed too.
 */
const BESIDE = {
  files: [
    "package.json",
    "package-lock.json",
    "node_modules/.package-lock.json",
    "tsconfig.json",
    "src/{launcher,acp-launcher}.cjs",
    "src/surfaces/dashboard/page/*.{html,css,svg}",
    "scripts/{build,build-pieces,build-script}.ts",
    "scripts/clone/*",
    "plugins/{snapshot.json,*/plugin.yaml,*/*/plugin.yaml,*/README.md,*/*/README.md}",
  ],
  folders: ["plugins", "plugins/*", "plugins/*/*"],
  trees: ["skills", "tools", "src/plugin-runtimes/python/child", "plugins/*/{packages,dashboard}"],
};

const plugins = globSync(["plugins/*/plugin.yaml", "plugins/*/*/plugin.yaml"], { cwd: root })
  .map((file) => dirname(file).slice("plugins/".length))
  .sort();

rmSync(out, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  platform: "node",
  input: {
    main: "src/main.ts",
    cli: "src/cli.ts",
    plugin: "src/plugin.ts",
    registry: "src/registry.ts",
    edit: "src/edit/index.ts",
    terminal: "src/terminal/index.ts",
    browser: "src/browser/index.ts",
    platform: "src/platform/index.ts",
    testing: "src/testing/index.ts",
    "plugin-process": "src/plugin-runtimes/node/child/main.ts",
    "run-piece": "src/run-piece.ts",
    ...Object.fromEntries(plugins.map((name) => [`plugins/${name}/index`, `plugins/${name}/index.ts`])),
  },
  transform: {
    define: {
      "globalThis.BUILT_VERSION": JSON.stringify(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version),
    },
  },
  resolve: { conditionNames: ["hermes-source", "node", "import", "default"] },
  preserveEntrySignatures: "allow-extension",
  external: [/^node:/, "@lydell/node-pty", "koffi"],
  plugins: [inOnePiece(), builtinsByName(), withoutDiagramLayout()],
});
await bundle.write({
  dir: out,
  format: "esm",
  minify: clone === undefined ? true : READABLE,
  plugins: [inAscii(), withoutDoors(), asScripts()],
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].mjs",
  codeSplitting: {
    groups: Object.keys(PIECES).map((name, index, all) => ({
      name,
      priority: all.length - index,
      test: (id: string) => pieceOf(id) === name,
    })),
  },
});
const bundled = await bundle.watchFiles;
await bundle.close();

for (const name of plugins) {
  mkdirSync(join(out, "plugins", name), { recursive: true });
  for (const file of ["plugin.yaml", "README.md"])
    if (existsSync(join(root, "plugins", name, file)))
      copyFileSync(join(root, "plugins", name, file), join(out, "plugins", name, file));
}
for (const folder of globSync(["plugins/*/packages", "plugins/*/dashboard"], { cwd: root }))
  cpSync(join(root, folder), join(out, folder), { recursive: true });
copyFileSync(join(root, "plugins/snapshot.json"), join(out, "plugins/snapshot.json"));
cpSync(join(root, "skills"), join(out, "skills"), { recursive: true });
// Tool modules stay unchanged, since their text identifies them.
for (const file of globSync("tools/**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] })) {
  mkdirSync(dirname(join(out, file)), { recursive: true });
  writeFileSync(
    join(out, file).replace(/\.ts$/, ".js"),
    stripTypeScriptTypes(readFileSync(join(root, file), "utf8")).replaceAll(/(from\s*"\.[^"]*)\.ts"/g, '$1.js"'),
  );
}
cpSync(join(root, "src/plugin-runtimes/python/child"), join(out, "python"), {
  recursive: true,
  filter: (file) => !file.includes("__pycache__"),
});
for (const [launcher, name] of [
  ["launcher.cjs", "hermes.cjs"],
  ["acp-launcher.cjs", "hermes-acp.cjs"],
] as const) {
  copyFileSync(join(root, "src", launcher), join(out, name));
  chmodSync(join(out, name), 0o755);
}
// For readers of the package; a clone has them already.
if (clone === undefined)
  cpSync(join(root, "examples"), join(out, "examples"), {
    recursive: true,
    filter: (file) => !file.endsWith(".test.ts"),
  });

function pieceOf(id: string): string | undefined {
  const file = relative(root, id);
  return Object.keys(PIECES).find((name) => PIECES[name]?.includes(file));
}

/** A lazy import of a module in the same file would create another file that only leads back. */
function inOnePiece(): Plugin {
  return {
    name: "in-one-piece",
    transform(code, id) {
      const taken: string[] = [];
      const repaired = code.replaceAll(
        /(?<=(?:await|=>|\[|,)\s*)import\(\s*(["'])(\.[^"']+)\1\s*\)/g,
        (whole, _quote, path: string) => {
          const piece = pieceOf(join(dirname(id), path));
          if (piece !== "core" || !CORE_SIDE.test(relative(root, id))) return whole;
          taken.push(`import * as inOnePiece${taken.length} from ${JSON.stringify(path)};`);
          return `Promise.resolve(inOnePiece${taken.length - 1})`;
        },
      );
      return taken.length === 0 ? undefined : { code: `${taken.join("")}${repaired}`, map: null };
    },
  };
}

/** V8 stores a text with one character beyond Latin-1 twice as wide, and reads it more slowly. */
function inAscii(): Plugin {
  return {
    name: "in-ascii",
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === "chunk")
          chunk.code = chunk.code
            .split(RAW)
            .map((code, at) => (at % 2 === 1 ? code : escaped(code)))
            .join("");
      }
    },
  };
}

function escaped(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * A lazy import of a module in a shared file leads to a file that only re-exports it: the import then names the shared
 * file.
 */
function withoutDoors(): Plugin {
  return {
    name: "without-doors",
    generateBundle(_options, bundle) {
      const doors = new Map<string, { readonly room: string; readonly names: string }>();
      for (const [file, chunk] of Object.entries(bundle)) {
        const door = chunk.type === "chunk" && !chunk.isEntry ? DOOR.exec(chunk.code) : null;
        if (door === null) continue;
        const names = door[1]!
          .split(",")
          .map((pair) => pair.trim().split(/\s+as\s+/))
          .map(([name, message = name]) => `${message}:e.${name}`);
        doors.set(basename(file), { room: door[2]!, names: names.join(",") });
        delete bundle[file];
      }
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        chunk.code = chunk.code.replaceAll(
          /\bimport\(\s*(["'`])([^"'`]*\/)([^"'`/]+)\1\s*\)/g,
          (whole, _quote, folder: string, file: string) => {
            const door = doors.get(file);
            return door === undefined ? whole : `import("${folder}${door.room}").then(e=>({${door.names}}))`;
          },
        );
      }
    },
  };
}

/** The pieces run as scripts, whose compiled functions can be cached: src/run-piece.ts. */
function asScripts(): Plugin {
  return {
    name: "as-scripts",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const runtime = chunks.find(({ name }) => name === "rolldown-runtime");
      if (runtime === undefined) throw new Error("The bundle has no chunk named rolldown-runtime.");
      const file = `./${basename(runtime.fileName)}`;
      const inlined = new Map([[file, asScript(runtime.code, { script: file, runPiece: "" }).script]]);
      for (const chunk of chunks) {
        if (chunk.isEntry || !(chunk.name in PIECES)) continue;
        const fileName = chunk.fileName.replace(/\.mjs$/, ".script.js");
        const files = { script: basename(fileName), runPiece: "../run-piece.js", inlined };
        const { script, door } = asScript(chunk.code, files);
        this.emitFile({ type: "asset", fileName, source: script });
        chunk.code = door;
      }
    },
  };
}

/** A builtin's function is looked up at its call, so importing one does not slow every start. */
function isLate(id: string, name: string): boolean {
  const value = (process.getBuiltinModule(id) as unknown as Record<string, unknown> | undefined)?.[name];
  return DEAR.includes(id) && typeof value === "function" && /^[a-z]/.test(name) && !(promisify.custom in value);
}

/** Mermaid diagrams are drawn as text. The library loads its layout for SVG first, which is 1.6 MB of another licence. */
function withoutDiagramLayout(): Plugin {
  return {
    name: "without-diagram-layout",
    resolveId: (id) => (id === "elkjs/lib/elk.bundled.js" ? "\0diagram-layout" : null),
    load: (id) => (id === "\0diagram-layout" ? "export default class {}" : null),
  };
}

/**
 * `import { x } from "node:fs"` makes Node evaluate every export of `fs`, including streams (12 ms); a builtin required
 * by name costs only
 * what the code uses.
 */
function builtinsByName(): Plugin {
  return {
    name: "builtins-by-name",
    // commander imports this for subcommands that are separate programs; Hermes has none.
    transform(code, id) {
      if (!id.includes("/node_modules/commander/")) return undefined;
      const late = code.replace(
        /\bimport\s+([\w$]+)\s+from\s*["']node:child_process["'];?/,
        'const $1={get spawn(){return globalThis.process.getBuiltinModule("node:child_process").spawn}};',
      );
      return late === code ? undefined : { code: late, map: null };
    },
    renderChunk: (code) =>
      code
        .replaceAll(
          /\bimport\(\s*["'`](node:[\w/]+)["'`]\s*\)/g,
          'Promise.resolve(globalThis.process.getBuiltinModule("$1"))',
        )
        .replaceAll(
          /\bimport\s*([\w$]+)?\s*,?\s*(?:\*\s*as\s+([\w$]+)|\{([^}]*)\})?\s*from\s*["'`](node:[\w/]+)["'`];?/g,
          (_, whole: string | undefined, star: string | undefined, names: string | undefined, id: string) => {
            const builtin = `globalThis.process.getBuiltinModule("${id}")`;
            const listed = (names ?? "")
              .split(",")
              .map((name) => name.trim().split(/\s+as\s+/))
              .filter(([name]) => name !== "");
            const later = listed.filter(([name]) => isLate(id, name ?? ""));
            const now = listed.filter((one) => !later.includes(one));
            return [
              ...[whole, star, now.length === 0 ? undefined : `{${now.map((one) => one.join(":")).join(",")}}`].flatMap(
                (taken) => (taken === undefined ? [] : [`var ${taken}=${builtin};`]),
              ),
              ...later.map(([name, own = name]) => `var ${own}=(...e)=>${builtin}.${name}(...e);`),
            ].join("");
          },
        ),
  };
}

// The dashboard's page is for browsers, which name its files.
const page = await rolldown({
  cwd: root,
  platform: "browser",
  input: { main: "src/surfaces/dashboard/page/main.ts", frame: "src/surfaces/dashboard/page/frame.ts" },
  external: ["/page/xterm.mjs"],
  // Its paths lead from highlight.js to our declarations.
  tsconfig: false,
});
await page.write({
  dir: join(out, "dashboard"),
  format: "esm",
  minify: true,
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
});
const paged = await page.watchFiles;
await page.close();
for (const file of ["index.html", "style.css", "parts.css", "chat.css", "icon.svg"])
  copyFileSync(join(root, "src/surfaces/dashboard/page", file), join(out, "dashboard", file));
for (const file of ["lib/xterm.mjs", "css/xterm.css"])
  copyFileSync(join(root, "node_modules/@xterm/xterm", file), join(out, "dashboard", basename(file)));

if (clone === undefined) {
  const types = spawnSync("tsc", ["-p", "tsconfig.types.json"], { cwd: root, stdio: "inherit" });
  if (types.status !== 0) process.exit(types.status ?? 1);
  const { exports: doors } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly exports: { readonly [door: string]: string | { readonly types?: string } };
  };
  pruneTypes(
    join(out, "types"),
    Object.values(doors).flatMap((door) => (typeof door === "string" ? [] : [join(root, door.types ?? "")])),
  );
} else writeFileSync(join(clone, "inputs.json"), JSON.stringify(inputsOf([...bundled, ...paged])));
const files = globSync("**/*.{js,mjs}", { cwd: out });
console.log(`${basename(out)}: ${files.length} files, ${plugins.length} plugins.`);

/** Files and folders, relative to the root, each once. A missing tree is listed too: it may appear. */
function inputsOf(modules: readonly string[]): readonly string[] {
  const folders = globSync(BESIDE.folders, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const trees = globSync(
    BESIDE.trees.flatMap((tree) => [tree, `${tree}/**`]),
    { cwd: root, exclude: (path) => /__pycache__|\.test\.ts$/.test(path) },
  );
  return [
    ...new Set([
      ...modules.filter((path) => isAbsolute(path) && existsSync(path)).map((path) => relative(root, path)),
      ...globSync(BESIDE.files, { cwd: root }),
      ...folders,
      ...trees,
      ...BESIDE.trees.filter((tree) => !tree.includes("*")),
    ]),
  ].sort();
}
