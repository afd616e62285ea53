import { existsSync } from "node:fs";
import type { Notice } from "../contract/app.ts";
import { UserError } from "../contract/failure.ts";
import { HOOK_KINDS, type HookName } from "../contract/hook.ts";
import type { HookDesk } from "../contract/hook-desk.ts";
import { nearest } from "../contract/nearest.ts";
import type { EventHooks } from "./event-hooks/event-hooks.ts";
import type { PluginHosts } from "./plugins/hosts/plugin-hosts.ts";
import type { ShellHooks, ShellHooksPorts } from "./shell-hooks/open-shell-hooks.ts";

export interface HookDeskPorts extends ShellHooksPorts {
  readonly hosts: PluginHosts;
  /** Whether the person's own event hooks are called at all. */
  readonly events: boolean;
  elapsed(): number;
}

export interface OpenHookDesk extends AsyncDisposable {
  readonly desk: HookDesk;
  readonly notices: readonly Notice[];
}

/** Hooks that are no plugin's. Who has none pays for a look at one setting and one folder. */
export async function openHookDesk(ports: HookDeskPorts): Promise<OpenHookDesk> {
  const { hooks, home, userHome, log } = ports;
  const folder = home.file("hooks");
  const shell: ShellHooks | undefined = isSet(ports.config.get("hooks")) ? new (await import("./shell-hooks/open-shell-hooks.ts")).ShellHooks(ports) : undefined;
  const events: EventHooks | undefined = ports.events && existsSync(folder) ? await (await import("./event-hooks/event-hooks.ts")).EventHooks.open(folder, ports.hosts, log) : undefined;
  const watching = events === undefined ? undefined : (await import("./event-hooks/watch-events.ts")).watchEvents(hooks, events, ports.elapsed);

  return {
    desk: {
      async beforeCommand(command) {
        if (!hooks.has("pre_command")) return undefined;
        const answer = await hooks.first("pre_command", command);
        if (answer.kind === "verdict") return answer.verdict;
        return answer.kind === "none" ? undefined : { action: "block", message: `The guard of "${answer.owner}" is broken (${answer.reason}), so /${command.command} was not run.` };
      },
      sessionReset: (reset) => hooks.observe("on_session_reset", reset),
      emit: (event, context) => void events?.emit(event, context),
      waiting: () => shell?.waiting() ?? [],
      accept: async (agreed) => shell?.accept(agreed),
      list: async () => ({ shell: shell?.list() ?? [], events: events?.list() ?? [] }),
      async test(event, { tool, payload }) {
        const name = eventNamed(event);
        const { sampleOf } = await import("./shell-hooks/sample-payload.ts");
        return (await shell?.test(name, { ...sampleOf(name, tool), ...payload })) ?? [];
      },
      revoke: async (command) => shell?.revoke(command) ?? (await import("./shell-hooks/consents.ts")).openConsents(home, userHome, ports.now).revoke(command),
      async doctor() {
        const checks = shell === undefined ? [] : await (await import("./shell-hooks/check-shell-hooks.ts")).checkShellHooks(shell, userHome);
        return [...checks, ...(events?.list() ?? []).map(({ name, dir, events: names, problem }) => ({ name: `hooks/${name}`, ok: problem === undefined, detail: problem === undefined ? names.join(", ") : `${problem} (${dir})` }))];
      },
    },
    get notices() {
      return shell?.notices ?? [];
    },
    async [Symbol.asyncDispose]() {
      await events?.close();
      watching?.[Symbol.dispose]();
      shell?.[Symbol.dispose]();
    },
  };
}

function isSet(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function eventNamed(event: string): HookName {
  const names = Object.keys(HOOK_KINDS) as readonly HookName[];
  const found = names.find((name) => name === event);
  if (found !== undefined) return found;
  const meant = nearest(event, names);
  throw new UserError(`There is no event "${event}".`, { hint: meant === undefined ? `There is: ${names.join(", ")}.` : `Did you mean "${meant}"?`, exitCode: 2 });
}
