import type { ApprovalRule } from "../../contract/services/approval-service.ts";
import type { Notice } from "../../contract/common/notice.ts";
import type { Json } from "../../contract/common/json.ts";
import type { FailedExample } from "../../safety/commands/check-examples.ts";
import { ruleEntries, type RuleEntry } from "../../safety/commands/rule-entries.ts";

export const RULE_LISTS = { allow: "command_allowlist", deny: "approvals.deny" } as const;

interface RulePorts {
  readonly config: {
    get(path: string): Json | undefined;
    explain(path: string): { readonly where?: string; readonly source: string };
  };
  readonly home: string;
  readonly agentHome: string;
  now(): number;
}

/** The user's rules, read again for each question, and the results of checking their examples. */
export class ApprovalRules {
  readonly #ports: RulePorts;
  #failed: readonly (FailedExample & { readonly list: "allow" | "deny" })[] = [];

  constructor(ports: RulePorts) {
    this.#ports = ports;
  }

  /**
   * Rules that allow. One that does not keep its own examples says something else than its owner meant, and allows
   * nothing; nor does one whose time is over.
   */
  allowing(): readonly string[] {
    const wrong = new Set(this.#failed.filter(({ list }) => list === "allow").map(({ rule }) => rule));
    return this.entries("allow").flatMap((entry) => (wrong.has(entry.rule) || this.#isOver(entry) ? [] : [entry.rule]));
  }

  /**
   * The list after an answer of "always". The new rule expires after `approvals.always_days` if set, and replaces an
   * expired one.
   */
  remembering(rule: string): {
    readonly add: readonly [string | { readonly rule: string; readonly until: string }];
    readonly remove: readonly string[];
  } {
    const days = this.#ports.config.get("approvals.always_days");
    const remove = this.entries("allow").some((entry) => entry.rule === rule && this.#isOver(entry)) ? [rule] : [];
    return {
      remove,
      add: [
        typeof days === "number" && days > 0 ? { rule, until: dayOf(this.#ports.now() + days * 86_400_000) } : rule,
      ],
    };
  }

  #isOver({ until }: RuleEntry): boolean {
    return until !== undefined && until <= this.#ports.now();
  }

  entries(list: "allow" | "deny"): readonly RuleEntry[] {
    return ruleEntries(this.#ports.config.get(RULE_LISTS[list]));
  }

  list(): readonly ApprovalRule[] {
    return (["allow", "deny"] as const).flatMap((list) => {
      const { where, source } = this.#ports.config.explain(RULE_LISTS[list]);
      return this.entries(list).map((entry) => {
        const { rule, examples, until } = entry;
        const problems = this.#failed.filter((one) => one.list === list && one.rule === rule).map(problemOf);
        return {
          list,
          rule,
          examples,
          from: where ?? source,
          ...(list === "deny" || until === undefined ? {} : { until, over: this.#isOver(entry) }),
          problem: problems.length === 0 ? undefined : problems.join(" "),
        };
      });
    });
  }

  get notices(): readonly Notice[] {
    return this.#failed.map((failed) => ({
      level: "error",
      text: `${RULE_LISTS[failed.list]}: ${problemOf(failed)}`,
      hint:
        failed.list === "allow"
          ? "The rule allows nothing until you fix it. hermes approvals list"
          : "The rule still applies. Fix it: hermes approvals list",
    }));
  }

  /** At load, and only where a rule has examples: judging a command is not on the way of every start. */
  async check(): Promise<void> {
    const lists = (["allow", "deny"] as const).map((list) => ({
      list,
      entries: this.entries(list).filter(({ examples }) => examples.allow.length + examples.deny.length > 0),
    }));
    if (lists.every(({ entries }) => entries.length === 0)) return;
    const { failedExamples } = await import("../../safety/commands/check-examples.ts");
    const { home, agentHome } = this.#ports;
    const failed = await Promise.all(
      lists.map(async ({ list, entries }) =>
        (await failedExamples(list, entries, { cwd: home, home, agentHome })).map((one) => ({ ...one, list })),
      ),
    );
    this.#failed = failed.flat();
  }
}

/** The date in the user's time zone. */
function dayOf(at: number): string {
  const day = new Date(at);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

function problemOf({ list, rule, example, expected }: FailedExample & { readonly list: "allow" | "deny" }): string {
  const what =
    list === "allow"
      ? expected === "allow"
        ? "does not cover its `allow` example"
        : "covers its `deny` example"
      : expected === "deny"
        ? "does not refuse its `deny` example"
        : "refuses its `allow` example";
  return `The rule "${rule}" ${what}: ${example}`;
}
