import { UserError } from "../../../contract/common/failure.ts";

/** Something that draws lines of at most so many columns. */
export interface ScreenPart {
  render(columns: number): string[];
  /** Forgets what was drawn before, where it keeps that. */
  invalidate(): void;
}

/** The named parts of the interactive screen, from top to bottom. A question is shown in the part of its kind, and in no other. */
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

/** Puts the parts in order, with parts of its own between them. What a person answers in may not be left out. */
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

/** The order that a layout makes, once it is known to show every question and to show nothing twice. */
export function arranged(layout: ScreenLayout, parts: ScreenParts): readonly ScreenPart[] {
  const order = layout(parts);
  const lacking = NEEDED.filter((name) => !order.includes(parts[name]));
  if (lacking.length > 0)
    throw new UserError(`The layout of the screen leaves out ${lacking.join(", ")}.`, {
      hint: "What is asked there could not be answered. Return these parts too.",
    });
  if (new Set(order).size !== order.length) throw new UserError("The layout of the screen returns a part twice.");
  return order;
}
