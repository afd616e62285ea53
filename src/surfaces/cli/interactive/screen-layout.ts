import { UserError } from "../../../contract/common/failure.ts";

/** A component that draws lines of at most `columns` columns. */
export interface ScreenPart {
  render(columns: number): readonly string[];
  /** Clears cached lines, if it has any. */
  invalidate(): void;
}

/** The named parts of the interactive screen, from top to bottom. Each kind of question appears only in its part. */
export const SCREEN_PARTS = [
  "banner",
  "conversation",
  "waiting_inputs",
  "approval_widget",
  "secret_widget",
  "clarify_widget",
  "model_picker_widget",
  "spacer",
  "image_bar",
  "input_area",
  "status_bar",
] as const;

export type ScreenPartName = (typeof SCREEN_PARTS)[number];
export type ScreenParts = { readonly [name in ScreenPartName]: ScreenPart };

/** Arranges the parts, and may add parts. It must return the parts in which the user answers. */
export type ScreenLayout = (parts: ScreenParts) => readonly ScreenPart[];

export const defaultLayout: ScreenLayout = (parts) => SCREEN_PARTS.map((name) => parts[name]);

const NEEDED: readonly ScreenPartName[] = [
  "conversation",
  "approval_widget",
  "secret_widget",
  "clarify_widget",
  "model_picker_widget",
  "input_area",
];

/** The layout's order. Throws if a required part is missing or a part occurs twice. */
export function arranged(layout: ScreenLayout, parts: ScreenParts): readonly ScreenPart[] {
  const order = layout(parts);
  const lacking = NEEDED.filter((name) => !order.includes(parts[name]));
  if (lacking.length > 0)
    throw new UserError(`The screen layout does not return ${lacking.join(", ")}.`, {
      hint: "Return these parts too; without them the user cannot answer questions.",
    });
  if (new Set(order).size !== order.length) throw new UserError("The screen layout returns a part twice.");
  return order;
}
