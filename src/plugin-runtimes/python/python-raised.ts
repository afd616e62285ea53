import { ToolFailure } from "../../contract/common/failure.ts";
import { PeerError } from "../process/peer.ts";
import type { RemotePlugin } from "../process/remote-plugin.ts";

/** The text that the original shows a model for a handler that raised. */
export function raised(cause: unknown, remote: RemotePlugin): unknown {
  if (!(cause instanceof PeerError)) return cause;
  const type = typeof cause.data["type"] === "string" ? cause.data["type"] : "Exception";
  remote.log.error(`A handler of "${remote.key}" raised ${type}: ${cause.message}`, {
    stack: String(cause.data["stack"] ?? ""),
  });
  return new ToolFailure("crashed", `[TOOL_ERROR] Tool execution failed: ${type}: ${cause.message}`, { cause });
}
