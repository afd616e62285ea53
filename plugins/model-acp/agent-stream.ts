import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { isObject, type JsonObject } from "hermes-agent/plugin";

export interface AgentStreamPorts {
  send(line: string): Promise<void>;
  /** Receives the session updates in order. */
  update(params: JsonObject): void;
  /** Called when the agent keeps printing lines that are not messages. */
  babbles(line: string): void;
}

/** Some agents print a greeting on stdout; more lines than this mean that it is another program. */
const MAX_NOISE = 8;

/**
 * The lines of an agent as a stream for the protocol's library. Session updates bypass the library, because it does not
 * preserve the order of updates and responses. So do messages for which it would print warnings in the user's terminal.
 */
export class AgentStream {
  readonly stream: Stream;
  readonly #ports: AgentStreamPorts;
  readonly #asked = new Set<unknown>();
  #incoming: ReadableStreamDefaultController<AnyMessage> | undefined;
  #noise = 0;

  constructor(ports: AgentStreamPorts) {
    this.#ports = ports;
    this.stream = {
      readable: new ReadableStream<AnyMessage>({
        start: (controller) => void (this.#incoming = controller),
        cancel: () => void (this.#incoming = undefined),
      }),
      writable: new WritableStream<AnyMessage>({
        write: (message) => {
          if ("method" in message && "id" in message) this.#asked.add(message.id);
          return ports.send(JSON.stringify(message));
        },
      }),
    };
  }

  take(line: string): void {
    const message = messageIn(line);
    if (message === undefined) {
      this.#noise += 1;
      if (this.#noise > MAX_NOISE) this.#ports.babbles(line);
      return;
    }
    this.#noise = 0;
    if (message["method"] === "session/update")
      this.#ports.update(isObject(message["params"]) ? message["params"] : {});
    else if (typeof message["method"] === "string" || this.#asked.delete(message["id"]))
      this.#incoming?.enqueue(message as unknown as AnyMessage);
  }

  /** Ends the stream. */
  end(): void {
    this.#incoming?.close();
    this.#incoming = undefined;
  }
}

function messageIn(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && value["jsonrpc"] === "2.0" ? value : undefined;
  } catch {
    return undefined; // Not a message.
  }
}
