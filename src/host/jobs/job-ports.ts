import type { JobOrigin } from "../../contract/services/job.ts";
import type { Json } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Home } from "../environment/home.ts";
import type { SqliteStore } from "../store/facts/sqlite-store.ts";

/** Dependencies of jobs. */
export interface JobPorts {
  readonly home: Home;
  readonly log: Logger;
  store(): Promise<SqliteStore>;
  config(path: string): Json | undefined;
  now(): number;
  /** Masks stored secrets in what the user wrote. */
  mask(text: string): string;
  /** Masks what looks like a secret, too: for what programs print and models say. */
  redact(text: string): string;
  /** The chat whose message a session is answering now. */
  chatOf(sessionId: string): Promise<JobOrigin | undefined>;
  /** The environment of a script. */
  childEnvironment(): { [name: string]: string };
}

export function zoneOf({ config }: Pick<JobPorts, "config">): string {
  const zone = config("timezone");
  return typeof zone === "string" && zone !== "" ? zone : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function secondsOf({ config }: Pick<JobPorts, "config">, path: string, otherwise: number): number {
  const seconds = config(path);
  return typeof seconds === "number" && seconds >= 0 ? seconds : otherwise;
}
