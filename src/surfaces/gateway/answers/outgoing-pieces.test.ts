import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutgoingFile } from "../../../contract/conversation/outgoing-file.ts";
import { outgoingPieces } from "./outgoing-pieces.ts";

const file = (name: string): OutgoingFile => ({ kind: "document", name, path: `/o/${name}`, source: `/w/${name}` });
const [a, b] = [file("a.pdf"), file("b.pdf")];

test("makes a short text the first file's caption, sends a longer one first, and files without text alone", () => {
  const pieces = (text: string, maxCaption: number) =>
    outgoingPieces({ text, files: [a, b] }, { maxText: 100, maxCaption });
  assert.deepEqual(pieces("Two files.", 20), [
    { kind: "file", file: a, caption: "Two files." },
    { kind: "file", file: b, caption: "" },
  ]);
  assert.deepEqual(pieces("Two files.", 0), [
    { kind: "text", text: "Two files." },
    { kind: "file", file: a, caption: "" },
    { kind: "file", file: b, caption: "" },
  ]);
  assert.deepEqual(
    pieces("", 20).map(({ kind }) => kind),
    ["file", "file"],
  );
  assert.deepEqual(outgoingPieces({ text: "" }, { maxText: 0, maxCaption: 0 }), [{ kind: "text", text: "" }]);
});
