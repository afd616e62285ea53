import type { Call } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { isKnown, UNKNOWN } from "../parse/marks.ts";
import { isAddress } from "./roles/host-words.ts";

/** Transports that git itself has for `name::address`. */
const OWN = /^(?:https?|ftps?)$/i;
const HELPER = /^([a-z][a-z0-9+.-]*)::(.*)$/is;
/** `user@host:path`, `host:path`. */
const SCP = /^(?:[\w.+-]+@)?(?:[\w.-]|[\uE000-\uE012])+:(?!:)(?!\/\/).+/s;

/** Whether the text says which transport program git is to run. */
export const namesTransport = (address: string): boolean =>
  HELPER.test(address) && !OWN.test(HELPER.exec(address)![1]!);

/**
 * The address of another repository. `ext::CMD` runs a command, any other `name::…` the program `git-remote-name`.
 * @param connects Whether git connects now; a remote is also only written down.
 */
export function judgeAddress(address: string, call: Call, { connects = true, sends = false } = {}): void {
  const [, transport, rest = ""] = HELPER.exec(address) ?? [];
  if (transport !== undefined && OWN.test(transport)) judgeAddress(rest, call, { connects, sends });
  else if (transport !== undefined) {
    call.by.harm("option-runs", `git runs the transport ${address}`);
    if (/^ext$/i.test(transport) && isKnown(rest))
      call.by.script(
        rest
          .replace(/%[sSGVs]/g, UNKNOWN)
          .replaceAll("%%", "%")
          .replaceAll("% ", "\\ "),
        call,
        {
          stdin: UNSEEN,
        },
      );
  } else if (address.startsWith("-")) call.by.harm("option-runs", `git takes the address ${address} for an option`);
  else if (connects && (isAddress(address) || (SCP.test(address) && !/^[a-z]:[\\/]/i.test(address))))
    call.by.network(address, sends);
}
