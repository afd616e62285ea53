import { defineTool, type AnyTool } from "hermes-agent/plugin";
import { types } from "./keys.ts";
import { COMMON, type ToolPorts } from "./tool-ports.ts";

const ref = { type: "string", description: "Snapshot ref: @e1" } as const;

/** Tools that use a page as its visitor does: click, type, scroll, go back and press keys. */
export function interactionTools(
  { load, words, sends, fills, uses }: ToolPorts,
  redact: (text: string) => string,
): readonly AnyTool[] {
  return [
    defineTool({
      ...COMMON,
      name: "browser_click",
      title: "Click {ref}",
      description: "Click an element.",
      input: { type: "object", properties: { ref }, required: ["ref"] },
      effect: "network",
      // It sends what the page holds already, but which of its links it follows may say something.
      assess: async ({ ref: given }, call) => ({ untrusted: words(call), egress: await uses(call, given) }),
      async execute({ ref: given }, call) {
        const [{ click }, held] = await Promise.all([import("./act.ts"), load()]);
        return held.use(call, {}, async (page, { refs }) => {
          await click(page, refs(page).node(given, page.documents), given, held.stepMs);
          return { success: true, clicked: named(given) };
        });
      },
    }),
    defineTool({
      ...COMMON,
      name: "browser_type",
      title: "Type into {ref}",
      description: "Replace a field's text.",
      input: { type: "object", properties: { ref, text: { type: "string" } }, required: ["ref", "text"] },
      effect: "network",
      assess: async ({ ref: given, text }, call) => ({
        untrusted: words(call),
        egress: await fills(given, text, call),
      }),
      async execute({ ref: given, text }, call) {
        const [{ type }, held] = await Promise.all([import("./act.ts"), load()]);
        return held.use(call, {}, async (page, { refs }) => {
          await type(page, refs(page).node(given, page.documents), given, text, held.stepMs);
          return { success: true, typed: redact(text), element: named(given) };
        });
      },
    }),
    defineTool({
      ...COMMON,
      name: "browser_scroll",
      title: "Scroll[ {direction}]",
      description: "Scrolls 500 px.",
      input: {
        type: "object",
        properties: { direction: { type: "string", enum: ["up", "down"] } },
        required: ["direction"],
      },
      effect: "network",
      assess: (_, call) => ({ untrusted: words(call), egress: [] }),
      async execute({ direction }, call) {
        const [{ scroll }, held] = await Promise.all([import("./act.ts"), load()]);
        return held.use(call, {}, async (page) => {
          await scroll(page, direction);
          return { success: true, scrolled: direction };
        });
      },
    }),
    defineTool({
      ...COMMON,
      name: "browser_back",
      title: "Go back",
      description: "Go back one page.",
      input: { type: "object", properties: {} },
      effect: "network",
      assess: (_, call) => ({ untrusted: words(call), egress: [] }),
      async execute(_, call) {
        const [{ back }, held] = await Promise.all([import("./act.ts"), load()]);
        return held.use(call, {}, async (page) => ({ success: true, url: await back(page, held.stepMs) }));
      },
    }),
    defineTool({
      ...COMMON,
      name: "browser_press",
      title: "Press {key}",
      description: "Press a key.",
      input: {
        type: "object",
        properties: { key: { type: "string", description: "Enter, Tab, Control+A" } },
        required: ["key"],
      },
      effect: "network",
      assess: async ({ key }, call) => ({
        untrusted: words(call),
        egress: types(key) ? sends(key, call) : await uses(call),
      }),
      async execute({ key }, call) {
        const [{ press }, held] = await Promise.all([import("./act.ts"), load()]);
        return held.use(call, {}, async (page) => {
          await press(page, key, held.stepMs);
          return { success: true, pressed: key };
        });
      },
    }),
  ];
}

function named(ref: string): string {
  return ref.startsWith("@") ? ref : `@${ref}`;
}
