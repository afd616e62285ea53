import assert from "node:assert/strict";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { LAYERS, PURE_NODE, type Layer } from "./layers.ts";
import { importsOf, SOURCES } from "./sources.ts";

test("each layer imports only the layers that the table allows", () => {
  assert.deepEqual(
    SOURCES.flatMap((file) =>
      Object.values(importsOf(file))
        .flat()
        .flatMap((specifier) => complaint(file, specifier)),
    ),
    [],
  );
});

test("every source file belongs to a layer", () => {
  assert.deepEqual(
    SOURCES.filter((file) => layerOf(file) === undefined),
    [],
  );
});

test("reports an upward import with its fix", () => {
  assert.deepEqual(complaint("src/engine/turn/turn.ts", "../../host/store/facts/sqlite-store.ts"), [
    "src/engine/turn/turn.ts imports src/host/store/facts/sqlite-store.ts: move the type down to src/contract, or pass the function or object in as a port",
  ]);
});

function complaint(file: string, specifier: string): string[] {
  const layer = layerOf(file);
  if (layer === undefined) return [];
  const target = specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : specifier;
  if (allowed(layer, file, target)) return [];
  return [`${file} imports ${target}: ${layer.instead}`];
}

function allowed(layer: Layer, file: string, target: string): boolean {
  if (["plugins", "examples", "tools"].includes(layer.folder)) return allowedForPlugin(layer, file, target);
  if (target.startsWith(`${layer.folder}/`)) return true;
  if (["src/safety", "src/engine"].includes(layer.folder) && target.startsWith("node:"))
    return PURE_NODE.includes(target);
  return layer.may.some(
    (prefix) => target === prefix || target.startsWith(prefix.endsWith(":") ? prefix : `${prefix}/`),
  );
}

/** A plugin owns its folder and its dependencies. It imports the project only through `hermes-agent/plugin`. */
function allowedForPlugin(layer: Layer, file: string, target: string): boolean {
  const own = file
    .split("/")
    .slice(0, { examples: 3, tools: 1 }[layer.folder] ?? 2)
    .join("/");
  if (target.startsWith(`${own}/`)) return true;
  if (
    target.startsWith("src/") ||
    target.startsWith("plugins/") ||
    target.startsWith("examples/") ||
    target.startsWith("tools/")
  )
    return false;
  return target.startsWith("hermes-agent/") ? layer.may.includes(target) : true;
}

function layerOf(file: string): Layer | undefined {
  return LAYERS.filter((layer) => file === layer.folder || file.startsWith(`${layer.folder}/`)).sort(
    (a, b) => b.folder.length - a.folder.length,
  )[0];
}
