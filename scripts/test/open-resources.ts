import { createHook } from "node:async_hooks";
import type { ChildProcess } from "node:child_process";
import { relative } from "node:path";

/** Kinds of resources that keep a process alive and have an owner. Requests (a read, a lookup) end without one. */
const KINDS: { readonly [type: string]: string } = {
  Timeout: "timer",
  TCPWRAP: "connection",
  TCPSERVERWRAP: "server",
  UDPWRAP: "UDP socket",
  PIPEWRAP: "pipe",
  PIPESERVERWRAP: "pipe server",
  PROCESSWRAP: "child process",
  FSEVENTWRAP: "file watcher",
  STATWATCHER: "file watcher",
  WORKER: "worker thread",
  MESSAGEPORT: "message port",
};
const STACK_FRAMES = 30;

interface Resource {
  readonly type: string;
  readonly handle: WeakRef<Handle>;
  /** The error's stack shows who created the resource. Node formats it only when it is read. */
  readonly created: Error;
  readonly during: string;
}

interface Handle {
  /** Of a kept-open connection that is used again. */
  readonly handle?: Handle;
  readonly hasRef?: () => boolean;
  readonly getsockname?: (into: Address) => unknown;
  readonly getpeername?: (into: Address) => unknown;
  readonly pid?: number;
  readonly _idleTimeout?: number;
  /** A timer that fired or was cleared; its `destroy` event comes later. */
  readonly _destroyed?: boolean;
}

interface Address {
  readonly address?: string;
  readonly port?: number;
}

const resources = new Map<number, Resource>();
let runningTest = "";

/** Records from now on what keeps this process alive, and who created it. */
export function trackOpenResources(): void {
  createHook({
    // Without promises, the hook does not slow a test run measurably.
    trackPromises: false,
    init(id, type, _trigger, handle) {
      if (!(type in KINDS)) return;
      const limit = Error.stackTraceLimit;
      Error.stackTraceLimit = STACK_FRAMES;
      resources.set(id, {
        type,
        handle: new WeakRef(handle as Handle),
        created: new Error("created"),
        during: runningTest,
      });
      Error.stackTraceLimit = limit;
    },
    destroy: (id) => void resources.delete(id),
  } as Parameters<typeof createHook>[0]).enable();
}

/** Names the test that runs now, as the owner of what it leaves open. */
export function setRunningTest(name: string): void {
  runningTest = name;
}

/** Describes what still keeps this process alive, one line each. */
export function openResources(): readonly string[] {
  const lines: string[] = [];
  for (const { type, handle, created, during } of resources.values()) {
    const resource = handle.deref();
    const open = resource?.handle ?? resource;
    if (open === undefined || open._destroyed === true || open.hasRef?.() === false || isStandardStream(open)) continue;
    if (created.stack?.includes("results-reporter.ts") === true) continue;
    const frame = ownFrame(created);
    lines.push(
      `${KINDS[type]}${describe(type, open)}, created ${frame === undefined ? "outside the project" : frame}${during === "" ? "" : ` during "${during}"`}`,
    );
  }
  return lines;
}

function describe(type: string, handle: Handle): string {
  if (type === "Timeout") return ` of ${handle._idleTimeout} ms`;
  if (type === "PROCESSWRAP") return handle.pid === undefined ? "" : ` ${handle.pid}: ${commandOf(handle.pid)}`;
  const [here, there] = [addressOf(handle.getsockname, handle), addressOf(handle.getpeername, handle)];
  return `${here === undefined ? "" : ` ${here}`}${there === undefined ? "" : ` to ${there}`}`;
}

function addressOf(ask: ((into: Address) => unknown) | undefined, handle: Handle): string | undefined {
  const address: Address = {};
  ask?.call(handle, address);
  return address.address === undefined ? undefined : `${address.address}:${address.port}`;
}

function commandOf(pid: number): string {
  const handles = (process as unknown as { _getActiveHandles(): readonly object[] })._getActiveHandles();
  const child = handles.find((handle) => (handle as ChildProcess).pid === pid) as ChildProcess | undefined;
  return child?.spawnargs?.join(" ").slice(0, 200) ?? "unknown command";
}

/** The reporter writes to pipes that this process inherited. */
function isStandardStream(handle: Handle & { readonly fd?: number }): boolean {
  return handle.fd !== undefined && handle.fd >= 0 && handle.fd <= 2;
}

function ownFrame(created: Error): string | undefined {
  const root = process.cwd();
  const frames = (created.stack ?? "")
    .split("\n")
    .filter(
      (line) => line.includes("file://") && !line.includes("/node_modules/") && !line.includes("open-resources.ts"),
    )
    .map((line) => /file:\/\/([^)]+)/.exec(line)?.[1])
    .filter((place) => place !== undefined)
    .map((place) => relative(root, place));
  return frames.length === 0 ? undefined : `at ${frames.slice(0, 3).join(" < ")}`;
}
