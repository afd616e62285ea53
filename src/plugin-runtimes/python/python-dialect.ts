import { UserError } from "../../contract/common/failure.ts";
import { HOOK_KINDS, type HookName } from "../../contract/plugins/hook.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Part } from "../../contract/conversation/part.ts";
import type { PluginContext } from "../../contract/plugins/plugin.ts";
import type { CompatTool } from "../../contract/plugins/compat-context.ts";
import type { SlotName } from "../../contract/plugins/slot-name.ts";
import type { SecretArgument, ToolContext } from "../../contract/tools/tool.ts";
import { fromCompat, type CompatOptions } from "../../engine/tools/compat-tool.ts";
import type { CallScope } from "../process/call-scope.ts";
import { noteRefused, unlessWrong } from "../../host/plugins/registry/refused-registration.ts";
import { HERE_ONLY } from "../serve/needs-agent.ts";
import { answerForAgent, payloadForPython } from "../../host/compat/python-payloads.ts";
import { registerPythonMiddleware } from "./python-middleware.ts";
import { raised } from "./python-raised.ts";
import type { Dialect, RemotePlugin } from "../process/remote-plugin.ts";
import { platformReports } from "./python-platform.ts";
import { pythonProvider } from "../process/remote-provider.ts";
import { imageOf } from "../serve/serve-context.ts";
import { registerCommon } from "../serve/common-registrations.ts";
import { untrustedSource } from "../process/untrusted-source.ts";
import { textAt } from "../process/text-at.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/** Less time than dispatch gives a hook, so that the plugin is ended and not the wait for it. */
const HOOK_MS = 25_000;

/** Registrations of a Python plugin: handlers with the original's arguments, results in the original's format. */
export const pythonDialect: Dialect = {
  register(message, ctx, remote) {
    switch (message["kind"]) {
      case "tool":
        return registerTool(message, ctx, remote);
      case "hook":
        return registerHook(message, ctx, remote);
      case "middleware":
        return registerPythonMiddleware(message, ctx, remote);
      case "provider":
        if (HERE_ONLY.includes(textAt(message, "slot")))
          throw new UserError(
            `The plugin "${ctx.id}" provides a ${textAt(message, "slot")} from another process. Such a provider streams or answers without a promise, which another process cannot do. Write it in TypeScript; for a model service, a profile by register_provider is enough.`,
          );
        ctx.provide(textAt(message, "slot") as SlotName, pythonProvider(message, remote) as never);
        return;
      default:
        registerCommon(message, ctx, remote);
    }
  },
  serve: (method, params, _ctx, remote) =>
    method.startsWith("platform.") ? platformReports(method, params, remote) : undefined,
};

function registerTool(message: JsonObject, ctx: PluginContext, remote: RemotePlugin): void {
  const handle = textAt(message, "handle");
  const needs = message["requires_env"];
  const requires = (Array.isArray(needs) ? (needs as readonly Json[]) : []).map((need) =>
    typeof need === "string" ? need : String((need as JsonObject)["name"]),
  );
  const calls = new WeakMap<AbortSignal, ToolContext>();
  const original: CompatTool = {
    name: textAt(message, "name"),
    ...definedFields({
      toolset: typeof message["toolset"] === "string" && message["toolset"] !== "" ? message["toolset"] : undefined,
    }),
    schema: message["schema"] as JsonObject,
    description: textAt(message, "description"),
    emoji: textAt(message, "emoji") === "" ? undefined : textAt(message, "emoji"),
    requires_env: requires,
    secrets: Array.isArray(message["secrets"])
      ? (message["secrets"] as unknown as readonly SecretArgument[])
      : undefined,
    provenance:
      message["provenance"] === true
        ? async (args: unknown) =>
            untrustedSource(
              await remote.call("tool.provenance", { handle, args: args as JsonObject }, { timeoutMs: HOOK_MS }),
            )
        : undefined,
    check_fn:
      message["checked"] === true
        ? async () => (await remote.call("tool.check", { handle }, { timeoutMs: HOOK_MS })) === true
        : undefined,
    async handler(args, { task_id, session_id, tool_call_id, signal }) {
      const call = calls.get(signal);
      try {
        return await remote.call(
          "tool.call",
          { handle, args, context: { task_id, session_id, tool_call_id, user_task: "" } },
          { signal, scope: call === undefined ? {} : scopeOf(call) },
        );
      } catch (cause) {
        throw raised(cause, remote);
      }
    },
  };
  const options: CompatOptions = {
    prose: true,
    parts: multimodal,
    extraContext: (_, call) => (calls.set(call.signal, call), {}),
  };
  const tool = unlessWrong(
    (reason) => noteRefused(ctx, reason),
    () => fromCompat(original, ctx.id.split("/").at(-1) ?? ctx.id, options),
  );
  if (tool === undefined) return;
  ctx.tool(tool);
  grant(requires, ctx, remote);
}

/** Variables of a registration become known only now, and the plugin reads them from its environment. */
function grant(names: readonly string[], ctx: PluginContext, remote: RemotePlugin): void {
  const values = Object.fromEntries(
    names.flatMap((name) => (ctx.env(name) === undefined ? [] : [[name, ctx.env(name)!]])),
  );
  if (Object.keys(values).length > 0) remote.notify("env", { variables: values });
}

function scopeOf(call: ToolContext): CallScope {
  return {
    fetch: call.fetch,
    serve(method, params) {
      if (method === "ctx.approve")
        return call
          .ask({
            kind: "choice",
            text: `${textAt(params, "reason") || "A plugin asks"}: ${textAt(params, "tool")}`,
            choices: ["once", "deny"],
            other: false,
          })
          .then((answer) => ({
            approved: answer.kind === "text" && answer.text === "once",
            choice: answer.kind === "text" ? answer.text : "deny",
          }));
      if (method === "ctx.ask")
        return call
          .ask({ kind: "text", text: textAt(params, "text"), secret: params["secret"] === true ? true : undefined })
          .then((answer) => (answer.kind === "text" ? answer.text : null));
      return undefined;
    },
    take(method, params) {
      if (method === "progress") call.progress(textAt(params, "text"));
    },
  };
}

/** A result of text and images. */
function multimodal(result: unknown): readonly Part[] | undefined {
  if (typeof result !== "object" || result === null || (result as JsonObject)["_multimodal"] !== true) return undefined;
  const { content, text_summary } = result as { readonly content?: unknown; readonly text_summary?: unknown };
  const parts = (Array.isArray(content) ? (content as readonly JsonObject[]) : []).flatMap((block): readonly Part[] => {
    if (block["type"] === "text") return [{ type: "text", text: String(block["text"] ?? "") }];
    return imageOf(block);
  });
  return parts.some(({ type }) => type === "text")
    ? parts
    : [{ type: "text", text: typeof text_summary === "string" ? text_summary : "(images)" }, ...parts];
}

function registerHook(message: JsonObject, ctx: PluginContext, remote: RemotePlugin): void {
  const handle = textAt(message, "handle");
  const name = textAt(message, "name") as HookName;
  ctx.hook(name, (async (payload: JsonObject) => {
    const given = payloadForPython(name, payload);
    const context = {
      session_id: given["session_id"] ?? given["parent_session_id"] ?? null,
      platform: given["platform"] ?? null,
    };
    const answer = await remote.call(
      "hook.call",
      { handle, hook: name, payload: given, context },
      { timeoutMs: HOOK_MS },
    );
    return HOOK_KINDS[name] === "observe" ? undefined : answerForAgent(name, answer);
  }) as never);
}
