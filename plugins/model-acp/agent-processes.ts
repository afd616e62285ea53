import type { NewSessionResponse } from "@agentclientprotocol/sdk";
import { randomHex } from "hermes-agent/terminal";
import type { ModelEvent, ModelRequest, ModelSettings, PluginContext } from "hermes-agent/plugin";
import { AgentAnswer } from "./agent-answer.ts";
import { AgentFailure, cancelled } from "./agent-failure.ts";
import { AgentPool } from "./agent-pool.ts";
import type { AgentProcess } from "./agent-process.ts";
import type { AgentService } from "./copilot.ts";
import { EventQueue } from "./event-queue.ts";
import { promptOf } from "./prompt.ts";
import { choiceOf } from "./session-choice.ts";

const CONNECT_MS = 30_000;

/**
 * Sends requests to a service's agent: each request is a new session with the whole conversation as its only prompt.
 */
export class AgentProcesses {
  readonly #service: AgentService;
  readonly #ctx: PluginContext;
  readonly #pool: AgentPool;
  /** Known only to Hermes and the agent: untrusted content cannot contain it. */
  readonly #key = randomHex(4);
  #warned = false;

  constructor(service: AgentService, ctx: PluginContext) {
    this.#service = service;
    this.#ctx = ctx;
    this.#pool = new AgentPool(service, ctx);
  }

  /** @see ModelClient */
  async *stream(settings: ModelSettings, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const events = new EventQueue<ModelEvent>();
    const stop = new AbortController();
    // A reader that leaves early aborts no signal, so stop the agent here.
    const either = AbortSignal.any([signal, stop.signal]);
    const asking = this.#ask(settings, request, events, either).then(
      () => events.end(),
      (cause: unknown) => {
        if (!(cause instanceof AgentFailure)) return events.end({ cause });
        events.push({ type: "end", kind: "failure", failure: cause.failure });
        events.end();
      },
    );
    try {
      yield* events;
    } finally {
      stop.abort();
      await asking;
    }
  }

  async listModels(settings: ModelSettings, signal: AbortSignal): Promise<readonly string[]> {
    this.#checkAddress(settings);
    const opened = await this.#pool.with(signal, CONNECT_MS, (agent) => agent.openSession(signal, CONNECT_MS));
    return [this.#service.ownModel, ...(choiceOf(opened, "model")?.values ?? [])];
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #ask(
    settings: ModelSettings,
    request: ModelRequest,
    events: EventQueue<ModelEvent>,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) throw cancelled(this.#service);
    this.#checkAddress(settings);
    const limitMs = request.connectMs ?? CONNECT_MS;
    await this.#pool.with(signal, limitMs, async (agent) => {
      const opened = await agent.openSession(signal, limitMs);
      await this.#choose(agent, opened, request, signal, limitMs);
      const prompt = promptOf(request, this.#key, agent.takesImages);
      const answer = new AgentAnswer(this.#key);
      const response = await agent.prompt(
        opened.sessionId,
        prompt,
        (update) => events.push(...answer.take(update)),
        signal,
      );
      if (answer.used.length > 0)
        this.#ctx.log.warning(`${this.#service.label} used its own tools: ${answer.used.join(", ")}`);
      const chars = prompt.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
      events.push(...answer.end(response, this.#service, chars));
    });
  }

  /** Sets the model and the thinking level, if the agent offers a choice. */
  async #choose(
    agent: AgentProcess,
    opened: NewSessionResponse,
    { model, reasoningEffort }: ModelRequest,
    signal: AbortSignal,
    limitMs: number,
  ): Promise<void> {
    const { label, ownModel, argsEnv, args } = this.#service;
    const models = choiceOf(opened, "model");
    if (model !== ownModel && models === undefined) {
      if (!this.#warned)
        this.#ctx.log.warning(
          `${label} does not offer a choice of models, so it answers with its own model instead of "${model}". If the program has an option for it, set ${argsEnv}="${args.join(" ")} --model ${model}".`,
        );
      this.#warned = true;
    } else if (model !== ownModel && models !== undefined) {
      if (!models.values.includes(model))
        throw new AgentFailure(
          "model_not_found",
          `${label} has no model "${model}". Available: ${models.values.join(", ")}; "${ownModel}" lets the agent choose.`,
        );
      if (models.current !== model) await agent.choose(opened.sessionId, models.configId, model, signal, limitMs);
    }
    const levels = choiceOf(opened, "thought_level");
    if (
      reasoningEffort !== undefined &&
      levels?.values.includes(reasoningEffort) === true &&
      levels.current !== reasoningEffort
    )
      await agent.choose(opened.sessionId, levels.configId, reasoningEffort, signal, limitMs);
  }

  #checkAddress({ baseUrl }: ModelSettings): void {
    const address = baseUrl ?? this.#ctx.env(this.#service.baseUrlEnv) ?? this.#service.baseUrl;
    if (!address.startsWith("acp://"))
      throw new AgentFailure(
        "bad_request",
        `${this.#service.label} is a local program, so its address must start with acp://, not ${address}. Check ${this.#service.baseUrlEnv} and model.base_url.`,
      );
  }
}
