import type { BehaviourGroup } from "./behaviour.ts";
import { ATTACHMENTS } from "./behaviours/attachments.ts";
import { CONNECTION, LIMITS, OUTAGES, SHUTDOWN } from "./behaviours/delivery.ts";
import { CHOICES, EDITS } from "./behaviours/edits.ts";
import { GROUPS } from "./behaviours/groups.ts";
import { IDENTITY } from "./behaviours/identity.ts";
import { RECEIVE } from "./behaviours/receive.ts";

/** What every platform does, or declares not to offer. */
export const PLATFORM_BEHAVIOURS: readonly BehaviourGroup[] = [
  IDENTITY,
  RECEIVE,
  GROUPS,
  ATTACHMENTS,
  EDITS,
  CHOICES,
  LIMITS,
  OUTAGES,
  CONNECTION,
  SHUTDOWN,
];
