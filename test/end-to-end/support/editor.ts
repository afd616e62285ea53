import type { ChildProcess } from "node:child_process";
import { Readable, Writable } from "node:stream";
import {
  client,
  ndJsonStream,
  PROTOCOL_VERSION,
  type ClientCapabilities,
  type ClientContext,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import type { NewUser } from "./test-user.ts";

export type PermissionAnswer = (asked: RequestPermissionRequest) => Promise<string | undefined> | string | undefined;

/** An editor that a script drives: it starts `hermes acp`, and records the messages it receives. */
export class Editor implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly agent: ClientContext;
  readonly updates: SessionUpdate[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  /** The option that its user picks; `undefined` closes the dialog. */
  answer: PermissionAnswer = () => undefined;
  /** The user's input for a form; `undefined` closes it. */
  write: (message: string) => string | undefined = () => undefined;
  readonly #closed: () => void;
  #notes = "";
  readonly #waiting = new Set<() => void>();

  /** @param env In addition to the user's environment. */
  constructor(user: NewUser, env: { readonly [name: string]: string } = {}) {
    this.process = user.start(["acp"], "open", undefined, env);
    this.process.stderr?.on("data", (text: Buffer) => (this.#notes += text.toString()));
    const connection = client({ name: "scripted editor" })
      .onNotification("session/update", ({ params: { update } }) => {
        this.updates.push(update);
        for (const look of this.#waiting) look();
      })
      .onRequest("session/request_permission", async ({ params }): Promise<RequestPermissionResponse> => {
        this.asked.push(params);
        const optionId = await this.answer(params);
        return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
      })
      .onRequest("elicitation/create", ({ params: { message } }) => {
        const answer = this.write(message);
        return answer === undefined ? { action: "cancel" } : { action: "accept", content: { answer } };
      })
      .connect(
        ndJsonStream(
          Writable.toWeb(this.process.stdin!) as WritableStream<Uint8Array>,
          Readable.toWeb(this.process.stdout!) as ReadableStream<Uint8Array>,
        ),
      );
    this.agent = connection.agent;
    this.#closed = () => connection.close();
  }

  /** The agent's stderr. */
  get notes(): string {
    return this.#notes;
  }

  initialize(clientCapabilities: ClientCapabilities = {}) {
    return this.agent.request("initialize", { protocolVersion: PROTOCOL_VERSION, clientCapabilities });
  }

  /** A new session in that folder, for an editor that has just started. */
  async begin(cwd: string, clientCapabilities: ClientCapabilities = {}): Promise<string> {
    await this.initialize(clientCapabilities);
    return (await this.agent.request("session/new", { cwd, mcpServers: [] })).sessionId;
  }

  prompt(sessionId: string, text: string) {
    return this.agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  /** The updates of one kind. */
  of<Kind extends SessionUpdate["sessionUpdate"]>(
    kind: Kind,
  ): readonly Extract<SessionUpdate, { readonly sessionUpdate: Kind }>[] {
    return this.updates.filter(
      (update): update is Extract<SessionUpdate, { readonly sessionUpdate: Kind }> => update.sessionUpdate === kind,
    );
  }

  /** The text of one kind of update, joined. */
  textOf(kind: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk"): string {
    return this.of(kind)
      .map(({ content }) => (content.type === "text" ? content.text : `<${content.type}>`))
      .join("");
  }

  /** Waits for an update, past or future, for which this is true. */
  async until(found: (update: SessionUpdate) => boolean): Promise<void> {
    const came = Promise.withResolvers<void>();
    const look = (): void => void (this.updates.some(found) && came.resolve());
    this.#waiting.add(look);
    look();
    await came.promise;
    this.#waiting.delete(look);
  }

  /** Closes the agent's stdin, as a closing editor does. @returns the agent's exit status. */
  async leave(): Promise<number | null> {
    const ended = this.#ended();
    this.process.stdin?.end();
    return ended;
  }

  async kill(): Promise<void> {
    const ended = this.#ended();
    this.process.kill("SIGKILL");
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.kill();
    this.#closed();
  }

  #ended(): Promise<number | null> {
    return new Promise((resolve) => this.process.once("exit", (status) => resolve(status)));
  }
}
