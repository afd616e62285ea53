import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import {
  agent,
  PROTOCOL_VERSION,
  type AgentApp,
  type AgentContext,
  type ClientCapabilities,
  type InitializeRequest,
  type InitializeResponse,
  type McpServer,
  type SetSessionConfigOptionRequest,
} from "@agentclientprotocol/sdk/unstable";
import type { App } from "../../contract/services/app.ts";
import { isObject } from "../../contract/common/is-object.ts";
import { modelChoices } from "../shared/conversation/model-choices.ts";
import { readyModel } from "../shared/conversation/named-model.ts";
import { EditorSession, SURFACE } from "./editor-session.ts";
import { badRequest, noSession, requestFailure } from "./request-failure.ts";
import { serversUnused } from "./servers-unused.ts";
import { sessionPage } from "./session-page.ts";
import { CHOICES, modeOf } from "./session-settings.ts";
import { signIn, signInWays } from "./sign-in-methods.ts";

interface Opening {
  readonly cwd: string;
  readonly mcpServers?: readonly McpServer[];
}

/** Implements the protocol methods that an editor calls; sessions do the work. */
export class EditorServer {
  readonly #app: App;
  readonly #signal: AbortSignal;
  readonly #sessions = new Map<string, EditorSession>();
  #client: AgentContext | undefined;
  #capabilities: ClientCapabilities = {};
  #models: readonly string[] = [];
  #modelsAsked = false;

  constructor(app: App, signal: AbortSignal) {
    this.#app = app;
    this.#signal = signal;
  }

  /** The supported methods; `initialize` announces exactly these. */
  protocol(): AgentApp {
    const app = this.#app;
    const message =
      <Params, Result>(answer: (params: Params) => Promise<Result>) =>
      async ({ params }: { readonly params: Params }): Promise<Result> => {
        try {
          return await answer(params);
        } catch (cause) {
          throw requestFailure(cause, app);
        }
      };
    return agent({ name: "hermes-agent" })
      .onConnect(({ client }) => void (this.#client = client))
      .onRequest(
        "initialize",
        message((request) => this.#initialize(request)),
      )
      .onRequest(
        "authenticate",
        message(async ({ methodId }) => signIn(app, methodId)),
      )
      .onRequest(
        "session/new",
        message((request) => this.#new(request)),
      )
      .onRequest(
        "session/load",
        message((request) => this.#load(request)),
      )
      .onRequest(
        "session/resume",
        message(async (request) => this.#greeted(await this.#stored(request.sessionId, request), request).state()),
      )
      .onRequest(
        "session/fork",
        message((request) => this.#fork(request)),
      )
      .onRequest(
        "session/list",
        message((request) => sessionPage(app, SURFACE, request)),
      )
      .onRequest(
        "session/close",
        message(async ({ sessionId }) => this.#close(this.#open(sessionId))),
      )
      .onRequest(
        "session/delete",
        message((request) => this.#delete(request)),
      )
      .onRequest(
        "session/status",
        message(async ({ sessionId }) => ({
          status: this.#sessions.has(sessionId) ? "open" : (await this.#mustBeStored(sessionId), "saved"),
        })),
      )
      .onRequest(
        "session/set_title",
        message((request) => this.#title(request)),
      )
      .onRequest(
        "session/set_mode",
        message(async ({ sessionId, modeId }) => (this.#open(sessionId).setMode(modeOf(modeId)), {})),
      )
      .onRequest(
        "session/set_config_option",
        message((request) => this.#setOption(request)),
      )
      .onRequest(
        "session/set_model",
        modelSelection,
        message(async ({ sessionId, modelId }) => (await this.#setModel(this.#open(sessionId), modelId), {})),
      )
      .onRequest(
        "session/prompt",
        message(async ({ sessionId, prompt }) => this.#open(sessionId).prompt(prompt)),
      )
      .onNotification("session/cancel", ({ params: { sessionId } }) => this.#sessions.get(sessionId)?.cancel());
  }

  /** Ends every session and its running turn. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#sessions.values()].map((session) => session.close("shutdown")));
    this.#sessions.clear();
  }

  async #initialize({ clientCapabilities = {} }: InitializeRequest): Promise<InitializeResponse> {
    this.#capabilities = clientCapabilities;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "hermes-agent", title: "Hermes", version: this.#app.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, fork: {}, status: {}, title: {} },
      },
      authMethods: await signInWays(this.#app, clientCapabilities),
    };
  }

  async #new(request: Opening) {
    const session = await this.#opened({ cwd: folderOf(request.cwd) });
    return { sessionId: session.id, ...this.#greeted(session, request).state() };
  }

  async #load(request: Opening & { readonly sessionId: string }) {
    const session = await this.#stored(request.sessionId, request);
    await session.replay();
    return this.#greeted(session, request).state();
  }

  async #fork(request: Opening & { readonly sessionId: string }) {
    const cwd = folderOf(request.cwd);
    const stored = await this.#summary(request.sessionId);
    if (stored === undefined) this.#open(request.sessionId); // The session has no messages yet, or does not exist.
    const copy = stored === undefined ? undefined : await this.#app.sessions.branch(stored.id, undefined, cwd);
    const session = await this.#opened({ cwd, sessionId: copy?.id });
    return { sessionId: session.id, ...this.#greeted(session, request).state() };
  }

  async #delete({ sessionId }: { readonly sessionId: string }): Promise<void> {
    const session = this.#sessions.get(sessionId);
    const stored = await this.#summary(sessionId);
    if (session === undefined && stored === undefined) throw noSession(sessionId);
    if (session !== undefined) await this.#close(session);
    if (stored !== undefined) await this.#app.sessions.remove(sessionId);
  }

  async #title({
    sessionId,
    title,
  }: {
    readonly sessionId: string;
    readonly title: string;
  }): Promise<{ readonly title: string }> {
    await this.#mustBeStored(sessionId);
    await this.#app.sessions.rename(sessionId, title);
    return { title: (await this.#app.sessions.find(sessionId)).title ?? title };
  }

  async #setOption(request: SetSessionConfigOptionRequest) {
    const session = this.#open(request.sessionId);
    if (request.configId === CHOICES.mode) session.setMode(modeOf(request.value));
    else if (request.configId === CHOICES.model) await this.#setModel(session, String(request.value));
    else
      throw badRequest(
        `Unknown option "${request.configId}". The options are ${Object.values(CHOICES).join(" and ")}.`,
      );
    return { configOptions: session.options() };
  }

  async #setModel(session: EditorSession, name: string): Promise<void> {
    const { provider, model } = await readyModel(this.#app, name, await this.#app.models.current());
    session.setModel(`${provider}:${model}`);
  }

  #open(id: string): EditorSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw noSession(id);
    return session;
  }

  /** An open session, or one from the store; it continues in its own folder. */
  async #stored(id: string, { cwd }: Opening): Promise<EditorSession> {
    folderOf(cwd);
    return this.#sessions.get(id) ?? this.#opened({ sessionId: id, cwd: (await this.#mustBeStored(id)).cwd });
  }

  async #opened(at: { readonly cwd: string; readonly sessionId?: string }): Promise<EditorSession> {
    const session = await EditorSession.open(
      {
        app: this.#app,
        signal: this.#signal,
        client: () => this.#client!,
        capabilities: this.#capabilities,
        models: () => this.#models,
      },
      at,
    );
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Sends notices after the response, because the editor must know the session id first. */
  #greeted(session: EditorSession, { cwd, mcpServers }: Opening): EditorSession {
    const notes = [
      ...serversUnused(mcpServers),
      ...(resolve(cwd) === session.cwd ? [] : [`This conversation continues in ${session.cwd}, where it started.`]),
    ];
    for (const note of notes) this.#app.log.warning(note);
    setImmediate(() => {
      session.greet(notes);
      void this.#listModels();
    });
    return session;
  }

  /** Loads the models once for all sessions, without delaying them. */
  async #listModels(): Promise<void> {
    if (this.#modelsAsked) return;
    this.#modelsAsked = true;
    try {
      this.#models = (await modelChoices(this.#app, this.#signal)).map(({ provider, model }) => `${provider}:${model}`);
      for (const session of this.#sessions.values()) session.reportOptions();
    } catch (cause) {
      this.#app.log.warning("Cannot list models for the editor.", { cause });
    }
  }

  async #close(session: EditorSession): Promise<void> {
    this.#sessions.delete(session.id);
    await session.close("session_boundary");
  }

  /** Finds a session by its full id only. */
  async #summary(id: string) {
    const found = await this.#app.sessions.find(id).catch(() => undefined); // Unknown, or an ambiguous prefix.
    return found?.id === id ? found : undefined;
  }

  async #mustBeStored(id: string) {
    const stored = await this.#summary(id);
    if (stored === undefined) throw noSession(id);
    return stored;
  }
}

/** @throws {RequestError} if it is not a folder of this machine. */
function folderOf(cwd: string): string {
  if (!isAbsolute(cwd)) throw badRequest(`The session's folder must be an absolute path, not "${cwd}".`);
  const folder = resolve(cwd);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw badRequest(`"${folder}" is not a folder of this machine.`);
  return folder;
}

/** Parameters of `session/set_model`, which the current protocol library no longer has. */
function modelSelection(params: unknown): { readonly sessionId: string; readonly modelId: string } {
  if (isObject(params) && typeof params["sessionId"] === "string" && typeof params["modelId"] === "string")
    return { sessionId: params["sessionId"], modelId: params["modelId"] };
  throw badRequest("session/set_model needs sessionId and modelId.");
}
