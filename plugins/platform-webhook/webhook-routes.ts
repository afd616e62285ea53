import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isObject, UserError, type JsonObject } from "hermes-agent/plugin";

/** A route: `POST /webhooks/NAME`. */
export interface Route {
  readonly name: string;
  readonly enabled: boolean;
  readonly description: string;
  /** Accepted event types; empty: all. */
  readonly events: readonly string[];
  readonly secret: string;
  readonly prompt: string;
  readonly skills: readonly string[];
  /** `log`, `github_comment`, or a platform. */
  readonly deliver: string;
  readonly deliverExtra: JsonObject;
  /** Deliver the rendered prompt itself, without a turn. */
  readonly deliverOnly: boolean;
}

/** The secret of a route that needs none; only where no other machine can connect. */
export const NO_AUTH = "INSECURE_NO_AUTH";
export const SUBSCRIPTIONS = "webhook_subscriptions.json";

/** Routes of the settings, and of `webhook_subscriptions.json`, which is read again when it changes. */
export class WebhookRoutes {
  readonly #home: string;
  readonly #extra: JsonObject;
  readonly #secret: string;
  #readAt = -1;
  #dynamic: ReadonlyMap<string, Route> = new Map();

  /** @param secret Of routes without one. */
  constructor(home: string, extra: JsonObject, secret: string) {
    this.#home = home;
    this.#extra = extra;
    this.#secret = secret;
  }

  /** Routes of the settings win. */
  find(name: string): Route | undefined {
    const given = isObject(this.#extra["routes"]) ? this.#extra["routes"][name] : undefined;
    if (isObject(given)) return routeOf(name, given as JsonObject, this.#secret);
    this.#refresh();
    return this.#dynamic.get(name);
  }

  #refresh(): void {
    const file = join(this.#home, SUBSCRIPTIONS);
    try {
      const { mtimeMs } = statSync(file);
      if (mtimeMs === this.#readAt) return;
      this.#dynamic = new Map(
        Object.entries(subscriptionsIn(readFileSync(file, "utf8"))).map(([name, one]) => [
          name,
          routeOf(name, one, this.#secret),
        ]),
      );
      this.#readAt = mtimeMs;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
      this.#dynamic = new Map();
      this.#readAt = -1;
    }
  }
}

/** The routes of a file's text. @throws {UserError} if it is not valid. */
export function subscriptionsIn(text: string | undefined): { readonly [name: string]: JsonObject } {
  if (text === undefined || text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && Object.values(value).every(isObject))
      return value as { readonly [name: string]: JsonObject };
    throw new TypeError("it is not an object of routes");
  } catch (cause) {
    throw new UserError(`Cannot read ${SUBSCRIPTIONS}: ${(cause as Error).message}.`, {
      hint: `Correct or delete ${SUBSCRIPTIONS} in the home.`,
      cause,
    });
  }
}

export function routeOf(name: string, given: JsonObject, secret: string): Route {
  const text = (key: string, usual = ""): string => (typeof given[key] === "string" ? given[key] : usual);
  const list = (key: string): readonly string[] => {
    const value = given[key];
    const all = Array.isArray(value) ? value.map(String) : typeof value === "string" ? value.split(",") : [];
    return all.map((one) => one.trim()).filter((one) => one !== "");
  };
  return {
    name,
    enabled: given["enabled"] !== false,
    description: text("description"),
    events: list("events"),
    secret: text("secret", secret),
    prompt: text("prompt"),
    skills: list("skills"),
    deliver: text("deliver", "log"),
    deliverExtra: isObject(given["deliver_extra"]) ? (given["deliver_extra"] as JsonObject) : {},
    deliverOnly: given["deliver_only"] === true,
  };
}
