import assert from "node:assert/strict";
import { test } from "node:test";
import { visibleWidth, type Component, type Terminal } from "@earendil-works/pi-tui";
import { MarkdownView } from "../../markdown/markdown-view.ts";
import { FittedScreen } from "./fitted-screen.ts";
import { themeOf } from "./theme.ts";

const MARKDOWN =
  "# 漢字 heading\n\n1. one\n   - two 😀\n     1. three\n\n| a | 漢 |\n|---|---|\n| x | y |\n\n> quote\n\n```ts\nconst x = 1;\n```\n";

function screenOf(...parts: readonly Component[]): FittedScreen {
  const screen = new FittedScreen({} as Terminal, "/nowhere");
  for (const part of parts) screen.addChild(part);
  return screen;
}

test("cuts every line at the window's width, even in a narrow window and from a custom part", () => {
  const own: Component = { render: () => ["on call: Ada", "\u001b[31m漢字漢字\u001b[39m"], invalidate: () => {} };
  const screen = screenOf(
    new MarkdownView(themeOf({ style: (_: string, text: string) => text } as never).markdown, MARKDOWN),
    own,
  );
  for (let columns = 1; columns <= 30; columns++)
    for (const line of screen.render(columns))
      assert.ok(visibleWidth(line) <= columns, `${columns}: ${JSON.stringify(line)}`);
});

test("does not change a line that fits, or an image", () => {
  const drawn = ["a short line", "\u001b_Gf=100;AAAA\u001b\\"];
  const screen = screenOf({ render: () => drawn, invalidate: () => {} });
  assert.deepEqual(screen.render(12), drawn);
  assert.deepEqual(screen.render(12), drawn);
});

// field: T06
test("a window that is too narrow for any part says so on one line", () => {
  const screen = screenOf({ render: () => ["漢字漢字", "more"], invalidate: () => {} });
  assert.deepEqual(
    [1, 3, 11].map((columns) => screen.render(columns).map((line) => line.replaceAll(/\x1b\[\d*m/g, ""))),
    [["t"], ["too"], ["too narrow"]],
  );
  assert.deepEqual(screen.render(12), ["漢字漢字", "more"]);
});

test("writes a line again only when it has changed, wherever it is", () => {
  let written = "";
  const terminal = {
    columns: 20,
    rows: 10,
    write: (text: string) => void (written += text),
    hideCursor: () => {},
    showCursor: () => {},
  } as unknown as Terminal;
  const lines = ["one", "two", "three"];
  const screen = new FittedScreen(terminal, "/nowhere");
  screen.addChild({ render: () => [...lines], invalidate: () => {} });
  const drawn = (): readonly string[] => {
    written = "";
    screen.renderNow();
    return ["one", "two", "three", "2", "four"].filter((word) => written.includes(`${word}\u001b[0m`));
  };
  assert.deepEqual(drawn(), ["one", "two", "three"]);
  assert.deepEqual(drawn(), []);
  lines[1] = "2";
  assert.deepEqual(drawn(), ["2"]);
  lines.push("four");
  assert.deepEqual(drawn(), ["four"]);
  lines[0] = "one";
  lines[1] = "two";
  assert.deepEqual(drawn(), ["two"]);
});
