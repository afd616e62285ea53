import { randomUUID } from "node:crypto";
import { OutcomeUnknown, ToolFailure, type UntrustedSource, type GuardedSocket } from "hermes-agent/plugin";
import { ANSWER, BOT, CONNECTION, FRAME, KICKED_OUT, PUSH, RESPONSE, SIGNED_IN, SIGN_IN } from "./messages.ts";
import { readMessage, writeMessage, type Given, type Table, type Values } from "./protobuf.ts";
import { INSTANCE, type Token, type YuanbaoPorts } from "./sign-token.ts";

/** One request on a connection, and how to parse its response. */
export interface Request<Sent extends Table, Received extends Table> {
  readonly command: string;
  readonly request: Sent;
  readonly response: Received;
  readonly values: Given<Sent>;
  /** Absent: a generated one. */
  readonly id?: string;
  /** Whether it changes something; then a missing response means an unknown outcome. */
  readonly changes: boolean;
}

/** The provenance of the service's error messages. */
export const FROM: UntrustedSource = { source: "Yuanbao", host: "yuanbao.tencent.com" };

const ADDRESS = "wss://bot-wss.yuanbao.tencent.com/wss/connection";
const OPEN_MS = 15_000;
const SIGN_IN_MS = 10_000;
const ANSWER_MS = 30_000;
const HEARTBEAT_MS = 5_000;
const MAX_MISSED = 2;
/** The token is no longer valid. */
const STALE = new Set([41_103, 41_104, 41_108]);
const SIGNED_IN_ALREADY = 41_101;

export class StaleToken extends ToolFailure {}

interface Waiting {
  readonly answer: (frame: Values<typeof FRAME>) => void;
  readonly fail: (cause: ToolFailure) => void;
}

/** A signed-in connection of the bot. The service allows one for each bot. */
export class Line {
  readonly token: Token;
  /** Why the connection ended. */
  #over: ToolFailure | undefined;
  readonly #socket: GuardedSocket;
  readonly #waiting = new Map<string, Waiting>();
  readonly #heart: NodeJS.Timeout;
  #sequence = 0;
  #missed = 0;

  private constructor(socket: GuardedSocket, token: Token) {
    this.#socket = socket;
    this.token = token;
    this.#heart = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    void this.#listen();
  }

  /**
   * @throws {ToolFailure} if the service does not answer or refuses the bot; {@link StaleToken} if a new token is
   * needed.
   */
  static async open(ports: YuanbaoPorts, token: Token, signal: AbortSignal): Promise<Line> {
    const line = new Line(
      await ports.socket(ports.env("YUANBAO_WS_URL") ?? ADDRESS, { timeoutMs: OPEN_MS, signal }),
      token,
    );
    try {
      await line.#signIn(ports);
      return line;
    } catch (cause) {
      line.close();
      throw cause;
    }
  }

  get over(): boolean {
    return this.#over !== undefined;
  }

  close(): void {
    this.#end(new ToolFailure("unreachable", "The connection to Yuanbao was closed."));
  }

  /** @throws {ToolFailure} if it is refused or cannot be sent; {@link OutcomeUnknown} if it may have been done. */
  async ask<Sent extends Table, Received extends Table & typeof ANSWER>(
    { command, request, response, values, id, changes }: Request<Sent, Received>,
    signal: AbortSignal,
  ): Promise<Values<Received>> {
    const frame = await this.#exchange(
      {
        command,
        module: BOT,
        id: id ?? randomUUID(),
        data: writeMessage(request, values),
        changes,
        timeoutMs: ANSWER_MS,
      },
      signal,
    );
    const answer = readMessage(response, frame.data);
    const { code, message } = readMessage(ANSWER, frame.data);
    if (frame.head.status !== 0 || code !== 0)
      throw refused(`Yuanbao refused ${command}`, code === 0 ? frame.head.status : code, message);
    return answer;
  }

  async #signIn({ env, version }: YuanbaoPorts): Promise<void> {
    const { bot, source, token } = this.token;
    const data = writeMessage(SIGN_IN, {
      business: "ybBot",
      account: { id: bot, source, token },
      device: { appVersion: version, system: process.platform, instance: INSTANCE, botVersion: version },
      environment: env("YUANBAO_ROUTE_ENV") ?? "",
    });
    const frame = await this.#exchange({
      command: "auth-bind",
      module: CONNECTION,
      id: randomUUID(),
      data,
      changes: false,
      timeoutMs: SIGN_IN_MS,
    });
    const { code, message, connection } = readMessage(SIGNED_IN, frame.data);
    if (code === SIGNED_IN_ALREADY) return;
    if (STALE.has(code)) throw new StaleToken("unavailable", `Yuanbao rejected the bot's token (${code}).`);
    if (code !== 0 || frame.head.status !== 0)
      throw refused("Yuanbao refused the bot's sign-in", code === 0 ? frame.head.status : code, message, "unavailable");
    if (connection === "")
      throw new ToolFailure("unreachable", "Yuanbao's response to the bot's sign-in has no connection.");
  }

  async #exchange(
    {
      command,
      module,
      id,
      data,
      changes,
      timeoutMs,
    }: {
      readonly command: string;
      readonly module: string;
      readonly id: string;
      readonly data: Uint8Array;
      readonly changes: boolean;
      readonly timeoutMs: number;
    },
    signal?: AbortSignal,
  ): Promise<Values<typeof FRAME>> {
    if (this.#over !== undefined) throw this.#over;
    const { promise, resolve, reject } = Promise.withResolvers<Values<typeof FRAME>>();
    const lost = (cause: ToolFailure): void =>
      reject(changes ? new OutcomeUnknown(`${cause.message} The outcome of ${command} is unknown.`, { cause }) : cause);
    this.#waiting.set(id, { answer: resolve, fail: lost });
    const timer = setTimeout(
      () => lost(new ToolFailure("timeout", `Yuanbao did not answer ${command} within ${timeoutMs / 1000} s.`)),
      timeoutMs,
    );
    const stop = (): void => reject(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      this.#send({ command, module, id }, data);
      if (signal?.aborted === true) stop();
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      this.#waiting.delete(id);
    }
  }

  #send(head: Given<(typeof FRAME)["head"][1]>, data: Uint8Array): void {
    this.#sequence += 1;
    this.#socket.send(writeMessage(FRAME, { head: { ...head, sequence: this.#sequence }, data }));
  }

  async #listen(): Promise<void> {
    try {
      for await (const message of this.#socket.messages)
        if (typeof message !== "string") this.#receive(readMessage(FRAME, message));
      this.#end(
        new ToolFailure(
          "unreachable",
          `Yuanbao closed the connection${this.#socket.closeReason === undefined ? "" : `: ${this.#socket.closeReason}`}.`,
          this.#socket.closeReason === undefined ? {} : { from: FROM },
        ),
      );
    } catch (cause) {
      const reason = this.#socket.closeReason;
      this.#end(
        new ToolFailure(
          "unreachable",
          `The connection to Yuanbao was lost: ${(cause as Error).message}${reason === undefined ? "" : ` Reason: ${reason}`}`,
          { cause, from: reason === undefined ? undefined : FROM },
        ),
      );
    }
  }

  /** Does not acknowledge incoming chat messages: the gateway answers them. */
  #receive({ head, data }: Values<typeof FRAME>): void {
    this.#missed = 0;
    if (head.kind === RESPONSE) return this.#waiting.get(head.id)?.answer({ head, data });
    if (head.kind !== PUSH || head.command !== "kickout") return;
    const { reason } = readMessage(KICKED_OUT, data);
    this.#end(
      new ToolFailure(
        "unreachable",
        `Yuanbao ended this connection because it allows one for each bot${reason === "" ? "." : `: ${reason}`}`,
        {
          hint: "Another process, such as another gateway, is signed in with the same bot.",
          from: reason === "" ? undefined : FROM,
        },
      ),
    );
  }

  #beat(): void {
    if (this.#over !== undefined) return;
    if (this.#missed >= MAX_MISSED) return this.#end(new ToolFailure("unreachable", "Yuanbao stopped answering."));
    this.#missed += 1;
    try {
      this.#send({ command: "ping", module: CONNECTION, id: randomUUID() }, new Uint8Array());
    } catch (cause) {
      this.#end(cause as ToolFailure);
    }
  }

  #end(cause: ToolFailure): void {
    if (this.#over !== undefined) return;
    this.#over = cause;
    clearInterval(this.#heart);
    this.#socket.close();
    for (const { fail } of this.#waiting.values()) fail(cause);
  }
}

function refused(what: string, code: number, message: string, kind = "refused"): ToolFailure {
  const words = message.replaceAll(/\s+/g, " ").slice(0, 300);
  return new ToolFailure(kind, `${what} (${code})${words === "" ? "." : `: ${words}`}`, {
    data: { yuanbao_code: code },
    from: words === "" ? undefined : FROM,
  });
}
