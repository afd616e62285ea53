import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve, sep } from "node:path";
import type { Behaviour, BehaviourGroup } from "../behaviour.ts";

const behaviours: readonly Behaviour[] = [
  {
    name: "downloads a user's file unchanged into the home's cache",
    needs: ["files_received"],
    async run({ played, chat, nextMessage }) {
      const home = played.home ?? assert.fail("the other end needs a home");
      const file = { name: "notes.txt", bytes: "Grüße", kind: "document" } as const;
      await played.write(chat, "ada", "please read", { file });
      const { text, media_urls: [path = ""] = [] } = await nextMessage();
      assert.equal(text, "please read");
      assert.equal(await readFile(path, "utf8"), "Grüße");
      assert.ok(resolve(path).startsWith(resolve(home, "cache") + sep), path);
      assert.match(path, /notes\.txt$/);
    },
  },
  {
    name: "a file name cannot lead out of the cache",
    needs: ["files_received"],
    async run({ played, chat, nextMessage }) {
      const file = { name: "../../../.bashrc", bytes: "echo", kind: "document" } as const;
      await played.write(chat, "ada", "here", { file });
      const { media_urls: [path = ""] = [] } = await nextMessage();
      assert.ok(resolve(path).startsWith(resolve(played.home!, "cache") + sep), path);
    },
  },
  {
    name: "a file that is too large becomes a note, and the text still arrives",
    needs: ["files_received"],
    async run({ played, chat, nextMessage }) {
      const file = { name: "huge.bin", bytes: "x", kind: "document", size: 10_000_000_000 } as const;
      await played.write(chat, "ada", "a large one", { file });
      const { text, media_urls = [] } = await nextMessage();
      assert.match(text, /a large one[^]*could not be downloaded/);
      assert.deepEqual(media_urls, []);
    },
  },
  {
    name: "files of a user without access are not fetched",
    needs: ["files_received"],
    options: { config: { welcome: () => false } },
    async run({ played, chat, nextMessage }) {
      const file = { name: "gift.txt", bytes: "boo", kind: "document" } as const;
      await played.write(chat, "ada", "look", { file });
      assert.deepEqual((await nextMessage()).media_urls ?? [], []);
    },
  },
  {
    name: "a voice message is marked as voice",
    needs: ["voice_received"],
    async run({ played, chat, nextMessage }) {
      await played.write(chat, "ada", "", { file: { name: "voice.ogg", bytes: "OggS", kind: "voice" } });
      const { media_urls: [path = ""] = [], voice = [] } = await nextMessage();
      assert.ok(voice.includes(path) || /\.(?:oga|ogg|opus)$/i.test(path), `${path} is not marked`);
    },
  },
  {
    name: "a file arrives with its bytes, its name and its caption",
    needs: ["files_sent"],
    async run({ adapter, played, chat, file }) {
      const path = await file("copy.txt", "Grüße");
      const sent = await adapter.send_document!(chat, path, { file_name: "report.txt", caption: "As promised." });
      assert.notEqual((sent ?? { success: true }).success, false);
      const { name, bytes, caption } = await played.received!();
      assert.deepEqual({ name, bytes, caption }, { name: "report.txt", bytes: "Grüße", caption: "As promised." });
    },
  },
  {
    name: "a file without a caption arrives",
    needs: ["files_sent"],
    async run({ adapter, played, chat, file }) {
      const sent = await adapter.send_document!(chat, await file("plain.txt", "x"), {});
      assert.notEqual((sent ?? { success: true }).success, false);
      const { name, caption } = await played.received!();
      assert.deepEqual([name, caption], ["plain.txt", ""]);
    },
  },
  {
    name: "a missing file is an error, and later messages arrive",
    needs: ["files_sent"],
    async run({ adapter, chat, sends, arrives }) {
      const sent = await Promise.resolve(adapter.send_document!(chat, "/nowhere/gone.txt", {})).catch(
        (cause: NodeJS.ErrnoException) => ({ success: false, error: cause.code }),
      );
      assert.equal(sent?.success, false);
      await sends("and now a text");
      await arrives("and now a text");
    },
  },
  {
    name: "a voice message arrives as one",
    needs: ["voice_sent"],
    async run({ adapter, played, chat, file }) {
      const sent = await adapter.send_voice!(chat, await file("answer.ogg", "OggS"), {});
      assert.notEqual((sent ?? { success: true }).success, false);
      assert.equal((await played.received!()).kind, "voice");
    },
  },
];

export const ATTACHMENTS: BehaviourGroup = { group: "attachments", behaviours };
