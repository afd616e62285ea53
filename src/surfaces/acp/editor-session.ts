import type {
  AgentContext,
  ClientCapabilities,
  ContentBlock,
  PromptResponse,
  SessionConfigOption,
  SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import type { App } from "../../contract/services/app.ts";
import type { AgentEvent, Recorded } from "../../contract/conversation/fact.ts";
import { goalNote } from "../../contract/conversation/goal-state.ts";
import { isObject } from "../../contract/common/is-object.ts";
import { ChangingSession } from "../shared/conversation/changing-session.ts";
import { busyModeOf } from "../shared/conversation/busy-mode.ts";
import { asTyped } from "../shared/process/called-as.ts";
import { coreCommands, pluginCommands } from "../shared/commands/core-commands.ts";
import { isSlashCommand } from "../shared/commands/run-slash-command.ts";
import { RunningCommands } from "../shared/commands/running-commands.ts";
import type { SlashHost } from "../shared/commands/slash-host.ts";
import { displayOf } from "../shared/display/display.ts";
import { sessionCost } from "../shared/costs/session-cost.ts";
import { sessionName } from "../shared/conversation/session-name.ts";
import { EditorPrompter } from "./editor-prompter.ts";
import { fence, onlyWords, promptParts } from "./prompt-parts.ts";
import { modelsOf, modesOf, optionsOf, type ModeId, type SessionSettings } from "./session-settings.ts";
import { SessionUpdates } from "./session-updates.ts";
import { ShownCalls } from "./shown-calls.ts";
import { turnAnswer } from "./turn-answer.ts";

/** Name of the surface, which selects the toolset (`hermes-acp`) and the settings. */
export const SURFACE = "acp";

const INTERRUPTED_HINT = "/continue resumes it; any other message drops it.";

export interface EditorPorts {
  readonly app: App;
  readonly signal: AbortSignal;
  client(): AgentContext;
  /** The editor's capabilities. */
  readonly capabilities: ClientCapabilities;
  /** Models that can be selected, as far as their services have listed them. */
  models(): readonly string[];
}

/** One conversation open in the editor: receives prompts and sends updates. */
export class EditorSession {
  readonly id: string;
  readonly #ports: EditorPorts;
  readonly #open: ChangingSession;
  readonly #updates: SessionUpdates;
  readonly #commands = new RunningCommands();
  readonly #host: SlashHost;
  /** The model of the newest request. */
  #model = "";
  /** Whether the editor has received a title. */
  #named: boolean;
  /** Number of running prompts; their responses report how the turns end. */
  #prompting = 0;
  #cancels = 0;

  static async open(
    ports: EditorPorts,
    at: { readonly cwd: string; readonly sessionId?: string },
  ): Promise<EditorSession> {
    const { app, client, capabilities } = ports;
    const { provider, model } = await app.models.current();
    const calls = new ShownCalls(app, at.cwd);
    let id = at.sessionId ?? "";
    const prompter = new EditorPrompter({
      cwd: at.cwd,
      client,
      calls,
      sessionId: () => id,
      forms: () => isObject(capabilities.elicitation?.form),
    });
    const opening = { surface: SURFACE, attended: true, prompter };
    const session = await app.openSession({ ...opening, ...at });
    id = session.id;
    return new EditorSession(
      ports,
      calls,
      (receive) => new ChangingSession(app, opening, session, `${provider}:${model}`, receive),
    );
  }

  private constructor(
    ports: EditorPorts,
    calls: ShownCalls,
    changing: (receive: (event: AgentEvent) => void) => ChangingSession,
  ) {
    const { app, signal } = ports;
    this.#ports = ports;
    this.#open = changing((event) => this.#receive(event));
    const { session } = this.#open;
    this.id = session.id;
    this.#updates = new SessionUpdates({ cwd: session.cwd, calls, display: () => displayOf(app.config, SURFACE) });
    this.#named = session.view().title !== undefined;
    this.#host = {
      app,
      surface: SURFACE,
      signal,
      // The user of an editor on this machine is the owner.
      terminal: true,
      session: () => this.#open.session,
      useModel: ({ provider, model }) => this.setModel(`${provider}:${model}`),
      carryOn: async () => (await this.#open.current()).resume(),
      yolo: { get: () => this.#open.yolo, set: (on) => this.setMode(on ? "yolo" : "default") },
      background: {
        opening: () => this.#open.opening,
        announce: async (end) => this.#say(`\n\n${(await import("../shared/commands/agents.ts")).backgroundText(end)}`),
      },
      notify: (text) => this.#say(`${fence(text)}\n`),
      titled: (title) => this.#report({ sessionUpdate: "session_info_update", title }),
    };
  }

  get cwd(): string {
    return this.#open.session.cwd;
  }

  /** The response of `session/new` and similar methods, without the id. */
  state() {
    return { modes: modesOf(this.#settings), configOptions: this.options(), models: modelsOf(this.#settings) };
  }

  options(): SessionConfigOption[] {
    return optionsOf(this.#settings);
  }

  setMode(mode: ModeId): void {
    if (!this.#open.setYolo(mode === "yolo")) return;
    this.#report({ sessionUpdate: "current_mode_update", currentModeId: mode });
    this.reportOptions();
  }

  /** @param model `provider:model` of a configured provider. */
  setModel(model: string): void {
    if (this.#open.setModel(model)) this.reportOptions();
  }

  reportOptions(): void {
    this.#report({ sessionUpdate: "config_option_update", configOptions: this.options() });
  }

  /** @throws {UserError} @throws {RequestError} */
  async prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
    const { app } = this.#ports;
    const parts = promptParts(blocks, this.cwd);
    const words = onlyWords(parts);
    if (words?.trim() === "") return { stopReason: "end_turn" };
    for (const { level, text } of await app.config.refresh()) app.log[level](text);
    const session = await this.#open.current();
    if (words !== undefined && isSlashCommand(words.trim())) return this.#command(words.trim());
    // A message never interrupts: editors have a stop button.
    this.#prompting++;
    const end = await session
      .send(words ?? parts, { mode: busyModeOf(app, SURFACE) === "steer" ? "steer" : "queue" })
      .finally(() => this.#prompting--);
    await this.#reportName();
    return turnAnswer(end);
  }

  /** Stops the running turn and withdraws its questions. */
  async cancel(): Promise<void> {
    this.#cancels++;
    this.#commands.stop();
    await this.#open.session.interrupt("stopped in the editor");
  }

  /** Sends the editor the conversation from its beginning. */
  async replay(): Promise<void> {
    if (this.#open.session.view().entries.length === 0) return; // The session is not stored yet.
    const facts: Recorded[] = [];
    for await (const recorded of this.#ports.app.sessions.facts(this.id)) {
      const { fact } = recorded;
      const taken = fact.type === "turns.undone" ? facts.findIndex(({ seq }) => seq >= fact.from) : -1;
      if (taken >= 0) facts.splice(taken);
      facts.push(recorded);
    }
    for (const { fact } of facts) this.#reportAll(this.#updates.onFact(fact, true));
  }

  /** Sends the available commands and the notices for the user. */
  greet(notes: readonly string[]): void {
    const commands = [...coreCommands(this.#host), ...pluginCommands(this.#host)];
    this.#report({
      sessionUpdate: "available_commands_update",
      availableCommands: commands.map(({ name, description, argsHint = "" }) => ({
        name,
        description,
        input: argsHint === "" ? undefined : { hint: argsHint },
      })),
    });
    const interrupted = this.#open.session.interrupted();
    for (const note of [...notes, ...interrupted, ...(interrupted.length === 0 ? [] : [INTERRUPTED_HINT])])
      this.#say(`${note}\n\n`);
    void this.#reportLeft().catch((cause: unknown) =>
      this.#ports.app.log.warning("Cannot report background sessions of an earlier process.", { cause }),
    );
  }

  /** Reports background sessions whose process was killed; each is reported once. */
  async #reportLeft(): Promise<void> {
    const { agents } = this.#ports.app;
    const left = await agents.left(SURFACE);
    if (left.length === 0) return;
    const { endedText } = await import("../shared/commands/agents.ts");
    for (const one of left) {
      this.#say(`${endedText(one, asTyped(`hermes --resume ${one.id}`))}\n\n`);
      await agents.forget(one.id);
    }
  }

  async close(reason: "session_boundary" | "shutdown"): Promise<void> {
    this.#commands.stop();
    await this.#open.close(reason);
  }

  get #settings(): SessionSettings {
    return { mode: this.#open.yolo ? "yolo" : "default", model: this.#open.model, models: this.#ports.models() };
  }

  async #command(line: string): Promise<PromptResponse> {
    const cancels = this.#cancels;
    const { text } = await this.#commands.run(line, this.#host);
    if (text !== "") this.#say(text.trimEnd().includes("\n") ? fence(text) : text);
    return { stopReason: cancels === this.#cancels ? "end_turn" : "cancelled" };
  }

  #receive(event: AgentEvent): void {
    if (event.kind === "live") return this.#reportAll(this.#updates.onLive(event.live));
    const { fact } = event.recorded;
    this.#reportAll(this.#updates.onFact(fact));
    const note = goalNote(fact);
    if (note !== undefined) this.#say(`\n\n${note}\n\n`);
    // No response reports a turn that a command or a process started.
    if (fact.type === "turn.ended" && fact.reason === "failed" && this.#prompting === 0)
      this.#say(asTyped(fact.detail ?? "The turn failed."));
    if (fact.type === "model.asked") this.#model = fact.model;
    if (fact.type === "model.answered") void this.#reportUsage(fact.usage.inputTokens + fact.usage.outputTokens);
  }

  async #reportUsage(used: number): Promise<void> {
    const size = await this.#ports.app.models.contextTokens(this.#model).catch(() => undefined); // Without the figure, show nothing.
    const { session } = this.#open;
    const { costUsd } = await sessionCost(this.#ports.app, session.id, () => session.view());
    if (size !== undefined)
      this.#report({
        sessionUpdate: "usage_update",
        used,
        size,
        cost: costUsd === 0 ? undefined : { amount: costUsd, currency: "USD" },
      });
  }

  /** Sends the title, which exists after the first message. */
  async #reportName(): Promise<void> {
    if (this.#named) return;
    const found = await this.#ports.app.sessions.find(this.id).catch(() => undefined); // A missing title is no failure.
    this.#named = found !== undefined;
    if (found !== undefined)
      this.#report({
        sessionUpdate: "session_info_update",
        title: sessionName(found),
        updatedAt: new Date(found.lastAt).toISOString(),
      });
  }

  #say(text: string): void {
    this.#report({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  #reportAll(updates: readonly SessionUpdate[]): void {
    for (const update of updates) this.#report(update);
  }

  #report(update: SessionUpdate): void {
    this.#ports
      .client()
      .notify("session/update", { sessionId: this.id, update })
      .catch(() => {}); // The editor disconnected; the server ends too.
  }
}
