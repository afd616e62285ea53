import type { WebUse } from "../../contract/conversation/fact.ts";
import type { Egress } from "../../contract/tools/assessment.ts";

/**
 * A page could list many addresses and make the model say something by the one that it requests. With at most 256
 * addresses to choose from, a request says at most 8 bits, so a host learns at most 12 bytes from each user message.
 */
const ADDRESSES_A_HOST = 256;
const REQUESTS_A_HOST = 12;
const REQUESTS = 60;

/** Addresses that search services and pages listed in this session, and how many of them were requested. */
export class ListedAddresses {
  readonly #byHost = new Map<string, Set<string>>();
  /** Since the user's last message. */
  readonly #requested = new Map<string, number>();

  userSpoke(): void {
    this.#requested.clear();
  }

  settled({ found = [], requested = {} }: WebUse): void {
    for (const address of found) {
      const host = URL.parse(address)?.host;
      if (host === undefined) continue;
      const known = this.#byHost.get(host) ?? new Set();
      if (known.size < ADDRESSES_A_HOST) this.#byHost.set(host, known.add(address));
    }
    for (const [host, pages] of Object.entries(requested))
      this.#requested.set(host, (this.#requested.get(host) ?? 0) + pages);
  }

  /** In order: what an earlier one of these takes of a limit is not there for a later one. */
  listed(requests: readonly Egress[]): readonly Egress[] {
    const taken = new Map(this.#requested);
    let all = [...taken.values()].reduce((sum, pages) => sum + pages, 0);
    return requests.filter(({ what, site, pages = 1 }) => {
      const url = site === undefined ? URL.parse(what.trim()) : undefined;
      const host = site ?? url?.host;
      if (host === undefined || (url !== undefined && url !== null && !this.#has(url))) return false;
      const now = (taken.get(host) ?? 0) + pages;
      if (now > REQUESTS_A_HOST || all + pages > REQUESTS) return false;
      taken.set(host, now);
      all += pages;
      return true;
    });
  }

  #has({ host, href }: URL): boolean {
    return this.#byHost.get(host)?.has(href) === true;
  }
}
