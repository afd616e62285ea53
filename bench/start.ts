import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atMost, median, ratio, type Figure } from "./figures.ts";
import { startModelServer } from "./model-server.ts";

const ROOT = join(import.meta.dirname, "..");
const CLONE = join(ROOT, "hermes");

/**
 * Start-up: the fast path, the first request on the wire, the cost of plugins, memory, and the same for this clone.
 * Pairs alternate so that a
 * busy machine slows both.
 */
export async function startFigures(hermes: string, rounds: number): Promise<readonly Figure[]> {
  const home = freshHome();
  const many = freshHome();
  addPlugins(many, 100);
  buildClone();
  const server = await startModelServer(() => ({ text: "ok" }));
  try {
    const samples = {
      node: [] as number[],
      version: [] as number[],
      first: [] as number[],
      firstMany: [] as number[],
      rss: [] as number[],
      cloneVersion: [] as number[],
      cloneFirst: [] as number[],
    };
    const firstRequest = async (
      of: string,
      entry = hermes,
    ): Promise<{ readonly ms: number; readonly rssMiB: number }> => {
      const before = server.requests.length;
      const started = performance.now();
      const { rssMiB } = await run(entry, ["chat", "-q", "hello"], of, server.url);
      const request = server.requests[before];
      if (request === undefined) throw new Error("The one-shot made no request.");
      return { ms: request.arrivedAt - started, rssMiB };
    };
    await enableAll(hermes, many);
    for (const place of [home, many, home, many]) await firstRequest(place);
    for (let warm = 0; warm < 2; warm += 1) await firstRequest(home, CLONE);
    for (let round = 0; round < rounds; round += 1) {
      samples.node.push((await run("-e", ["0"], home, server.url)).ms);
      samples.version.push((await run(hermes, ["--version"], home, server.url)).ms);
      const one = await firstRequest(home);
      samples.first.push(one.ms);
      samples.rss.push(one.rssMiB);
      samples.cloneFirst.push((await firstRequest(home, CLONE)).ms);
      samples.cloneVersion.push((await run(CLONE, ["--version"], home, server.url)).ms);
      samples.firstMany.push((await firstRequest(many)).ms);
    }
    const base = median(samples.node);
    return [
      ratio("hermes --version", median(samples.version), base, 1.3, "node -e 0"),
      ratio("process start → first request, all default tools", median(samples.first), base, 3, "node -e 0"),
      ratio("the same with 100 more plugins enabled", median(samples.firstMany), median(samples.first), 1.2, "without"),
      ratio("a clone: ./hermes --version", median(samples.cloneVersion), base, 1.3, "node -e 0"),
      ratio(
        "a clone: process start → first request",
        median(samples.cloneFirst),
        median(samples.first),
        1.3,
        "the installed build",
      ),
      atMost("peak memory of a one-shot", median(samples.rss), 90, (value) => `${value.toFixed(0)} MiB`),
    ];
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
    rmSync(many, { recursive: true, force: true });
  }
}

export function freshHome(): string {
  return mkdtempSync(join(tmpdir(), "hermes-bench-"));
}

/** The build that this clone starts from. The bench's own starts make none. */
function buildClone(): void {
  const builder = join(ROOT, "scripts/clone/make-build.ts");
  const { status, stderr } = spawnSync(process.execPath, [builder], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** Runs the installed build, this clone or `-e CODE` to the end; returns wall time and peak memory. */
export async function run(
  entry: string,
  args: readonly string[],
  home: string,
  baseUrl: string,
  more: NodeJS.ProcessEnv = {},
): Promise<{ readonly ms: number; readonly rssMiB: number; readonly stdout: string }> {
  configure(home, baseUrl);
  const started = performance.now();
  const command = entry === CLONE ? [CLONE] : [process.execPath, entry];
  const child = spawn(command[0]!, [...command.slice(1), ...args], {
    env: { ...environment(home), ...more },
    stdio: ["ignore", "pipe", "pipe"],
    cwd: home,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (text: Buffer) => (stdout += text.toString()));
  child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, peakOf(child.pid))), 5);
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearInterval(watch);
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return { ms: performance.now() - started, rssMiB: peak / 1024, stdout };
}

/** An environment without the user's keys. */
export function environment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    HERMES_HOME: join(home, ".hermes"),
    OPENAI_API_KEY: "bench",
    HERMES_CLONE_BUILD: "use",
  };
}

/** One model, on loopback. */
export function configure(home: string, baseUrl: string): void {
  mkdirSync(join(home, ".hermes"), { recursive: true, mode: 0o700 });
  const file = join(home, ".hermes/config.yaml");
  const text = `model:\n  provider: custom\n  default: bench\n  base_url: ${baseUrl}\n`;
  const existing = tryRead(file);
  if (!existing.includes(baseUrl))
    writeFileSync(file, existing.replace(/^model:\n( {2}.*\n)*/m, "") + text, { mode: 0o600 });
}

function addPlugins(home: string, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const folder = join(home, ".hermes/plugins", `bench-${index}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "plugin.yaml"),
      `name: bench-${index}\nversion: 1.0.0\ndescription: a tool and a hook\nprovides_tools: [bench_${index}]\n`,
    );
    writeFileSync(
      join(folder, "index.ts"),
      `import { defineTool } from "hermes-agent/plugin";\nexport default function register(ctx) {\n  ctx.tool(defineTool({ name: "bench_${index}", toolset: "bench_${index}", description: "Does nothing.", effect: "none", input: { type: "object", properties: {} }, async execute() { return { ok: true }; } }));\n  ctx.hook("post_tool_call", () => {});\n}\n`,
    );
  }
}

/** Through the settings, as a user's script would; the first start makes the snapshots. */
async function enableAll(hermes: string, home: string): Promise<void> {
  const file = join(home, ".hermes/config.yaml");
  mkdirSync(join(home, ".hermes"), { recursive: true });
  writeFileSync(
    file,
    `plugins:\n  enabled: [${Array.from({ length: 100 }, (_, index) => `bench-${index}`).join(", ")}]\n`,
  );
  await run(hermes, ["plugins", "list"], home, "http://127.0.0.1:9/v1");
}

function peakOf(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+)/.exec(tryRead(`/proc/${pid}/status`))?.[1] ?? 0);
}

function tryRead(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // gone, or not there yet
  }
}
