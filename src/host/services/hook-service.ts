import { existsSync } from "node:fs";
import type { Check } from "../../contract/common/check.ts";
import type { Notice } from "../../contract/common/notice.ts";
import { UserError } from "../../contract/common/failure.ts";
import { HOOK_KINDS, type HookName } from "../../contract/plugins/hook.ts";
import type { ChatIdentity, HookService } from "../../contract/services/hook-service.ts";
import { nearest } from "../../contract/common/nearest.ts";
import type { EventHooks } from "../event-hooks/event-hooks.ts";
import type { PluginHosts } from "../plugins/registry/plugin-hosts.ts";
import type { ShellHooks, ShellHooksPorts } from "../shell-hooks/shell-hooks.ts";

export interface HookServicePorts extends ShellHooksPorts {
  readonly hosts: PluginHosts;
  /** Whether the user's event hooks run at all. */
  readonly events: boolean;
  elapsed(): number;
}

export interface OpenHookService extends AsyncDisposable {
  readonly service: HookService;
  readonly notices: readonly Notice[];
  /** The session has ended. */
  closed(sessionId: string): void;
}

/** Hooks that are not from plugins. Without any, this costs a look at one setting and one folder. */
export async function openHookService(ports: HookServicePorts): Promise<OpenHookService> {
  const { hooks, home, userHome } = ports;
  const speakers = new Map<string, ChatIdentity>();
  let own = await openOwn(ports, speakers);

  return {
    service: {
      async beforeCommand(command) {
        if (!hooks.has("pre_command")) return undefined;
        const answer = await hooks.first("pre_command", command);
        if (answer.kind === "verdict") return answer.verdict;
        return answer.kind === "none"
          ? undefined
          : {
              action: "block",
              message: `The guard of "${answer.owner}" failed (${answer.reason}), so /${command.command} did not run.`,
            };
      },
      async beforeDispatch(event) {
        if (!hooks.has("pre_gateway_dispatch")) return { action: "allow" };
        const answer = await hooks.first("pre_gateway_dispatch", { event });
        if (answer.kind === "verdict") return answer.verdict;
        return { action: answer.kind === "none" ? "allow" : "skip" };
      },
      speaks: (sessionId, who) => void speakers.set(sessionId, who),
      sessionReset: (reset) => hooks.observe("on_session_reset", reset),
      emit: (event, context) => void own.events?.emit(event, context),
      waiting: () => own.shell?.waiting() ?? [],
      notices: () => own.shell?.notices ?? [],
      accept: async (agreed, declined) => own.shell?.accept(agreed, declined),
      list: async () => ({
        shell: own.shell?.list() ?? [],
        problems: own.shell?.problems ?? [],
        events: own.events?.list() ?? [],
      }),
      async test(event, { tool, payload }) {
        const name = eventNamed(event);
        const { sampleOf } = await import("../shell-hooks/sample-payload.ts");
        return (await own.shell?.test(name, { ...sampleOf(name, tool), ...payload })) ?? [];
      },
      revoke: async (command) =>
        own.shell?.revoke(command) ??
        (await import("../shell-hooks/consents.ts")).openConsents(home, userHome, ports.now).revoke(command),
      async doctor() {
        const checks =
          own.shell === undefined
            ? []
            : await (await import("../shell-hooks/check-shell-hooks.ts")).checkShellHooks(own.shell, userHome);
        const events = (own.events?.list() ?? []).map(({ name, dir, events: names, problem }): Check => ({
          name: `hooks/${name}`,
          ok: problem === undefined,
          detail: problem === undefined ? names.join(", ") : `${problem} (${dir})`,
        }));
        return [...checks, ...events];
      },
      async reload() {
        // The new ones listen before the old ones stop: no call passes between a guard and itself.
        const before = own;
        own = await openOwn(ports, speakers);
        await closeOwn(before);
      },
    },
    closed: (sessionId) => void speakers.delete(sessionId),
    get notices() {
      return own.shell?.notices ?? [];
    },
    [Symbol.asyncDispose]: () => closeOwn(own),
  };
}

/** The hooks as currently configured in the files. */
interface Own {
  readonly shell: ShellHooks | undefined;
  readonly events: EventHooks | undefined;
  readonly watching: Disposable | undefined;
}

async function openOwn(ports: HookServicePorts, speakers: ReadonlyMap<string, ChatIdentity>): Promise<Own> {
  const { hooks, log, hosts, home } = ports;
  const events =
    ports.events && existsSync(home.file("hooks"))
      ? await (await import("../event-hooks/event-hooks.ts")).EventHooks.open(home, hosts, log)
      : undefined;
  const watching =
    events === undefined
      ? undefined
      : (await import("../event-hooks/watch-events.ts")).watchEvents(hooks, events, ports.elapsed, (sessionId) =>
          speakers.get(sessionId),
        );
  const shell = isSet(ports.config.get("hooks"))
    ? new (await import("../shell-hooks/shell-hooks.ts")).ShellHooks(ports)
    : undefined;
  return { shell, events, watching };
}

async function closeOwn({ shell, events, watching }: Own): Promise<void> {
  watching?.[Symbol.dispose]();
  await events?.close();
  shell?.[Symbol.dispose]();
}

function isSet(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function eventNamed(event: string): HookName {
  const names = Object.keys(HOOK_KINDS) as readonly HookName[];
  const found = names.find((name) => name === event);
  if (found !== undefined) return found;
  const meant = nearest(event, names);
  throw new UserError(`There is no event "${event}".`, {
    hint: meant === undefined ? `Available: ${names.join(", ")}.` : `Did you mean "${meant}"?`,
    exitCode: 2,
  });
}
