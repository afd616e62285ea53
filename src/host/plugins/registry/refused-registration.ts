import { UserError } from "../../../contract/common/failure.ts";
import type { PluginContext } from "../../../contract/plugins/plugin.ts";

type Refuse = (reason: string) => void;

/** What `make` gives, or `undefined` where it cannot be, with the reason told: one bad registration does not take its plugin along. */
export function unlessWrong<T>(refuse: Refuse, make: () => T): T | undefined {
  try {
    return make();
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    refuse(cause.hint === undefined ? cause.message : `${cause.message} ${cause.hint}`);
    return undefined;
  }
}

const refusals = new WeakMap<PluginContext, Refuse>();

/** Has {@link noteRefused} tell `refuse` of what the plugin of that context could not register. */
export function recordRefused(context: PluginContext, refuse: Refuse): void {
  refusals.set(context, refuse);
}

/** A plugin elsewhere could not register something. */
export function noteRefused(context: PluginContext, reason: string): void {
  refusals.get(context)?.(reason);
}
