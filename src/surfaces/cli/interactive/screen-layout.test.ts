import assert from "node:assert/strict";
import { test } from "node:test";
import { arranged, defaultLayout, SCREEN_PARTS, type ScreenPart, type ScreenParts } from "./screen-layout.ts";

const parts = Object.fromEntries(
  SCREEN_PARTS.map((name): [string, ScreenPart] => [name, { render: () => [name], invalidate: () => {} }]),
) as unknown as ScreenParts;
const linesOf = (order: readonly ScreenPart[]): readonly string[] => order.flatMap((part) => part.render(80));

// req: cli.extend-layout
test("the default layout has these parts in this order", () => {
  const names = [
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
  ];
  assert.deepEqual(linesOf(arranged(defaultLayout, parts)), names);
});

test("a layout may move parts, leave out informational parts, and add parts", () => {
  const own: ScreenPart = { render: () => ["own"], invalidate: () => {} };
  const { banner: _, spacer: __, status_bar, ...rest } = parts;
  assert.deepEqual(linesOf(arranged(() => [status_bar, ...Object.values(rest), own], parts)).at(-1), "own");
});

test("refuses a layout that hides a question or shows a part twice", () => {
  assert.throws(
    () =>
      arranged(
        (all) => Object.values(all).filter((part) => part !== all.approval_widget && part !== all.model_picker_widget),
        parts,
      ),
    /does not return approval_widget, model_picker_widget\./,
  );
  assert.throws(() => arranged((all) => [...Object.values(all), all.banner], parts), /a part twice/);
});
