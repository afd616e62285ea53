import type { Fact, WebUse } from "../../contract/conversation/fact.ts";
import type { SettledOutcome } from "../../contract/tools/outcome.ts";
import { textOf, type Part, type Provenance } from "../../contract/conversation/part.ts";
import type { Effect } from "../../contract/tools/effect.ts";
import type { UntrustedState } from "../ports.ts";
import { ListedAddresses } from "./listed-addresses.ts";

/**
 * The untrusted content of a conversation. It stays for the whole session: a model that has read it may obey it any
 * time later, and a summary may repeat it. Folded from facts, so that a crash forgets nothing.
 */
export class UntrustedFold {
  readonly #sources = new Set<string>();
  /** Read by the agent that gave this session its task. */
  #inherited: readonly string[] = [];
  readonly #userTexts: string[] = [];
  readonly #listed = new ListedAddresses();
  #changed = false;

  get state(): UntrustedState | undefined {
    if (this.#sources.size === 0 && this.#inherited.length === 0) return undefined;
    return {
      sources: [...this.#inherited, ...this.#sources],
      changed: this.#changed,
      said: (url) => this.#userTexts.some((text) => addressesIn(text).includes(url)),
      named: (host) => this.#userTexts.some((text) => addressesIn(text).some((word) => isOn(word, host))),
      listed: (requests) => this.#listed.listed(requests),
    };
  }

  /** Sources that this session read itself. */
  get own(): readonly string[] {
    return [...this.#sources];
  }

  inherit({ sources, changed }: Pick<UntrustedState, "sources" | "changed">): void {
    this.#inherited = sources;
    this.#changed ||= changed;
  }

  message({ origin, parts }: Extract<Fact, { type: "message.added" }>): void {
    this.#take(parts);
    if (origin !== "person") return;
    this.#userTexts.push(textOf(parts.filter((part) => part.from === undefined)));
    this.#listed.userSpoke();
  }

  settled(outcome: SettledOutcome, effect: Effect | undefined, web?: WebUse): void {
    if (web !== undefined) this.#listed.settled(web);
    if (outcome.kind === "ok") this.#take(outcome.shown);
    else if (outcome.kind === "failed" || outcome.kind === "unknown") this.#take([{ from: outcome.from }]);
    // A refused call changed nothing; what failed or was cut off may have.
    if (
      outcome.kind !== "denied" &&
      (this.#sources.size > 0 || this.#inherited.length > 0) &&
      (effect === "write" || effect === "execute")
    )
      this.#changed = true;
  }

  #take(parts: readonly Pick<Part, "from">[]): void {
    for (const { from } of parts) if (from !== undefined) this.#add(from);
  }

  #add({ source, kept: saved }: Provenance): void {
    this.#sources.add(source);
    if (saved === true) this.#changed = true;
  }
}

/** Whole addresses only: a prefix of one that the user wrote is another address. */
function addressesIn(text: string): readonly string[] {
  return text.split(/[\s<>"'`()[\]{}]+/).map((word) => word.replace(/[.,;:!?]+$/, ""));
}

/** Whether a word that the user wrote is this host or an address on it. `www.` makes no difference. */
function isOn(word: string, host: string): boolean {
  if (!word.includes(".") && !word.includes("://")) return false;
  const url = URL.parse(/^https?:\/\//i.test(word) ? word : `https://${word}`);
  return url !== null && url.username === "" && withoutWww(url.host) === withoutWww(host.toLowerCase());
}

const withoutWww = (host: string): string => host.replace(/^www\./, "");
