import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { isLoopbackHost } from "../shared/http/listen.ts";
import { bearerOf, sameSecret } from "../shared/http/same-secret.ts";

/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly error: string;
  readonly hint: string;
}

export interface Door {
  /** The configured listening address. */
  readonly host: string;
  /** The host name of this machine. */
  readonly machine: string;
  readonly token: string;
}

/**
 * A web page can reach a loopback server through the user's browser, under a name it controls (DNS rebinding) or from
 * its own origin. Both are refused before the request is read.
 */
export function refuseName({ host }: IncomingHttpHeaders, door: Door): Refusal | undefined {
  const asked = nameIn(host);
  if (asked !== undefined && answersTo(asked, door)) return undefined;
  return {
    status: 403,
    error: `This dashboard does not accept the host name ${JSON.stringify(host ?? "")}.`,
    hint: "Open the address that hermes dashboard printed.",
  };
}

/** Plugin frames have no origin; their files are served by another route. */
export function refuseOrigin({ host, origin }: IncomingHttpHeaders): Refusal | undefined {
  if (origin === undefined || origin === `http://${host}` || origin === `https://${host}`) return undefined;
  return {
    status: 403,
    error: "Pages of other origins may not use this dashboard.",
    hint: "Open the dashboard directly.",
  };
}

/** Requires the token of this run, which only the page has. */
export function refuseUnknown(headers: IncomingHttpHeaders, { token }: Door): Refusal | undefined {
  const given = headers["x-hermes-session-token"] ?? bearerOf(headers.authorization);
  if (typeof given === "string" && sameSecret(given, token)) return undefined;
  return {
    status: 401,
    error: "The token is missing or belongs to another run of the dashboard.",
    hint: "Open the link that hermes dashboard printed; each start prints a new one.",
  };
}

/** The name in a Host header, without the port, because a tunnel may use a different port. */
function nameIn(host: string | undefined): string | undefined {
  const [, six, other] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(host ?? "") ?? [];
  return (six ?? other)?.toLowerCase();
}

/** When listening for other machines, accepts any IP address, but no name that others can point to it. */
function answersTo(name: string, { host, machine }: Door): boolean {
  if (name === host.toLowerCase() || isLoopbackHost(name)) return true;
  return !isLoopbackHost(host) && (isIP(name) !== 0 || name === machine.toLowerCase());
}
