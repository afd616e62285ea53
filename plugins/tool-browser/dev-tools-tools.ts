import { socketAddress } from "hermes-agent/browser";
import { definedFields, defineTool, type AnyTool, type Availability } from "hermes-agent/plugin";
import { questionAbout } from "./methods.ts";
import type { ToolPorts } from "./tool-ports.ts";

/**
 * browser_cdp and browser_dialog, for the user's own browser.
 * @param connected The user connected one for this run; otherwise a setting must name it.
 */
export function devToolsTools({ load, words, sends }: ToolPorts, connected: boolean): readonly AnyTool[] {
  const common = {
    toolset: "browser-cdp",
    emoji: "🌐",
    ...definedFields({ needsOneOf: connected ? undefined : ["setting:browser.cdp_url"] }),
    refusal: { success: false },
    effect: "network" as const,
    async available(): Promise<Availability> {
      const { endpoint } = await load();
      if (endpoint === undefined) return { ok: false, reason: "Your browser is not connected." };
      return socketAddress(endpoint).then(
        () => ({ ok: true }),
        (cause: Error) => ({ ok: false, reason: cause.message }),
      );
    },
  };
  return [
    defineTool({
      ...common,
      name: "browser_cdp",
      description: "Send a DevTools command to the connected browser.",
      input: {
        type: "object",
        properties: {
          method: { type: "string" },
          params: { type: "object", additionalProperties: true },
          target_id: { type: "string" },
          frame_id: { type: "string" },
          timeout: { type: "number", description: "Seconds, at most 300" },
        },
        required: ["method"],
      },
      timeoutMs: 330_000,
      assess({ method, params, target_id, frame_id }, call) {
        const question = questionAbout(
          method,
          (frame_id ?? target_id ?? (params as { readonly targetId?: unknown } | undefined)?.targetId) !== undefined,
        );
        return {
          untrusted: words(call),
          egress: sends(`${method} ${JSON.stringify(params ?? {})}`, call),
          risk: question && { answer: "ask", key: question.key, reasons: [question.reason], effects: [] },
        };
      },
      async execute(input, call) {
        const { sendRaw } = await import("./raw.ts");
        return sendRaw(await load(), input as Parameters<typeof sendRaw>[1], call);
      },
    }),
    defineTool({
      ...common,
      name: "browser_dialog",
      description: "Answer the page's dialog.",
      input: {
        type: "object",
        properties: {
          action: { type: "string", enum: ["accept", "dismiss"] },
          prompt_text: { type: "string" },
          dialog_id: { type: "string" },
        },
        required: ["action"],
      },
      timeoutMs: 90_000,
      assess: ({ prompt_text }, call) => ({
        untrusted: words(call),
        egress: prompt_text === undefined ? [] : sends(prompt_text, call),
      }),
      async execute(input, call) {
        const { answerDialog } = await import("./raw.ts");
        return answerDialog(await load(), input, call);
      },
    }),
  ];
}
