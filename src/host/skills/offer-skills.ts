import type { PluginHost } from "../plugins/plugin-host.ts";

/** Whose the tool is in listings. */
const OWNER = "skills";

/** Has `skill_view` registered while a plugin brings a skill, and not otherwise. Nothing is loaded before one does. */
export function offerSkills({ skills, tools, desk }: Pick<PluginHost, "skills" | "tools" | "desk">): () => Promise<void> {
  let offered: Disposable | undefined;
  let last = Promise.resolve();

  async function settle(): Promise<void> {
    const any = skills.list().length > 0;
    if (any === (offered !== undefined)) return;
    if (!any) {
      offered?.[Symbol.dispose]();
      offered = undefined;
      return;
    }
    const [{ skillTool }, { entryOf }] = await Promise.all([import("./skill-tool.ts"), import("../../engine/tool-declaration.ts")]);
    const shelf = { list: () => skills.list(), asleep: (plugin: string) => wayOn(desk, plugin) };
    offered = tools.add("skill_view", entryOf(skillTool(shelf)), OWNER);
  }

  // One that failed is told to whoever asked, and tried again by the next.
  return () => (last = last.then(settle, settle));
}

async function wayOn(desk: PluginHost["desk"], plugin: string): Promise<string | undefined> {
  const found = (await desk.list()).find(({ manifest, state }) => manifest.name === plugin && state !== "enabled");
  return found === undefined ? undefined : `hermes plugins enable ${found.key}`;
}
