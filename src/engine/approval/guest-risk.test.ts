import assert from "node:assert/strict";
import { test } from "node:test";
import type { Egress } from "../../contract/tools/assessment.ts";
import type { Call } from "../dispatch/call.ts";
import { guestRisk } from "./guest-risk.ts";

const of = (whose: string | undefined, ...egress: readonly Egress[]) =>
  guestRisk({ session: { whose } } as unknown as Call, { egress });
const skill: Egress = { kind: "change", what: "the skill tea", instructs: true };

// field: S07
test("blocks a guest's changes of shared content, but not the owner's", () => {
  assert.equal(of(undefined, skill), undefined);
  assert.equal(of("telegram:6", skill)?.answer, "block");
  assert.match(of("telegram:6", { kind: "send", what: "a host" }, skill)!.reasons.join(), /the skill tea/);
  // A guest's own jobs, and what only this call does.
  assert.equal(of("telegram:6", { kind: "change", what: "the schedule" }, { kind: "send", what: "a host" }), undefined);
  assert.equal(guestRisk({ session: { whose: "telegram:6" } } as unknown as Call, {}), undefined);
});
