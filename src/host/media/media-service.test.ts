import assert from "node:assert/strict";
import { test } from "node:test";
import type { PluginListing } from "../../contract/services/plugin-service.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { createMediaService } from "./media-service.ts";
import { SlotRegistry } from "../tools/slots.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const listing = (key: string, provider: string, more: Partial<PluginListing>): PluginListing =>
  ({
    key,
    state: "disabled",
    manifest: { name: key, description: `Pictures by ${key}.` },
    registered: { providers: [provider] },
    reason: `Plugin ${key} disabled`,
    ...more,
  }) as unknown as PluginListing;

function world(settings: { readonly [path: string]: string }, plugins: readonly PluginListing[] = []) {
  const slots = new SlotRegistry({ log: quietLog(), config: (path) => settings[path] });
  const add = (id: string, backend: object = {}) =>
    slots.add(
      "image_gen",
      { id, label: id.toUpperCase(), data: {}, load: async () => backend as never },
      `plugin-${id}`,
    );
  return { slots, add, service: createMediaService(slots, { list: async () => plugins }) };
}

test("lists backends that run, then those missing a requirement, but none that the user switched off", async () => {
  const { add, service } = world({ "image_gen.provider": "fal" }, [
    listing("fal", "image_gen/fal", { because: "variables", reason: "Plugin fal disabled (missing: FAL_KEY)" }),
    listing("xai", "image_gen/xai", { because: "chosen" }),
    listing("local", "image_gen/local", { because: "means" }),
    listing("off", "image_gen/off", { because: "off", reason: "Plugin off was switched off" }),
    listing("new", "image_gen/new", { state: "not enabled", because: "asked" }),
    listing("films", "video_gen/films", { because: "variables" }),
    listing("there", "image_gen/there", { because: "variables" }),
  ]);
  add("there");
  assert.deepEqual(await service.list("image_gen"), [
    { id: "there", label: "THERE", plugin: "plugin-there", chosen: false },
    {
      id: "fal",
      label: "Pictures by fal",
      plugin: "fal",
      waits: "Plugin fal disabled (missing: FAL_KEY)",
      chosen: true,
    },
    { id: "xai", label: "Pictures by xai", plugin: "xai", waits: "Plugin xai disabled", chosen: false },
    { id: "local", label: "Pictures by local", plugin: "local", waits: "Plugin local disabled", chosen: false },
  ]);
});

test("validates a backend's models and variables, and treats a broken or missing backend as empty", async () => {
  const { add, service } = world({});
  add("good", {
    list_models: async () => [{ id: "m1" }, { id: 3 }, "m2", null],
    default_model: () => "m1",
    get_setup_schema: () => ({
      env_vars: [
        { key: "A_KEY", prompt: "Key", url: "https://a.example/" },
        { key: "B_KEY" },
        { key: "not a name" },
        7,
      ],
    }),
  });
  add("broken", {
    list_models: () => Promise.reject(new Error("down")),
    default_model: () => 7,
    get_setup_schema: () => "no",
  });
  assert.deepEqual(withoutUndefined(await service.look("image_gen", "good")), {
    models: [{ id: "m1" }],
    preferred: "m1",
    env: [
      { name: "A_KEY", prompt: "Key", url: "https://a.example/" },
      { name: "B_KEY", prompt: "B_KEY" },
    ],
  });
  for (const id of ["broken", "missing"])
    assert.deepEqual(withoutUndefined(await service.look("image_gen", id)), { models: [], env: [] });
});
