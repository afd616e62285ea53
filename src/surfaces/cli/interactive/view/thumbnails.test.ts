import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setCapabilities, resetCapabilitiesCache, visibleWidth } from "@earendil-works/pi-tui";
import type { ImagePart } from "../../../../contract/conversation/part.ts";
import type { Io } from "../../../shared/process/io.ts";
import { themeOf } from "./theme.ts";
import { Thumbnails } from "./thumbnails.ts";

const theme = themeOf({ style: (_: unknown, text: string) => text } as unknown as Io);
/** One black pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const GIF = { type: "image", mediaType: "image/gif", data: "R0lGODlhAQABAAAAACwAAAAAAQABAAA=" } as const;
const PNG = { type: "image", mediaType: "image/png", data: PIXEL } as const;

function drawn(
  t: TestContext,
  images: "kitty" | "iterm2" | null,
  columns = 60,
  image: ImagePart = PNG,
): readonly string[] {
  setCapabilities({ images, trueColor: true, hyperlinks: true });
  t.after(resetCapabilitiesCache);
  return new Thumbnails([image], theme).render(columns);
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

test("kitty accepts only PNG, so it names the kind and size of other images; iTerm2 shows them", (t) => {
  assert.deepEqual(drawn(t, "kitty", 60, GIF), ["    [Image: [image/gif] 1x1]"]);
  for (let columns = 12; columns < 40; columns++)
    for (const line of drawn(t, "kitty", columns, GIF)) assert.ok(visibleWidth(line) <= columns);
  assert.match(drawn(t, "iterm2", 60, GIF).at(-1)!, /\x1b\]1337;File=/);
});
