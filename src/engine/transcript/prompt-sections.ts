import type { RiskContext } from "../../contract/tools/tool.ts";
import { bounded } from "../async/bounded.ts";
import type { DispatchPorts } from "../ports.ts";

const LIMIT_MS = 5_000;

/**
 * The sections that these tools add to a new system prompt, in order of their names. A tool that fails or takes too
 * long adds none.
 */
export async function promptSections(
  { tools, log, clock }: Pick<DispatchPorts, "tools" | "log" | "clock">,
  names: readonly string[],
  about: Pick<RiskContext, "agentHome" | "config">,
): Promise<readonly string[]> {
  const asked = [...names].sort().map(async (name): Promise<string> => {
    try {
      const ended = await bounded(
        (async () => (await tools.get(name)?.load())?.prompt?.text(about))(),
        LIMIT_MS,
        clock,
      );
      if (ended.kind === "value") return ended.value ?? "";
      log.warning(
        `The tool "${name}" did not report within ${LIMIT_MS / 1000} s what it adds to the system prompt; the session begins without it.`,
      );
    } catch (cause) {
      log.warning(
        `The tool "${name}" could not say what it adds to the system prompt; the session begins without it.`,
        { cause },
      );
    }
    return "";
  });
  return (await Promise.all(asked)).filter((section) => section.trim() !== "");
}
