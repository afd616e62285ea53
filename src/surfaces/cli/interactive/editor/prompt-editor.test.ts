import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { TUI } from "@earendil-works/pi-tui";
import type { Io } from "../../../shared/process/io.ts";
import { bindKeys } from "../keys/bindings.ts";
import { themeOf } from "../view/theme.ts";
import { PromptEditor } from "./prompt-editor.ts";

const theme = themeOf({ style: (_: unknown, text: string) => text } as unknown as Io);
const [UNDO, REDO, LEFT, ESCAPE] = ["\x1f", "\x1b-", "\x1b[D", "\x1b"];

beforeEach(() => void bindKeys());

function open({ vim = false, takes }: { readonly vim?: boolean; readonly takes?: (text: string) => boolean } = {}) {
  const tui = { requestRender: () => {}, terminal: { rows: 24, columns: 80 } } as unknown as TUI;
  const editor = new PromptEditor(tui, theme.editor, { vim: () => vim, pasted: takes ?? (() => false) });
  const type = (...keys: readonly string[]): void => keys.forEach((key) => editor.handleInput(key));
  return { editor, type };
}

/** The editor loads Vim's commands at the first key. */
async function loaded(): Promise<void> {
  await import("./vim-keys.ts");
  await setImmediate();
}

test("redo brings back what undo took, with the cursor where it was", () => {
  const { editor, type } = open();
  type(..."one two", LEFT, LEFT, LEFT);
  type(..."more ");
  assert.equal(editor.getText(), "one more two");
  const cursor = editor.getCursor();
  type(UNDO, UNDO, UNDO);
  assert.notEqual(editor.getText(), "one more two");
  type(REDO, REDO, REDO, REDO);
  assert.equal(editor.getText(), "one more two");
  assert.deepEqual(editor.getCursor(), cursor);
  type(UNDO);
  type("x", REDO);
  assert.ok(editor.getText().includes("x"), "a new change ends what can be redone");
});

test("a long paste survives undo and redo", () => {
  const { editor, type } = open();
  const long = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n");
  type(`\x1b[200~${long}\x1b[201~`);
  assert.equal(editor.getExpandedText(), long);
  type(UNDO);
  assert.equal(editor.getText(), "");
  type(REDO);
  assert.equal(editor.getExpandedText(), long);
});

test("a paste that is taken over does not become text", () => {
  const seen: string[] = [];
  const { editor, type } = open({ takes: (text) => seen.push(text) === 1 });
  type("\x1b[200~/tmp/a.png\x1b[201~", "\x1b[200~words\x1b[201~");
  assert.deepEqual(seen, ["/tmp/a.png", "words"]);
  assert.equal(editor.getText(), "words");
});

test("Vim keys edit, undo and redo, and the border shows the mode", async () => {
  const { editor, type } = open({ vim: true });
  type(..."one two three");
  await loaded();
  assert.ok(editor.takesEscape);
  type(ESCAPE);
  assert.ok(!editor.takesEscape, "a second Escape stops the turn");
  assert.match(editor.render(40)[0]!, /─ normal ──$/);
  type("b", "d", "w");
  assert.equal(editor.getText(), "one two ");
  type("u");
  assert.equal(editor.getText(), "one two three");
  type("\x12");
  assert.equal(editor.getText(), "one two ");
  type("0", "c", "w", ..."six", ESCAPE);
  assert.equal(editor.getText(), "six two ");
  type("d");
  assert.match(editor.render(40)[0]!, /─ normal d ──$/);
  type(ESCAPE, "x");
  assert.equal(editor.getText(), "si two ");
});

test("Vim keys that arrive before the commands are loaded work afterwards, in their order", async () => {
  const { editor, type } = open({ vim: true });
  type(..."one two", ESCAPE, "b", "c", "w", "x");
  assert.equal(editor.getText(), "one two");
  await loaded();
  assert.equal(editor.getText(), "one x");
});

test("without the setting, no key is Vim's", () => {
  const { editor, type } = open();
  type(..."one", ESCAPE, "x");
  assert.equal(editor.getText(), "onex");
  assert.match(editor.render(40)[0]!, /^─+$/);
});

test("Enter sends from normal mode, and the next message begins in insert mode", () => {
  const { editor, type } = open({ vim: true });
  const sent: string[] = [];
  editor.onSubmit = (text) => void sent.push(text);
  type(..."hello", ESCAPE, "\r", ..."next");
  assert.deepEqual(sent, ["hello"]);
  assert.equal(editor.getText(), "next");
});
