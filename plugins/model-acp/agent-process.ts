import {
  PROTOCOL_VERSION,
  RequestError,
  type AgentRequestMethod,
  type AgentRequestParamsByMethod,
  type AgentRequestResponsesByMethod,
  type ClientConnection,
  type ContentBlock,
  type InitializeResponse,
  type NewSessionResponse,
  type PromptResponse,
} from "@agentclientprotocol/sdk";
import { isObject, type JsonObject, type Logger } from "hermes-agent/plugin";
import { LineProgram, plainEnvironment } from "hermes-agent/terminal";
import { AgentFailure, cancelled, ended, refused } from "./agent-failure.ts";
import { AgentStream } from "./agent-stream.ts";
import type { AgentService } from "./copilot.ts";
import type { AgentProgram } from "./program-of.ts";
import { refusals } from "./refusals.ts";

export interface AgentPorts {
  readonly service: AgentService;
  readonly program: AgentProgram;
  /** Working folder of the agent: an empty folder. */
  readonly folder: string;
  readonly log: Logger;
}

/**
 * One running agent. It handles one request at a time; every method rejects with an {@link AgentFailure}, and then the
 * agent ends.
 */
export class AgentProcess {
  readonly #ports: AgentPorts;
  readonly #program: LineProgram;
  readonly #connection: ClientConnection;
  #initialized: InitializeResponse | undefined;
  #onUpdate: ((update: JsonObject) => void) | undefined;
  #noise: string | undefined;
  /** Number of sessions opened; the agent may keep all of them. */
  sessions = 0;

  constructor(ports: AgentPorts) {
    this.#ports = ports;
    const { service, program, folder, log } = ports;
    const stream = new AgentStream({
      send: (line) => this.#program.send(line),
      update: (params) => this.#onUpdate?.(params),
      babbles: (line) => {
        this.#noise ??= line.slice(0, 200);
        this.kill("it does not use the Agent Client Protocol");
      },
    });
    this.#program = new LineProgram({
      ...program,
      cwd: folder,
      env: agentEnvironment(service),
      line: (line) => stream.take(line),
      printed: () => {},
      ended: () => stream.end(),
    });
    this.#connection = refusals(service.label, log).connect(stream.stream);
  }

  get running(): boolean {
    return this.#program.end === undefined;
  }

  /** Whether the agent has started and agreed on the protocol. */
  get ready(): boolean {
    return this.#initialized !== undefined;
  }

  get takesImages(): boolean {
    return this.#initialized?.agentCapabilities?.promptCapabilities?.image === true;
  }

  /** Starts the agent and negotiates the protocol version. */
  async start(signal: AbortSignal, limitMs: number): Promise<void> {
    this.#initialized = await this.#within(signal, limitMs, async () => {
      await this.#program.start();
      return this.#ask("initialize", {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        clientInfo: { name: "hermes-agent", title: "Hermes", version: "1" },
      });
    });
    const { protocolVersion } = this.#initialized;
    if (protocolVersion === PROTOCOL_VERSION) return;
    this.kill("it uses another protocol version");
    throw new AgentFailure(
      "bad_response",
      `${this.#ports.service.label} uses version ${protocolVersion} of the Agent Client Protocol; Hermes supports version ${PROTOCOL_VERSION}.`,
    );
  }

  async openSession(signal: AbortSignal, limitMs: number): Promise<NewSessionResponse> {
    this.sessions += 1;
    return this.#within(signal, limitMs, () => this.#ask("session/new", { cwd: this.#ports.folder, mcpServers: [] }));
  }

  async choose(
    sessionId: string,
    configId: string,
    value: string,
    signal: AbortSignal,
    limitMs: number,
  ): Promise<void> {
    await this.#within(signal, limitMs, () => this.#ask("session/set_config_option", { sessionId, configId, value }));
  }

  /** @param onUpdate Receives the updates of that session. */
  async prompt(
    sessionId: string,
    prompt: ContentBlock[],
    onUpdate: (update: JsonObject) => void,
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    this.#onUpdate = ({ sessionId: about, update }) =>
      void (about === sessionId && update !== undefined && onUpdate(update as JsonObject));
    try {
      return await this.#within(signal, undefined, () => this.#ask("session/prompt", { sessionId, prompt }));
    } finally {
      this.#onUpdate = undefined;
    }
  }

  close(): Promise<void> {
    return this.#program.close();
  }

  kill(reason: string): void {
    this.#program.kill(reason);
  }

  async #ask<Method extends AgentRequestMethod>(
    method: Method,
    params: AgentRequestParamsByMethod[Method],
  ): Promise<AgentRequestResponsesByMethod[Method]> {
    const answer = await this.#connection.agent.request(method, params);
    if (isObject(answer)) return answer;
    this.kill("it sent an invalid response");
    throw new AgentFailure("bad_response", `${this.#ports.service.label} sent an invalid response to ${method}.`, true);
  }

  /** Ends the agent when the request is cancelled or times out. @param limitMs Absent: no timeout here. */
  async #within<T>(signal: AbortSignal, limitMs: number | undefined, work: () => Promise<T>): Promise<T> {
    const { service } = this.#ports;
    if (signal.aborted) throw cancelled(service);
    const stop = (): void => this.kill("the request was cancelled");
    signal.addEventListener("abort", stop, { once: true });
    let late = false;
    const timer =
      limitMs === undefined ? undefined : setTimeout(() => ((late = true), this.kill("it did not answer")), limitMs);
    try {
      return await work();
    } catch (cause) {
      if (signal.aborted) throw cancelled(service);
      if (late)
        throw new AgentFailure(
          "timeout",
          `${service.label} (${this.#ports.program.command}) did not answer within ${Math.round(limitMs! / 1000)} s.`,
          true,
        );
      throw this.#failureOf(cause);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }

  #failureOf(cause: unknown): AgentFailure {
    const { service, program } = this.#ports;
    if (cause instanceof AgentFailure) return cause;
    if (this.#noise !== undefined)
      return new AgentFailure(
        "bad_response",
        `${service.label} (${[program.command, ...program.args].join(" ")}) does not use the Agent Client Protocol; it printed: ${JSON.stringify(this.#noise)}. Check ${service.commandEnv[0]} and ${service.argsEnv}.`,
      );
    if (this.#program.end !== undefined) return ended(service, this.#program.end, this.#initialized !== undefined);
    if (cause instanceof RequestError) return refused(service, cause);
    throw cause;
  }
}

/** The agent's environment: general variables, and those that locate its sign-in. Never a secret. */
function agentEnvironment({ passed }: AgentService): { readonly [name: string]: string } {
  const own = passed.flatMap((name): [string, string][] =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return { ...plainEnvironment(), ...Object.fromEntries(own) };
}
