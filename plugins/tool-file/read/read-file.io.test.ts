import assert from "node:assert/strict";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { lacksProgram } from "hermes-agent/testing";
import { quoted } from "hermes-agent/plugin";
import { openFileBench } from "../testing/file-bench.ts";
import { elsewhere } from "../testing/backends.ts";

// req: tool-file.read-file
test("reads a file in the environment where the task's command wrote it", async () => {
  await using bench = await openFileBench();
  await bench.run("mkdir -p deep && printf 'one\\ntwo\\n' > deep/made.txt");
  assert.equal((await bench.call("read_file", { path: "deep/made.txt" })).content, "1|one\n2|two\n3|");
  await bench.write("home.txt", "x");
  assert.equal((await bench.call("read_file", { path: `~/../work/home.txt` })).content, "1|x");
});

// req: tool-file.read-file
test("distinguishes a directory, a pipe and a device from a file, also through links", async () => {
  await using bench = await openFileBench();
  await bench.run("mkdir d; mkfifo p; ln -s /dev/zero zero; ln -s zero again; printf abc > f; ln -s f link");
  assert.match((await bench.call("read_file", { path: "d" })).error, /is a directory/);
  assert.match((await bench.call("read_file", { path: "p" })).error, /neither a file nor a directory/);
  assert.match((await bench.call("read_file", { path: "again" })).error, /device/);
  assert.match((await bench.call("read_file", { path: "/proc/self/environ" })).error, /process/);
  assert.equal((await bench.call("read_file", { path: "link" })).content, "1|abc");
});

// req: tool-file.read-file
test("hints count lines as the page numbers them, with or without a final line end", async () => {
  await using bench = await openFileBench();
  await bench.write("open.txt", "a\nb\nc");
  await bench.write("closed.txt", "a\nb\nc\n");
  await bench.write("one.txt", "a\n");
  for (const path of ["open.txt", "closed.txt"]) {
    assert.equal(
      (await bench.call("read_file", { path, offset: 2, limit: 1 })).hint,
      "Lines 2-2 of 3 shown; continue with offset=3.",
    );
    assert.equal(
      (await bench.call("read_file", { path, offset: 9 })).hint,
      "offset 9 is beyond the end of the file, which has 3 lines.",
    );
  }
  assert.equal(
    (await bench.call("read_file", { path: "one.txt", offset: 9 })).hint,
    "offset 9 is beyond the end of the file, which has 1 line.",
  );
});

// req: tool-file.read-file
test("cuts long lines, long pages and large files, and says how to read on", async () => {
  await using bench = await openFileBench({ config: { file_read_max_chars: 1_000, "tool_output.max_lines": 300 } });
  await bench.write("long.txt", `${"x".repeat(2_500)}\nshort\n`);
  assert.equal(
    (await bench.call("read_file", { path: "long.txt", limit: 1 })).content,
    `1|${"x".repeat(2_000)}... [truncated]`,
  );
  await bench.write("wide.txt", Array.from({ length: 400 }, (_, index) => `line number ${index + 1}\n`).join(""));
  const first = await bench.call("read_file", { path: "wide.txt", limit: 9_999 });
  assert.deepEqual([first.truncated, first.truncated_by, first.total_lines], [true, "bytes", 400]);
  assert.ok(first.content.length <= 1_000);
  const second = await bench.call("read_file", { path: "wide.txt", offset: first.next_offset });
  assert.ok(second.content.startsWith(`${first.next_offset}|line number ${first.next_offset}\n`));
  await bench.write("large.txt", "0123456789\n".repeat(1_200_000));
  const large = await bench.call("read_file", { path: "large.txt", limit: 20 });
  assert.deepEqual([large.total_lines, large.truncated, large.file_size], [1_200_000, true, 13_200_000]);
  assert.equal(
    (await bench.call("read_file", { path: "large.txt", offset: 1_200_000 })).content,
    "1200000|0123456789\n1200001|",
  );
});

// req: tool-file.read-file
test("does not repeat a page until the file changes or the model insists", async () => {
  await using bench = await openFileBench();
  await bench.write("f.txt", "a\n");
  const read = (options?: { task: string }) => bench.call("read_file", { path: "f.txt" }, options);
  assert.equal((await read()).content, "1|a\n2|");
  assert.equal((await read()).status, "unchanged");
  assert.equal((await read({ task: "other" })).content, "1|a\n2|", "another task has not received the page");
  assert.equal((await read()).already_read, 3);
  assert.equal((await read()).content, "1|a\n2|", "a third read returns the text: the model no longer has it");
  bench.otherTool();
  assert.equal((await read()).status, "unchanged");
  await bench.call("write_file", { path: "f.txt", content: "b\n" });
  assert.equal((await read()).content, "1|b\n2|");
  await bench.run("printf 'cc\\n' > f.txt");
  assert.equal((await read()).content, "1|cc\n2|");
});

test("a page that code read is still shown to the model, and a page the model saw is still given to code", async () => {
  await using bench = await openFileBench();
  await bench.write("f.txt", "a\n");
  const read = async (by: "model" | "plugin") => (await bench.call("read_file", { path: "f.txt" }, { by })).content;
  assert.deepEqual(
    [
      await read("plugin"),
      await read("model"),
      await read("plugin"),
      await read("plugin"),
      await read("plugin"),
      await read("model"),
    ],
    ["1|a\n2|", "1|a\n2|", "1|a\n2|", "1|a\n2|", "1|a\n2|", undefined],
  );
  const search = async (by: "model" | "plugin") => (await bench.call("search_files", { pattern: "a" }, { by })).error;
  for (let time = 0; time < 5; time += 1) assert.equal(await search("plugin"), undefined);
});

// req: tool-file.read-file
test("notebooks, Word documents and spreadsheets are read as text", { skip: lacksProgram("python3") }, async () => {
  await using bench = await openFileBench();
  await bench.write(
    "n.ipynb",
    JSON.stringify({
      cells: [
        { cell_type: "markdown", source: ["# Title\n", "words"] },
        { cell_type: "code", source: "1 + 1", outputs: [{ data: { "text/plain": ["2"] } }] },
      ],
    }),
  );
  const notebook = await bench.call("read_file", { path: "n.ipynb" });
  assert.deepEqual(
    [notebook.extracted_document, notebook.content],
    [true, "1|# [1] markdown\n2|# Title\n3|words\n4|\n5|# [2] code\n6|1 + 1\n7|# output\n8|2\n9|"],
  );
  const zip = (name: string, entries: Record<string, string>) =>
    bench.run(
      `python3 -c ${quoted(`import json,zipfile
z=zipfile.ZipFile(${JSON.stringify(name)},"w",zipfile.ZIP_DEFLATED)
for k,v in json.loads(${JSON.stringify(JSON.stringify(entries))}).items(): z.writestr(k,v)
z.close()`)}`,
    );
  await zip("d.docx", {
    "word/document.xml":
      '<w:document><w:body><w:p><w:r><w:t>Hello</w:t><w:tab/><w:t xml:space="preserve"> &amp; more</w:t></w:r></w:p><w:p><w:r><w:t>second</w:t></w:r></w:p></w:body></w:document>',
  });
  assert.equal((await bench.call("read_file", { path: "d.docx" })).content, "1|Hello\t & more\n2|second\n3|");
  await zip("s.xlsx", {
    "xl/workbook.xml": '<workbook><sheets><sheet name="Q&amp;A" sheetId="1"/></sheets></workbook>',
    "xl/sharedStrings.xml": "<sst><si><t>name</t></si><si><r><t>ri</t></r><r><t>ch</t></r></si></sst>",
    "xl/worksheets/sheet1.xml":
      '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row r="2"><c r="A2"><v>4.5</v></c><c r="B2" t="inlineStr"><is><t>in</t></is></c></row></sheetData></worksheet>',
  });
  assert.equal((await bench.call("read_file", { path: "s.xlsx" })).content, "1|# Q&A\n2|name\t\trich\n3|4.5\tin\n4|");
  await zip("gaps.xlsx", {
    "xl/worksheets/sheet1.xml":
      '<worksheet><sheetData><row r="1"/><row r="2"><c r="A2"/><c r="B2"><f>1+1</f><v>2</v></c></row></sheetData></worksheet>',
  });
  assert.equal(
    (await bench.call("read_file", { path: "gaps.xlsx" })).content,
    "1|# xl/worksheets/sheet1.xml\n2|\n3|\t2\n4|",
  );
  await bench.write("broken.docx", "not a zip");
  assert.match((await bench.call("read_file", { path: "broken.docx" })).error, /not a readable .docx/);
});

// req: tool-file.read-file
test(
  "reads or refuses at once a document built to waste the reader's time or memory",
  { skip: lacksProgram("python3") },
  async () => {
    await using bench = await openFileBench();
    const zip = (name: string, script: string) =>
      bench.run(
        `python3 -c ${quoted(`import zipfile
with zipfile.ZipFile(${JSON.stringify(name)},"w",zipfile.ZIP_DEFLATED) as z:
${script}`)}`,
      );
    await zip("open.docx", ` z.writestr("word/document.xml","<w:p>"+"<w:t>"*2000000+"</w:p>")`);
    assert.equal((await bench.call("read_file", { path: "open.docx" })).content, "1|\n2|");
    await zip("bomb.xlsx", ` for n in (1,2): z.writestr(f"xl/worksheets/sheet{n}.xml","<row>"+" "*26000000)`);
    assert.match((await bench.call("read_file", { path: "bomb.xlsx" })).error, /has more than 50 MB of text/);
    await zip("wide.xlsx", ` z.writestr("xl/worksheets/sheet1.xml",'<row><c r="ZZ1"/>'*100000)`);
    assert.match((await bench.call("read_file", { path: "wide.xlsx" })).error, /cells have more than 50 MB/);
  },
);

// req: tool-file.read-file
test("reads a spilled result from this machine if the terminal backend is remote, and no other local file", async () => {
  await using bench = await openFileBench({ wrap: elsewhere });
  await writeFile(join(bench.scratch, "call.txt"), "spilled\nwords\n");
  await writeFile(join(bench.home, "secret.txt"), "secret");
  await symlink(join(bench.home, "secret.txt"), join(bench.scratch, "way-out"));
  const spilled = await bench.call("read_file", { path: join(bench.scratch, "call.txt"), offset: 2 });
  assert.equal(spilled.content, "2|words\n3|");
  assert.match((await bench.call("read_file", { path: join(bench.home, "secret.txt") })).error, /not found/i);
  assert.match((await bench.call("read_file", { path: join(bench.scratch, "way-out") })).error, /not found/i);
});

// field: F10
test("treats a name that begins with a tilde as a name", async () => {
  await using bench = await openFileBench();
  for (const name of ["~draft.txt", "~$notes.txt", "~nosuchuser/a.txt"]) {
    await bench.write(name, "text\n");
    assert.equal((await bench.call("read_file", { path: name })).content, "1|text\n2|");
  }
  assert.match(
    (await bench.call("read_file", { path: "%2e%2e/x" }).catch((error: Error) => ({ error: error.message }))).error,
    /disguises/,
  );
});
