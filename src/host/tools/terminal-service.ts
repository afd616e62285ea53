import { randomUUID } from "node:crypto";
import type {
  TerminalCheck,
  TerminalService,
  TerminalEnvironmentInfo,
} from "../../contract/services/terminal-service.ts";
import type { Probe } from "../../contract/common/availability.ts";
import { ToolFailure, UserError } from "../../contract/common/failure.ts";
import { TerminalUnavailable } from "../../contract/providers/terminal.ts";
import type { SlotRegistry } from "./slots.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

const CHECK_LIMIT_MS = 30_000;

/** The places to run commands: which there are, and whether they work. */
export function createTerminalService(ports: {
  readonly slots: SlotRegistry;
  readonly probe: (owner: string) => Probe;
  readonly signal: AbortSignal;
}): TerminalService {
  const entries = (id?: string) => {
    const all = ports.slots.list("terminal").toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const wanted = id === undefined ? all : all.filter((entry) => entry.id === id);
    if (wanted.length === 0)
      throw new UserError(`There is no terminal backend "${id}".`, {
        hint: `Available: ${all.map((entry) => entry.id).join(", ")}.`,
      });
    return wanted;
  };

  async function infoOf({
    id,
    label,
    owner,
    load,
  }: ReturnType<typeof entries>[number]): Promise<TerminalEnvironmentInfo> {
    const about = { id, label: label ?? id, owner, chosen: ports.slots.chosen("terminal") === id };
    try {
      const backend = await load();
      const available = (await backend.available?.(ports.probe(owner))) ?? { ok: true as const };
      const hint = available.ok ? undefined : hintFor(available.needs ?? []);
      return { ...about, isolated: backend.isolated, available, hint };
    } catch (error) {
      return { ...about, isolated: false, available: { ok: false, reason: (error as Error).message } };
    }
  }

  /** Runs one command there, as a task would. */
  async function tried(entry: ReturnType<typeof entries>[number]): Promise<TerminalCheck> {
    const info = await infoOf(entry);
    if (!info.available.ok) return { ...info, ok: false, detail: info.available.reason };
    const startedAt = performance.now();
    try {
      const backend = await entry.load();
      await using terminal = await backend.open({ key: `check-${randomUUID()}` }, ports.signal);
      const result = await terminal.run("uname -srm && id -un", { signal: ports.signal, timeoutMs: CHECK_LIMIT_MS });
      const words = result.output.trim().split("\n");
      const ok = result.endedBy === "exit" && result.exitCode === 0;
      const took = `${Math.round(performance.now() - startedAt)} ms`;
      return {
        ...info,
        ok,
        detail: ok
          ? `${words[0]}, as ${words[1]} in ${terminal.cwd}, ${took}`
          : `The command ended by ${result.endedBy}: ${result.output.trim().slice(-200)}`,
      };
    } catch (error) {
      const hint =
        error instanceof TerminalUnavailable || error instanceof UserError || error instanceof ToolFailure
          ? error.hint
          : undefined;
      return { ...info, ok: false, detail: (error as Error).message, ...definedFields({ hint }) };
    }
  }

  return {
    list: () => Promise.all(entries().map(infoOf)),
    async check(id) {
      const all = await Promise.all(entries(id).map(tried));
      const chosen = ports.slots.chosen("terminal");
      if (id !== undefined || chosen === undefined || all.some((one) => one.chosen)) return all;
      const reason = "There is no such backend.";
      return [
        ...all,
        {
          id: chosen,
          label: chosen,
          owner: "",
          chosen: true,
          isolated: false,
          available: { ok: false, reason },
          ok: false,
          detail: reason,
          hint: "Check terminal.backend and TERMINAL_ENV.",
        },
      ];
    },
  };
}

/** @param needs Variables, settings or programs. */
function hintFor(needs: readonly string[]): string | undefined {
  const [first] = needs;
  if (first === undefined) return undefined;
  if (/^[A-Z][A-Z0-9_]*$/.test(first))
    return `\`hermes config set ${first} …\` stores ${needs.length === 1 ? "it" : "one"} in the .env file of the agent's home.`;
  if (first.includes(".")) return `\`hermes config set ${first} …\` sets it.`;
  return `Install and start ${needs.join(", ")}, or choose another backend with terminal.backend.`;
}
