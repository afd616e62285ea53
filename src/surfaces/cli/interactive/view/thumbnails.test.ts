import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setCapabilities, resetCapabilitiesCache, visibleWidth } from "@earendil-works/pi-tui";
import type { Io } from "../../../shared/process/io.ts";
import { themeOf } from "./theme.ts";
import { Thumbnails } from "./thumbnails.ts";

const theme = themeOf({ style: (_: unknown, text: string) => text } as unknown as Io);
/** One black pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

function drawn(t: TestContext, images: "kitty" | "iterm2" | null, columns = 60): readonly string[] {
  setCapabilities({ images, trueColor: true, hyperlinks: true });
  t.after(resetCapabilitiesCache);
  return new Thumbnails([{ type: "image", mediaType: "image/png", data: PIXEL }], theme).render(columns);
}

test("an image is a small picture in the protocol of the terminal", (t) => {
  const kitty = drawn(t, "kitty");
  assert.match(kitty[0]!, /^ {4}\x1b_G/);
  assert.ok(kitty.length <= 10);
  const iterm = drawn(t, "iterm2");
  assert.match(iterm.at(-1)!, /\x1b\]1337;File=/);
  assert.ok(iterm.length <= 10);
});

test("elsewhere its kind and size are named, also in a narrow window", (t) => {
  assert.deepEqual(drawn(t, null), ["    [Image: [image/png] 1x1]"]);
  for (let columns = 12; columns < 40; columns++)
    for (const line of drawn(t, null, columns)) assert.ok(visibleWidth(line) <= columns);
});
