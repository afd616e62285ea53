import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PLATFORM_OFFERS, type PlatformOffer } from "../../../src/contract/providers/platform-offers.ts";
import { PLATFORM_BEHAVIOURS } from "../../../src/testing/platform/behaviours.ts";
import type { Behaviour } from "../../../src/testing/platform/behaviour.ts";
import type { ContractFacts } from "../../../src/testing/platform/far-end.ts";
import { code, page, table, type Page } from "../page.ts";
import { ROOT } from "../read-snapshot.ts";

const COUNT = PLATFORM_BEHAVIOURS.reduce((sum, { behaviours }) => sum + behaviours.length, 0);

const INTRODUCTION = `Every chat platform passes the same ${COUNT} behaviours or declares why it does not offer one. \`real\`: checked against a real
server; \`double\`: checked against a double that is written from the service's documentation and validates what it receives;
\`–\`: not offered, for the reason at the end of this page; \`not run\`: the other end cannot play it. A text that one message of a
service cannot hold, such as a line break on IRC, is skipped there.`;

interface Contract {
  readonly platform: string;
  readonly facts: ContractFacts;
}

/** The behaviours of each bundled chat platform. */
export function platformPage(): Page {
  const contracts = readContracts();
  const groups = PLATFORM_BEHAVIOURS.map(({ group, behaviours }) =>
    [
      `## ${group.slice(0, 1).toUpperCase()}${group.slice(1)}`,
      table(
        ["behaviour", ...contracts.map(({ platform }) => platform)],
        behaviours.map((one) => [one.name, ...contracts.map(({ facts }) => cell(facts, one))]),
      ),
    ].join("\n\n"),
  );
  return page(
    "platforms.md",
    "What chat platforms promise",
    INTRODUCTION,
    against(contracts),
    ...groups,
    reasons(contracts),
  );
}

/** `contract.json` of each bundled platform, by name. */
function readContracts(): readonly Contract[] {
  return readdirSync(join(ROOT, "plugins"))
    .filter((folder) => existsSync(join(ROOT, "plugins", folder, "contract.json")))
    .toSorted()
    .map((folder) => ({
      platform: folder.replace(/^platform-/, ""),
      facts: JSON.parse(readFileSync(join(ROOT, "plugins", folder, "contract.json"), "utf8")) as ContractFacts,
    }));
}

function cell(
  { against: kind, notOffered, notPlayed = {} }: ContractFacts,
  { needs = [], far = [] }: Behaviour,
): string {
  if (needs.some((offer) => notOffered[offer] !== undefined)) return "–";
  if (far.some((member) => notPlayed[member] !== undefined)) return "not run";
  return kind === "server" ? "real" : "double";
}

function against(contracts: readonly Contract[]): string {
  return table(
    ["platform", "checked against", "behaviours", "not offered", "not run"],
    contracts.map(({ platform, facts }) => {
      const all = PLATFORM_BEHAVIOURS.flatMap(({ behaviours }) => behaviours);
      const cells = all.map((one) => cell(facts, one));
      const count = (...kinds: readonly string[]): string => String(cells.filter((one) => kinds.includes(one)).length);
      return [code(platform), facts.with, count("real", "double"), count("–"), count("not run")];
    }),
  );
}

function reasons(contracts: readonly Contract[]): string {
  const rows = (Object.keys(PLATFORM_OFFERS) as PlatformOffer[]).map((offer) => {
    const why = contracts.flatMap(({ platform, facts }) =>
      facts.notOffered[offer] === undefined ? [] : [`${platform}: ${facts.notOffered[offer]}`],
    );
    return [code(offer), PLATFORM_OFFERS[offer], why.join("; ") || "all offer it"];
  });
  const unplayed = contracts.flatMap(({ platform, facts }) =>
    Object.entries(facts.notPlayed ?? {}).map(([member, why]) => [code(platform), code(member), why]),
  );
  return `## What is not offered, and why\n\n${table(["offer", "meaning", "not offered by"], rows)}\n\n## What is not run, and why\n\n${table(["platform", "member of the other end", "reason"], unplayed)}`;
}
