import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { PLATFORM_OFFERS, type PlatformOffer } from "../contract/providers/platform-offers.ts";
import type { Behaviour } from "./platform/behaviour.ts";
import { PLATFORM_BEHAVIOURS } from "./platform/behaviours.ts";
import type { ContractFacts, PlayedPlatform } from "./platform/far-end.ts";
import type { PlatformAdapter } from "../contract/providers/platform.ts";
import { NotApplicable, platformBench, type PlatformBench } from "./platform/platform-bench.ts";

export type { ArrivedText, ContractFacts, PlayedPlatform, ReceivedFile, WrittenMore } from "./platform/far-end.ts";

/** Members of the other end without which a declared offer cannot be checked. */
const PLAYED: { readonly [Offer in PlatformOffer]?: readonly (keyof PlayedPlatform)[] } = {
  groups: ["group"],
  mentions: ["group"],
  bots: ["group"],
  threads: ["group"],
  edits_received: ["edit"],
  deletes_received: ["remove"],
  acknowledgements: ["acknowledged"],
  typing: ["typing"],
  files_received: ["home"],
  files_sent: ["received"],
  voice_sent: ["received"],
  buttons: ["press"],
  command_menu: ["menu"],
  edits: ["changed"],
  deletes: ["deleted"],
  connection: ["cut"],
  pushed: ["forge"],
  message_ids: ["redeliver"],
  rate_limits: ["throttle"],
  refusals: ["refusing"],
};

/**
 * The contract of every chat platform, as tests.
 * @param play Makes the platform and starts its other end.
 * @param options.folder The plugin's folder with `contract.json`. Without it, only what needs no offer is checked.
 */
export function platformContract(
  name: string,
  play: () => Promise<PlayedPlatform>,
  options: { readonly skip?: string | false; readonly folder?: string } = {},
): void {
  const facts =
    options.folder === undefined
      ? undefined
      : (JSON.parse(readFileSync(join(options.folder, "contract.json"), "utf8")) as ContractFacts);
  describe(`platform contract: ${name}`, { timeout: 600_000, skip: options.skip ?? false }, () => {
    if (facts !== undefined)
      test("declares each offer, or why there is none", async () => {
        await using played = await play();
        const offers = played.platform.offers ?? [];
        for (const offer of Object.keys(PLATFORM_OFFERS) as PlatformOffer[]) {
          const reason: string | undefined = facts.notOffered[offer];
          if (offers.includes(offer))
            assert.equal(reason, undefined, `${offer} is offered, and contract.json denies it`);
          else assert.match(reason ?? "", /\S/, `contract.json needs a reason why ${offer} is not offered`);
        }
        const missing = offers.flatMap((offer) => PLAYED[offer] ?? []).filter((member) => played[member] === undefined);
        assert.deepEqual(missing, [], "members that the other end needs for what the platform offers");
      });
    for (const { group, behaviours } of PLATFORM_BEHAVIOURS)
      describe(group, () => {
        for (const behaviour of behaviours) test(behaviour.name, (t) => check(t, behaviour, play, facts));
      });
  });
}

async function check(
  t: TestContext,
  { needs = [], far = [], options = {}, run }: Behaviour,
  play: () => Promise<PlayedPlatform>,
  facts: ContractFacts | undefined,
): Promise<void> {
  const denied = needs.find((offer) => facts?.notOffered[offer] !== undefined);
  if (denied !== undefined) return t.skip(`not offered: ${facts?.notOffered[denied]}`);
  await using bench = await platformBench(play, options);
  const { offers } = bench.played.platform;
  const unknown = needs.find((offer) => (offers === undefined ? !playable(bench, offer) : !offers.includes(offer)));
  if (unknown !== undefined) return t.skip(`the platform declares no offer "${unknown}"`);
  const absent = far.find((member) => bench.played[member] === undefined);
  if (absent !== undefined) {
    const reason = facts?.notPlayed?.[absent];
    assert.ok(
      facts === undefined || reason !== undefined,
      `contract.json needs a reason why ${String(absent)} is not played`,
    );
    return t.skip(`its other end cannot play ${String(absent)}: ${reason ?? "no reason given"}`);
  }
  try {
    await run(bench, play);
  } catch (cause) {
    if (!(cause instanceof NotApplicable)) throw cause;
    t.skip(cause.message);
  }
}

/** The adapter's method for an offer. */
const METHODS: { readonly [Offer in PlatformOffer]?: keyof PlatformAdapter } = {
  files_sent: "send_document",
  voice_sent: "send_voice",
  edits: "edit_message",
  deletes: "delete_message",
  typing: "send_typing",
  acknowledgements: "acknowledge",
};

/** A platform that declares no offers is checked where its adapter and its other end can. */
function playable({ adapter, played }: PlatformBench, offer: PlatformOffer): boolean {
  const members = PLAYED[offer];
  const method = METHODS[offer];
  return (
    members !== undefined &&
    members.every((member) => played[member] !== undefined) &&
    (method === undefined || adapter[method] !== undefined)
  );
}
