import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { isObject, type JsonObject } from "hermes-agent/plugin";

export interface AgentStreamPorts {
  send(line: string): Promise<void>;
  /** Told what the agent says of a session, in the order in which it was said. */
  update(params: JsonObject): void;
  /** It writes what is no message, again and again. */
  babbles(line: string): void;
}

/** Some programs print a greeting where only messages belong; what prints more is another program. */
const MAX_NOISE = 8;

/**
 * The lines of an agent as the stream of the protocol's library. Updates do not take that way: the library tells of them and of answers in no
 * certain order. Nor do messages that it would complain of on the screen of the person.
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

  /** Nothing comes any more. */
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
    return undefined; // Then it is noise.
  }
}
