import type { Check } from "../../contract/common/check.ts";
import type { CliCommand, CliIo } from "../../contract/conversation/command.ts";
import { ToolFailure, UserError } from "../../contract/common/failure.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { PluginContext } from "../../contract/plugins/plugin.ts";
import type { Toolset } from "../../contract/tools/toolset.ts";
import { noteRefused } from "../../host/plugins/registry/refused-registration.ts";
import { PeerError } from "../process/peer.ts";
import type { RemotePlugin } from "../process/remote-plugin.ts";
import { textAt } from "../process/text-at.ts";
import { thrownThere } from "../process/thrown-there.ts";

/** `hermes doctor` waits for it. */
const LOOK_MS = 5_000;

/**
 * Registrations with one format in all runtimes: commands, subcommands, toolsets, skills, doctor checks, and refused
 * registrations.
 */
export function registerCommon(message: JsonObject, ctx: PluginContext, remote: RemotePlugin): void {
  const handle = textAt(message, "handle");
  switch (message["kind"]) {
    case "command":
      ctx.command({
        name: textAt(message, "name"),
        description: textAt(message, "description"),
        argsHint: textAt(message, "args_hint") === "" ? undefined : textAt(message, "args_hint"),
        aliases: Array.isArray(message["aliases"]) ? message["aliases"].map(String) : undefined,
        async run(args, call) {
          const shown = await shownToUser(`/${textAt(message, "name")}`, remote, () =>
            remote.call(
              "command.run",
              { handle, args, context: { session_id: call.sessionId, platform: call.surface } },
              { signal: call.signal },
            ),
          );
          return typeof shown === "string" ? shown : undefined;
        },
        complete:
          message["completes"] === true
            ? async (args: string) =>
                ((await remote.call("command.complete", { handle, args }, { timeoutMs: 5_000 })) as
                  | readonly string[]
                  | null) ?? []
            : undefined,
      });
      return;
    case "cli":
      if (message["declared"] !== undefined) return registerDeclaredCli(message, ctx, remote);
      ctx.cli({
        name: textAt(message, "name"),
        description: textAt(message, "description"),
        input: { type: "object", properties: { words: { type: "array", items: { type: "string" } } } },
        raw: true,
        async run({ words }: { readonly words: readonly string[] }, io) {
          const params = {
            handle,
            name: textAt(message, "name"),
            description: textAt(message, "long"),
            words,
            interactive: io.interactive,
          };
          const status = await shownToUser(`hermes ${textAt(message, "name")}`, remote, () =>
            remote.call("cli.run", params, { signal: io.signal, scope: { take: printer(io), io } }),
          );
          return typeof status === "number" ? status : 0;
        },
      });
      return;
    case "toolset":
      ctx.toolset(message["toolset"] as unknown as Toolset);
      return;
    case "skill":
      ctx.skill({
        name: textAt(message, "name"),
        path: textAt(message, "path"),
        description: textAt(message, "description") === "" ? undefined : textAt(message, "description"),
      });
      return;
    case "refused":
      return noteRefused(ctx, textAt(message, "reason"));
    case "doctor":
      ctx.doctor(
        async () =>
          (await remote.call("doctor.look", { handle }, { timeoutMs: LOOK_MS })) as unknown as readonly Check[],
      );
      return;
    default:
      throw new UserError(
        `The plugin "${ctx.id}" registers ${JSON.stringify(message["kind"])}, which this version does not support.`,
      );
  }
}

/** Registers a CLI command. Hermes parses its arguments by the schema that the plugin sent. */
function registerDeclaredCli(message: JsonObject, ctx: PluginContext, remote: RemotePlugin): void {
  ctx.cli({
    ...(message["declared"] as unknown as Omit<CliCommand, "run">),
    async run(input: JsonObject, io) {
      const params = { handle: textAt(message, "handle"), input, interactive: io.interactive };
      const status = await shownToUser(`hermes ${textAt(message, "name")}`, remote, () =>
        remote.call("cli.run", params, { signal: io.signal, scope: { take: printer(io), io } }),
      );
      return typeof status === "number" ? status : 0;
    },
  });
}

/** An expected failure or a refusal keeps its message; any other names the plugin. */
async function shownToUser<T>(command: string, remote: RemotePlugin, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof PeerError)) throw cause;
    const thrown = thrownThere(cause);
    if (thrown instanceof UserError) throw thrown;
    if (thrown instanceof ToolFailure) throw new UserError(thrown.message, { hint: thrown.hint, cause });
    remote.log.error(`"${command}" of the plugin "${remote.key}" failed: ${thrown.name}: ${thrown.message}`, {
      stack: thrown.stack ?? "",
    });
    throw new UserError(`"${command}" of the plugin "${remote.key}" failed: ${thrown.name}: ${thrown.message}`, {
      hint: "Run `hermes logs` to see the location.",
      cause,
    });
  }
}

function printer(io: CliIo): (method: string, params: JsonObject) => void {
  return (method, params) => {
    if (method === "cli.output") (params["error"] === true ? io.error : io.out)(textAt(params, "text"));
  };
}
