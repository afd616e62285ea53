import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { PluginContext } from "hermes-agent/plugin";
import { AgentProcess } from "./agent-process.ts";
import type { AgentService } from "./copilot.ts";
import { programOf } from "./program-of.ts";

/** A start costs seconds, and every step of a turn is a request, so an idle agent stays ready this long. */
const RETENTION_MS = 300_000;
/** An agent is replaced after this many sessions, because it may keep all of them in memory. */
const MAX_SESSIONS = 50;

/** The agents of one service. Each handles one request at a time, so concurrent requests use several agents. */
export class AgentPool {
  readonly #service: AgentService;
  readonly #ctx: Pick<PluginContext, "env" | "home" | "log">;
  readonly #running = new Set<AgentProcess>();
  #idle: { readonly agent: AgentProcess; readonly command: string; readonly timer: NodeJS.Timeout } | undefined;

  constructor(service: AgentService, ctx: Pick<PluginContext, "env" | "home" | "log">) {
    this.#service = service;
    this.#ctx = ctx;
  }

  /** Lends an agent to `work`. If `work` fails, the agent is not used again. Rejects with an `AgentFailure`. */
  async with<T>(signal: AbortSignal, limitMs: number, work: (agent: AgentProcess) => Promise<T>): Promise<T> {
    const program = programOf(this.#service, (name) => this.#ctx.env(name));
    const command = JSON.stringify(program);
    let agent = this.#take(command);
    if (agent === undefined) {
      const folder = join(this.#ctx.home, "cache", "model-acp");
      await mkdir(folder, { recursive: true, mode: 0o700 });
      agent = new AgentProcess({ service: this.#service, program, folder, log: this.#ctx.log });
      this.#running.add(agent);
    }
    try {
      if (!agent.ready) await agent.start(signal, limitMs);
      const result = await work(agent);
      this.#keep(agent, command);
      return result;
    } catch (cause) {
      this.#drop(agent);
      throw cause;
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle?.timer);
    this.#idle = undefined;
    await Promise.all([...this.#running].map((agent) => agent.close()));
  }

  #take(command: string): AgentProcess | undefined {
    const saved = this.#idle;
    if (saved === undefined || !saved.agent.running || saved.command !== command) return this.#letGo();
    clearTimeout(saved.timer);
    this.#idle = undefined;
    return saved.agent;
  }

  #letGo(): undefined {
    if (this.#idle === undefined) return;
    clearTimeout(this.#idle.timer);
    this.#drop(this.#idle.agent);
    this.#idle = undefined;
  }

  #keep(agent: AgentProcess, command: string): void {
    if (this.#idle !== undefined || agent.sessions >= MAX_SESSIONS || !agent.running) return this.#drop(agent);
    this.#idle = { agent, command, timer: setTimeout(() => this.#letGo(), RETENTION_MS).unref() };
  }

  #drop(agent: AgentProcess): void {
    this.#running.delete(agent);
    agent.kill("it is no longer needed");
  }
}
