import type { FetchPorts } from "./fetch-ports.ts";

/**
 * Stored secrets that may not go there: all but the asker's own, which go in headers to the hosts they were declared
 * for or to any where none was named, and in an address or a body to declared hosts alone.
 */
export function othersSecrets(
  { secrets, own }: Pick<FetchPorts, "secrets" | "own">,
  where: "address" | "header" | "body",
  host: string | undefined,
): readonly string[] {
  const mine = new Set(
    (own?.() ?? []).flatMap(({ value, hosts }) =>
      (hosts === undefined ? where === "header" : host !== undefined && belongsTo(host, hosts)) ? [value] : [],
    ),
  );
  return mine.size === 0 ? secrets() : secrets().filter((secret) => !mine.has(secret));
}

/** Whether a host is one of `hosts` or a subdomain of one. */
export function belongsTo(host: string, hosts: readonly string[]): boolean {
  return hosts.some((one) => host === one || host.endsWith(`.${one}`));
}
