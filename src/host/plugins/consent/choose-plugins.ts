import type { FoundPlugin } from "../discovery/discovery.ts";
import { judge, type GateInputs, type Verdict } from "./gate.ts";

export interface Choice {
  /** In the order in which they start. */
  readonly run: readonly FoundPlugin[];
  readonly verdicts: ReadonlyMap<FoundPlugin, Verdict>;
  /** The plugin that replaces one that could have run. */
  readonly beatenBy: ReadonlyMap<FoundPlugin, FoundPlugin>;
}

/**
 * Chooses the plugins that run. If several with one key may run, the last wins: bundled, Python packages, npm packages,
 * folders of the home, the project's. A plugin that may not run replaces no other.
 */
export function choosePlugins(
  bundled: readonly FoundPlugin[],
  own: readonly FoundPlugin[],
  inputs: GateInputs,
): Choice {
  const verdicts = new Map<FoundPlugin, Verdict>();
  const last = new Map<string, FoundPlugin>();
  for (const plugin of [...bundled, ...own]) {
    const verdict = judge(plugin, inputs);
    verdicts.set(plugin, verdict);
    if (verdict.state === "enabled") last.set(plugin.key, plugin);
  }
  const beatenBy = new Map<FoundPlugin, FoundPlugin>();
  const run: FoundPlugin[] = [];
  for (const plugin of [...bundled, ...own]) {
    if (verdicts.get(plugin)?.state !== "enabled") continue;
    const winner = last.get(plugin.key)!;
    if (winner === plugin) run.push(plugin);
    else beatenBy.set(plugin, winner);
  }
  return { run, verdicts, beatenBy };
}
