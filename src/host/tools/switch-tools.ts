import { availabilityOf } from "../../engine/tools/definitions.ts";
import { textList, type ToolSelector, type ToolServicePorts } from "./tool-selector.ts";

/** `hermes tools enable`: offers these toolsets and tools on a surface. */
export async function enableTools(
  names: readonly string[],
  surface: string,
  selector: ToolSelector,
  ports: ToolServicePorts,
): Promise<void> {
  const members = selector.membersOf(names);
  const blocking = textList(ports.config.get("agent.disabled_toolsets")).filter(
    (each) => names.includes(each) || selector.toolsOf(each).some((member) => members.includes(member)),
  );
  // What else they switch off stays off.
  const others = [...new Set(blocking.flatMap((each) => selector.toolsOf(each)))].filter(
    (member) => !members.includes(member),
  );
  if (blocking.length > 0)
    await ports.config.changeList("agent.disabled_toolsets", {
      remove: blocking,
      add: others.map((member) => (ports.toolsets.get(member) === undefined ? member : `tool:${member}`)),
    });
  const wanted = new Set([...selector.select(surface), ...members]);
  await saveOnly(surface, wanted, new Set(members), selector, ports);
}

/** `hermes tools disable` */
export async function disableTools(
  names: readonly string[],
  surface: string,
  selector: ToolSelector,
  ports: ToolServicePorts,
): Promise<void> {
  const members = new Set(selector.membersOf(names));
  const wanted = new Set(selector.select(surface).filter((each) => !members.has(each)));
  await saveOnly(surface, wanted, new Set(), selector, ports);
}

/**
 * Switching one tool changes no other. A tool that could run only because its toolset is in the list (a voice, which
 * sends text away) stays on and waits: the list names it as a tool, which is not the choice of its toolset.
 */
async function saveOnly(
  surface: string,
  names: ReadonlySet<string>,
  meant: ReadonlySet<string>,
  selector: ToolSelector,
  ports: ToolServicePorts,
): Promise<void> {
  const unavailable = async (): Promise<readonly string[]> => {
    const others = ports.tools.list().filter(({ name }) => names.has(name) && !meant.has(name));
    const found = await Promise.all(
      others.map(async (entry) =>
        (await availabilityOf(ports, entry, { name: surface, prompter: true })).ok ? [] : [entry.name],
      ),
    );
    return found.flat();
  };
  const before = await unavailable();
  await save(surface, names, selector, ports);
  const still = new Set(await unavailable());
  const chosenByDefault = new Set(before.filter((name) => !still.has(name)));
  if (chosenByDefault.size > 0) await save(surface, names, selector, ports, chosenByDefault);
}

/**
 * By whole toolsets as far as possible, so that a tool that a later version adds to one of them is on.
 *
 * @param single Tools to name as tools.
 */
async function save(
  surface: string,
  names: ReadonlySet<string>,
  selector: ToolSelector,
  { toolsets, config }: ToolServicePorts,
  single: ReadonlySet<string> = new Set(),
): Promise<void> {
  const whole = toolsets
    .list()
    .filter(({ name, includes }) => includes.length === 0 && !name.startsWith("hermes-"))
    .map(({ name }) => ({ name, tools: toolsets.resolveToolset(name) }))
    .filter(({ tools }) => tools.length > 0 && tools.every((tool) => names.has(tool) && !single.has(tool)))
    .sort((a, b) => b.tools.length - a.tools.length || (a.name < b.name ? -1 : 1));
  const covered = new Set<string>();
  const saved = whole.flatMap(({ name, tools }) => {
    if (tools.every((tool) => covered.has(tool))) return [];
    for (const tool of tools) covered.add(tool);
    return [name];
  });
  const alone = [...names]
    .filter((name) => !covered.has(name))
    .map((name) => (toolsets.get(name) === undefined && !single.has(name) ? name : `tool:${name}`));
  await config.set(`platform_toolsets.${surface}`, JSON.stringify([...saved, ...alone].sort()));
  await config.set(`known_plugin_toolsets.${surface}`, JSON.stringify(selector.outsideToolsets()));
}
