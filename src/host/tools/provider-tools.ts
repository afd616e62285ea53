import type { ProviderToolSchema } from "../../contract/conversation/chat-message.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import { fromCompat } from "../../engine/tools/compat-tool.ts";
import { entryOf } from "../../engine/tools/tool-declaration.ts";
import type { Registries } from "../plugins/registry/registries.ts";

interface ToolGiver {
  get_tool_schemas?(): readonly ProviderToolSchema[] | Promise<readonly ProviderToolSchema[]>;
  handle_tool_call?(
    name: string,
    args: JsonObject,
    about: { readonly session_id: string; readonly messages: readonly never[] },
  ): string | Promise<string>;
}

/**
 * Registers the tools that a provider of that plugin brings along. A name that is taken is refused with a warning.
 * Disposing one takes it back. Rejects as the provider does, and for a tool that cannot be one; then none is
 * registered.
 */
export async function providerTools(
  ports: { readonly tools: Registries["tools"]; readonly log: Logger },
  provider: ToolGiver,
  {
    owner,
    plugin,
    toolset,
    what,
    before,
  }: {
    readonly owner: string;
    readonly plugin?: string;
    readonly toolset: string;
    readonly what: string;
    before?(sessionId: string): Promise<void>;
  },
): Promise<readonly (Disposable & { readonly name: string })[]> {
  const entries = ((await provider.get_tool_schemas?.()) ?? []).map((given) => {
    const schema =
      given["type"] === "function" && typeof given["function"] === "object" ? (given["function"] as JsonObject) : given;
    const name = String(schema["name"]);
    const handler = async (args: JsonObject, { session_id }: { readonly session_id: string }) => {
      await before?.(session_id);
      return (
        (await provider.handle_tool_call?.(name, args, { session_id, messages: [] })) ??
        JSON.stringify({ error: `No provider handles the tool "${name}".` })
      );
    };
    return entryOf(fromCompat({ name, toolset, schema, handler }, owner, { prose: true }));
  });
  return entries.flatMap((entry) => {
    const { name } = entry.declaration;
    if (ports.tools.get(name) !== undefined) {
      // The provider's plugin may have registered this tool itself.
      if (plugin === undefined || ports.tools.owner(name) !== plugin)
        ports.log.warning(`The tool "${name}" of the ${what} "${owner}" is not available: another tool has that name.`);
      return [];
    }
    const added = ports.tools.add(name, entry, owner);
    return [{ name, [Symbol.dispose]: () => added[Symbol.dispose]() }];
  });
}
