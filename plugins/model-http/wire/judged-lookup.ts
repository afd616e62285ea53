import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";

/** Code of a name that leads to where no model is served. */
export const REFUSED_ADDRESS = "ERR_REFUSED_ADDRESS";

/**
 * Looks a service's name up and judges every address before any is dialled: those that are handed on are the ones that are dialled. It is
 * the judgement of `ctx.fetch`, with the private addresses that a person may well configure, loaded while the name is looked up.
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
 * Why a host is not asked, as far as it is not looked up here; `undefined` when it may be. Of a name that is looked up the lookup judges.
 * @param elsewhere A proxy looks it up: its name has to say enough.
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
  const [{ judgeAddresses, judgeUrl }, found] = await Promise.all([import("hermes-agent/plugin"), find?.()]);
  // A person's server may listen on any port.
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
