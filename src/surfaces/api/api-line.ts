import { UserError } from "../../contract/common/failure.ts";
import type { ServedLine } from "../shared/gateway/served-line.ts";
import type { ApiPlan } from "./api-plan.ts";
import type { ApiServer, ApiServerOptions } from "./http/api-server.ts";

/** The API server beside the chats of a gateway, as one of the lines that it serves. Its code is loaded when it starts. */
export class ApiLine implements ServedLine {
  readonly plan: ApiPlan;
  #server: ApiServer | undefined;
  #failure: UserError | undefined;

  constructor(plan: ApiPlan) {
    this.plan = plan;
  }

  get state(): ServedLine["state"] {
    return this.#server !== undefined ? "connected" : this.#failure === undefined ? "connecting" : "stopped";
  }

  get problem(): string | undefined {
    return this.#failure && [this.#failure.message, this.#failure.hint].filter((text) => text !== undefined).join(" ");
  }

  get url(): string | undefined {
    return this.#server?.url;
  }

  /** Chats are served all the same where it cannot be. @throws {UserError} when it cannot and nothing else is served. */
  async start(options: Omit<ApiServerOptions, "settings">, alone: boolean): Promise<void> {
    try {
      const { openApiServer } = await import("./http/api-server.ts");
      this.#server = await openApiServer({ ...options, settings: this.plan.settings });
    } catch (cause) {
      if (alone || !(cause instanceof UserError)) throw cause;
      this.#failure = cause;
    }
  }

  async stop(drainMs: number): Promise<void> {
    await this.#server?.stop(drainMs);
  }
}
