import type { App } from "../../../contract/services/app.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { objectOf } from "../../../contract/common/is-object.ts";
import type { Unusable } from "../gateway/unusable.ts";
import { gatewayStatus, type GatewayStatus, type PlatformStatus } from "../gateway/gateway-status.ts";

/** The state of one part. */
export interface PartStatus {
  readonly ok: boolean;
  readonly detail: string;
  /** The command or setting that helps. */
  readonly hint?: string;
}

/** The state of an installation, as `hermes status --json` prints it. */
export interface StatusReport {
  readonly version: string;
  readonly profile: string;
  readonly home: string;
  readonly config: PartStatus;
  readonly model: PartStatus & {
    /** `null` if the configured model cannot be used; `detail` says why. */
    readonly provider: string | null;
    readonly model: string | null;
    readonly base_url: string | null;
    readonly source: string | null;
    /** The variable or setting with the key, and its first and last characters. */
    readonly key: { readonly origin: string; readonly shown: string } | null;
  };
  readonly gateway: { readonly running: boolean; readonly pid: number | null; readonly state: string | null };
  /** Platforms that the user began to set up. */
  readonly platforms: readonly Pick<PlatformStatus, "name" | "label" | "state" | "lacks" | "help" | "home_channel">[];
  readonly memory: PartStatus & { readonly provider: string | null };
  /** Providers that are configured, but not usable; known with `--deep` only. */
  readonly unusable: readonly Unusable[];
  readonly terminal: PartStatus & { readonly backend: string };
  readonly mcp: readonly { readonly name: string; readonly enabled: boolean; readonly server: string }[];
  readonly jobs: {
    readonly total: number;
    readonly active: number;
    readonly next_run_at: string | null;
    readonly runner: string | null;
  };
  readonly sessions: {
    readonly total: number;
    readonly last: { readonly id: string; readonly title: string | null; readonly at: number } | null;
  };
  readonly last_error: { readonly at: string; readonly message: string } | null;
}

const PROBE_MS = 8000;

/**
 * Reads the state of an installation. Contacts no service unless `deep`: then it asks the model service, runs a command
 * in the terminal backend and starts the memory provider.
 */
export async function statusReport(app: App, options: { readonly deep: boolean }): Promise<StatusReport> {
  const { deep } = options;
  const gateway = await gatewayStatus(app, { startsProviders: deep });
  const jobs = await app.jobs();
  const all = await jobs.list();
  const active = all.filter(({ enabled }) => enabled);
  const sessions = await app.sessions.list();
  const [last] = sessions;
  return {
    version: app.version,
    profile: app.profile,
    home: app.home,
    config: configStatus(app),
    model: await modelStatus(app, deep),
    gateway: { running: gateway.running, pid: gateway.pid ?? null, state: gateway.state ?? null },
    platforms: gateway.platforms
      .filter(({ configured }) => configured)
      .map(({ name, label, state, lacks, help, home_channel }) => ({ name, label, state, lacks, help, home_channel })),
    memory: await memoryStatus(app, gateway),
    unusable: gateway.unusable,
    terminal: await terminalStatus(app, deep),
    mcp: Object.entries(objectOf(app.config.get("mcp_servers"))).map(([name, server]) => {
      const { enabled, url, command } = objectOf(server);
      return { name, enabled: enabled !== false, server: app.mask(String(url ?? command ?? "")) };
    }),
    jobs: {
      total: all.length,
      active: active.length,
      next_run_at:
        active
          .flatMap(({ next_run_at }) => next_run_at ?? [])
          .toSorted((one, other) => Date.parse(one) - Date.parse(other))[0] ?? null,
      runner: (await jobs.runner()) ?? null,
    },
    sessions: {
      total: sessions.length,
      last: last === undefined ? null : { id: last.id, title: last.title ?? null, at: last.lastAt },
    },
    last_error: await lastError(app),
  };
}

function configStatus({ config }: App): PartStatus {
  const { problems, inForce } = config.check();
  const [first] = problems;
  if (first === undefined) return { ok: true, detail: config.file };
  return {
    ok: false,
    detail: `${first.file}${first.line === undefined ? "" : ` line ${first.line}`}: ${first.text}${inForce === undefined ? "" : ` ${inForce.text}`}`,
    hint: first.hint ?? "`hermes config check` shows every mistake; `hermes config edit` opens the file.",
  };
}

async function modelStatus(app: App, deep: boolean): Promise<StatusReport["model"]> {
  let current: Awaited<ReturnType<App["models"]["current"]>>;
  try {
    current = await app.models.current();
  } catch (error) {
    const detail = app.mask(error instanceof Error ? error.message : String(error));
    const hint = error instanceof UserError ? error.hint : undefined;
    return { provider: null, model: null, base_url: null, source: null, key: null, ok: false, detail, hint };
  }
  const { provider, model, baseUrl, source, offline, key } = current;
  const base = { provider, model, base_url: baseUrl ?? null, source, key: key ?? null };
  if (offline)
    return {
      ...base,
      ok: false,
      detail: "none is configured; the built-in offline model answers",
      hint: "`hermes model` connects one.",
    };
  const detail = `${model} of ${provider} (${source})`;
  if (!deep) return { ...base, ok: true, detail };
  try {
    await app.models.probe(AbortSignal.timeout(PROBE_MS));
    return { ...base, ok: true, detail: `${detail}; the service answers` };
  } catch (error) {
    return {
      ...base,
      ok: false,
      detail: `${detail}: ${app.mask(error instanceof Error ? error.message : String(error))}`,
      hint: "`hermes model` connects another.",
    };
  }
}

async function memoryStatus(app: App, { unusable }: GatewayStatus): Promise<StatusReport["memory"]> {
  const named = app.config.get("memory.provider");
  if (typeof named !== "string" || named === "")
    return { provider: null, ok: true, detail: "built-in notes only; no provider is set" };
  const lack = unusable.find(({ what }) => what === `memory provider ${named}`);
  return lack === undefined
    ? { provider: named, ok: true, detail: named }
    : { provider: named, ok: false, detail: `${named}: ${lack.lack}`, hint: lack.hint };
}

async function terminalStatus(app: App, deep: boolean): Promise<StatusReport["terminal"]> {
  const named = app.config.get("terminal.backend");
  const backend = typeof named === "string" && named !== "" ? named : "local";
  if (!deep) return { backend, ok: true, detail: backend };
  try {
    const [check] = await app.terminals.check(backend);
    return {
      backend,
      ok: check?.ok === true,
      detail: `${backend}: ${check?.detail ?? "no plugin provides it"}`,
      hint: check?.hint,
    };
  } catch (error) {
    return {
      backend,
      ok: false,
      detail: `${backend}: ${error instanceof Error ? error.message : String(error)}`,
      hint: "`hermes terminals list` shows the backends.",
    };
  }
}

async function lastError(app: App): Promise<StatusReport["last_error"]> {
  const signal = AbortSignal.timeout(PROBE_MS);
  let found: StatusReport["last_error"] = null;
  for await (const { time, name, message } of app.logs({
    name: "errors",
    lines: 1,
    level: "error",
    follow: false,
    signal,
  }))
    found = { at: time, message: app.mask(`${name}: ${message}`) };
  return found;
}
