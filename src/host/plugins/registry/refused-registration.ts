import { UserError } from "../../../contract/common/failure.ts";
import type { PluginContext } from "../../../contract/plugins/plugin.ts";

type Refuse = (reason: string) => void;

/**
 * The result of `make`, or `undefined` if it throws, with the reason reported: one bad registration does not stop its
 * plugin.
 */
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

/** Makes {@link noteRefused} report to `refuse` what the plugin of that context could not register. */
export function recordRefused(context: PluginContext, refuse: Refuse): void {
  refusals.set(context, refuse);
}

/** A plugin in another process could not register something. */
export function noteRefused(context: PluginContext, reason: string): void {
  refusals.get(context)?.(reason);
}
