import assert from "node:assert/strict";
import { test } from "node:test";
import { mediaTags } from "./media-tags.ts";

// req: media.tts-output-format
test("removes tags and their flags, quoted or with spaces in the name", () => {
  assert.deepEqual(mediaTags("Here it is.\n[[audio_as_voice]]\nMEDIA:/home/a/b c.ogg\n\n\nEnjoy."), {
    text: "Here it is.\n\nEnjoy.",
    files: [{ path: "/home/a/b c.ogg" }],
    asVoice: true,
    asDocument: false,
  });
  assert.deepEqual(mediaTags('See MEDIA:`/a/1.PNG`, MEDIA: "~/two 2.pdf" and MEDIA:/a/3.tar.gz.').files, [
    { path: "/a/1.PNG" },
    { path: "~/two 2.pdf" },
    { path: "/a/3.tar.gz" },
  ]);
  assert.equal(mediaTags("See MEDIA:/a/3.png.").text, "See .");
  assert.deepEqual(mediaTags("[[as_document]] MEDIA:/a.png MEDIA:/a.png"), {
    text: "",
    files: [{ path: "/a.png" }],
    asVoice: false,
    asDocument: true,
  });
});

test("leaves tags in code, quotations and JSON, tags without an absolute path, and tags with an unsupported extension", () => {
  for (const text of [
    "```\nMEDIA:/a.png\n```",
    "write `MEDIA:/a.png` in it",
    "> MEDIA:/a.png",
    '{"media_tag":"[[audio_as_voice]]\\nMEDIA:/a.ogg"}',
    "MEDIA:a.png",
    "MEDIA:/etc/passwd",
    'MEDIA:"/a.sqlite"',
    "xMEDIA:/a.png",
    "plain\n\n\n\nwords",
  ])
    assert.deepEqual([mediaTags(text).files, mediaTags(text).text], [[], text]);
});
