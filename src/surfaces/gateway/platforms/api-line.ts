import type { App } from "../../../contract/services/app.ts";
import type { GatewayService } from "../../../contract/services/gateway-service.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { ServedLine } from "../../shared/gateway/served-line.ts";
import type { ApiPlan } from "../../shared/gateway/api-plan.ts";

interface ApiServer {
  readonly url: string;
  stop(drainMs: number): Promise<void>;
}

interface ApiServerOptions {
  readonly app: App;
  readonly service: GatewayService;
  readonly settings: ApiPlan["settings"];
  /** Where conversations begin. */
  readonly cwd: string;
}

/** Starts the API server. That is another surface, so the caller passes it in. */
export type OpenApiServer = (options: ApiServerOptions) => Promise<ApiServer>;

/** The API server as one of the lines of a gateway. Its code loads when it starts. */
export class ApiLine implements ServedLine {
  readonly plan: ApiPlan;
  readonly #open: OpenApiServer;
  #server: ApiServer | undefined;
  #failure: UserError | undefined;

  constructor(plan: ApiPlan, open: OpenApiServer) {
    this.plan = plan;
    this.#open = open;
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

  /** A failure does not stop the chats. @throws {UserError} if it fails and the gateway serves nothing else. */
  async start(options: Omit<ApiServerOptions, "settings">, alone: boolean): Promise<void> {
    try {
      this.#server = await this.#open({ ...options, settings: this.plan.settings });
    } catch (cause) {
      if (alone || !(cause instanceof UserError)) throw cause;
      this.#failure = cause;
    }
  }

  async stop(drainMs: number): Promise<void> {
    await this.#server?.stop(drainMs);
  }
}
