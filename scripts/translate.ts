/**
 * `npm run translate -- PAGE [--to FOLDER] [options of hermes chat]`: translates a page of the guides into Simplified
 * Chinese, with the model that
 * hermes uses or the one that `-m` and `--provider` name. If a translation lost part of the page's structure, asks
 * again and names the loss;
 * reports the third incomplete one and does not save it.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pageOf, ROOT } from "../test/docs/read-pages.ts";
import { driftOf, withOwnLinks } from "./translated-page.ts";

const ATTEMPTS = 3;
const ORDER = `Translate this page of documentation into Simplified Chinese (zh-Hans). Answer with only the translated page.
Translate headings, prose and the text of tables. Do not change: fenced blocks, byte for byte, \`inline code\`, addresses of links,
the number and level of headings, names of products, and the terms prompt, token, hook, MCP, ACP and skill.
The line that leads to the other language becomes "[English](ADDRESS)", with its address unchanged.`;

const [page, ...rest] = process.argv.slice(2);
if (page === undefined) {
  console.error("Name a page: npm run translate -- docs/models.md");
  process.exit(2);
}
const to = rest[0] === "--to" ? rest.splice(0, 2)[1]! : join(ROOT, "docs/zh-Hans");
const english = pageOf(page, readFileSync(page, "utf8"));
let complaint = "";
for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
  const text = asked(`${ORDER}${complaint}\n\n${english.text}`);
  const drift = driftOf(english, pageOf(page, text));
  if (drift.length === 0) {
    const file = join(to, basename(page));
    writeFileSync(file, withOwnLinks(english, text));
    console.log(`${file}: written. Review it before you commit it; npm test -- test/docs checks its links.`);
    process.exit(0);
  }
  console.error(
    `Attempt ${attempt} of ${ATTEMPTS} lost part of ${page}:\n${drift.map((line) => `  ${line}`).join("\n")}`,
  );
  complaint = `\n\nAn earlier translation was refused:\n${drift.join("\n")}`;
}
console.error(`${page} could not be translated; nothing was saved.`);
process.exitCode = 1;

/** Some models put the whole page into a fence. */
function asked(question: string): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=hermes-source", join(ROOT, "src/main.ts"), "chat", "-Q", "--ignore-rules", "-q", "-", ...rest],
    { input: question, encoding: "utf8", maxBuffer: 1 << 26 },
  );
  if (status !== 0) {
    console.error(stderr);
    process.exit(1);
  }
  return stdout.replace(/^\s*`{3,}(?:markdown|md)\n([^]*?)\n`{3,}\s*$/, "$1\n").trimStart();
}
