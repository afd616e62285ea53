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
  /** Where it starts: a folder that holds nothing. */
  readonly folder: string;
  readonly log: Logger;
}

/** One agent that runs. It is asked one thing at a time; every method rejects with an {@link AgentFailure}, and then it has ended or soon will. */
export class AgentProcess {
  readonly #ports: AgentPorts;
  readonly #program: LineProgram;
  readonly #connection: ClientConnection;
  #initialized: InitializeResponse | undefined;
  #told: ((update: JsonObject) => void) | undefined;
  #noise: string | undefined;
  /** Sessions it has been asked for; it may keep all of them. */
  sessions = 0;

  constructor(ports: AgentPorts) {
    this.#ports = ports;
    const { service, program, folder, log } = ports;
    const stream = new AgentStream({
      send: (line) => this.#program.send(line),
      update: (params) => this.#told?.(params),
      babbles: (line) => {
        this.#noise ??= line.slice(0, 200);
        this.kill("it does not speak the Agent Client Protocol");
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

  /** It has been started and has agreed. */
  get ready(): boolean {
    return this.#initialized !== undefined;
  }

  get takesImages(): boolean {
    return this.#initialized?.agentCapabilities?.promptCapabilities?.image === true;
  }

  /** Starts it and agrees on the protocol. */
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
    this.kill("it speaks another version");
    throw new AgentFailure(
      "bad_response",
      `${this.#ports.service.label} speaks version ${protocolVersion} of the Agent Client Protocol, and this is version ${PROTOCOL_VERSION}.`,
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

  /** @param told What the agent says in that session meanwhile. */
  async prompt(
    sessionId: string,
    prompt: ContentBlock[],
    message: (update: JsonObject) => void,
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    this.#told = ({ sessionId: about, update }) =>
      void (about === sessionId && update !== undefined && message(update as JsonObject));
    try {
      return await this.#within(signal, undefined, () => this.#ask("session/prompt", { sessionId, prompt }));
    } finally {
      this.#told = undefined;
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
    this.kill("it cannot be understood");
    throw new AgentFailure(
      "bad_response",
      `${this.#ports.service.label} answered ${method} with what is no answer.`,
      true,
    );
  }

  /** Ends the agent when nobody wants its answer any more, or it comes too late. @param limitMs Absent: somebody else watches. */
  async #within<T>(signal: AbortSignal, limitMs: number | undefined, work: () => Promise<T>): Promise<T> {
    const { service } = this.#ports;
    if (signal.aborted) throw cancelled(service);
    const stop = (): void => this.kill("nobody wants its answer any more");
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
        `${service.label} (${[program.command, ...program.args].join(" ")}) does not speak the Agent Client Protocol; it wrote: ${JSON.stringify(this.#noise)}. Look at ${service.commandEnv[0]} and ${service.argsEnv}.`,
      );
    if (this.#program.end !== undefined) return ended(service, this.#program.end, this.#initialized !== undefined);
    if (cause instanceof RequestError) return refused(service, cause);
    throw cause;
  }
}

/** What an agent sees of our environment: what any program needs, and what leads to its own sign-in. Never a secret. */
function agentEnvironment({ passed }: AgentService): { readonly [name: string]: string } {
  const own = passed.flatMap((name): [string, string][] =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return { ...plainEnvironment(), ...Object.fromEntries(own) };
}
