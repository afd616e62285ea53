import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { judgeAddresses, judgeUrl } from "hermes-agent/plugin";

/** Error code for a name with a refused address. */
export const REFUSED_ADDRESS = "ERR_REFUSED_ADDRESS";

/**
 * Resolves a service's name and checks every address before connecting; only the returned addresses are used. The check
 * is that of `ctx.fetch`, but allows private addresses, which users may configure.
 */
export const judgedLookup: LookupFunction = (hostname, options, answer) => {
  const { family, hints } = options;
  const looking = process.getBuiltinModule("node:dns").promises.lookup(hostname, {
    all: true,
    family,
    hints,
  });
  Promise.all([looking, refusal(hostname, () => looking)]).then(
    ([found, refused]) => {
      if (refused !== undefined) answer(Object.assign(new Error(refused), { code: REFUSED_ADDRESS }), "", 0);
      else if (options.all === true) answer(null, found);
      else answer(null, found[0]!.address, found[0]!.family);
    },
    (cause: NodeJS.ErrnoException) => answer(cause, "", 0),
  );
};

/**
 * Why a host is refused without a look-up; `undefined`: allowed so far. For a name, the look-up checks the addresses.
 * @param elsewhere A proxy resolves the name, so only the name can be checked.
 */
export async function refusedHost(hostname: string, elsewhere: boolean): Promise<string | undefined> {
  if (/^[\d.]+$|^\[/.test(hostname))
    return refusal(hostname, () => Promise.resolve([{ address: hostname.replace(/^\[|\]$/g, ""), family: 4 }]));
  return elsewhere ? refusal(hostname) : undefined;
}

/** This machine itself, which needs no judgement. A name that merely begins like such an address is none. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

async function refusal(hostname: string, find?: () => Promise<readonly LookupAddress[]>): Promise<string | undefined> {
  const found = await find?.();
  // The user's server may listen on any port.
  const name = judgeUrl(`https://${hostname}/`, { allowPrivate: true });
  if (name.kind === "blocked") return name.reason;
  const judged =
    found === undefined
      ? undefined
      : judgeAddresses(
          hostname,
          found.map(({ address }) => address),
          { allowPrivate: true },
        );
  return judged?.kind === "blocked" ? judged.reason : undefined;
}
