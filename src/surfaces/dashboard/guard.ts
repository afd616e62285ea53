import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { isLoopbackHost } from "../shared/http/listen.ts";
import { bearerOf, sameSecret } from "../shared/http/same-secret.ts";

/** Why a request is answered with nothing but this. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly error: string;
  readonly hint: string;
}

export interface Door {
  /** The address the server was told to listen on. */
  readonly host: string;
  /** This machine's own name. */
  readonly machine: string;
  readonly token: string;
}

/**
 * A page of elsewhere reaches a loopback server through the person's browser, under a name of its own choosing (DNS rebinding) or from its own
 * origin. Both are refused before anything is looked at.
 */
export function refuseName({ host }: IncomingHttpHeaders, door: Door): Refusal | undefined {
  const asked = nameIn(host);
  if (asked !== undefined && answersTo(asked, door)) return undefined;
  return {
    status: 403,
    error: `This dashboard does not answer to the name ${JSON.stringify(host ?? "")}.`,
    hint: "Open it by the address that hermes dashboard printed.",
  };
}

/** Frames of plugins have no origin; what is theirs is not asked for here. */
export function refuseOrigin({ host, origin }: IncomingHttpHeaders): Refusal | undefined {
  if (origin === undefined || origin === `http://${host}` || origin === `https://${host}`) return undefined;
  return { status: 403, error: "Pages of other origins get nothing here.", hint: "Open the dashboard itself." };
}

/** What the page has and nobody else: the token of this run. */
export function refuseUnknown(headers: IncomingHttpHeaders, { token }: Door): Refusal | undefined {
  const given = headers["x-hermes-session-token"] ?? bearerOf(headers.authorization);
  if (typeof given === "string" && sameSecret(given, token)) return undefined;
  return {
    status: 401,
    error: "The token of this dashboard is missing or is another one's.",
    hint: "Open the link that hermes dashboard printed; each start has a new one.",
  };
}

/** The name in a Host header, without its port. A tunnel has a port of its own, so that says nothing. */
function nameIn(host: string | undefined): string | undefined {
  const [, six, other] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(host ?? "") ?? [];
  return (six ?? other)?.toLowerCase();
}

/** Open to others, it may be reached by any address of this machine; a name that anybody can point there is none. */
function answersTo(name: string, { host, machine }: Door): boolean {
  if (name === host.toLowerCase() || isLoopbackHost(name)) return true;
  return !isLoopbackHost(host) && (isIP(name) !== 0 || name === machine.toLowerCase());
}
