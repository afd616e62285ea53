import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "oxfmt";
import type { Page } from "./page.ts";
import { ROOT } from "./read-snapshot.ts";
import { terminalSums } from "./contracts/terminal-page.ts";

const BEGIN = "<!-- terminals: made by `npm run terminals` -->";
const END = "<!-- /terminals -->";
const READMES = [
  { file: "README.md", heads: ["backend", "real", "double", "skipped", "broken", "not run"] },
  { file: "README.zh-Hans.md", heads: ["终端后端", "真实环境", "替身", "跳过", "未通过", "未运行"] },
];

/** The READMEs with updated tables of terminal backends. */
export function readmeTables(): Promise<readonly Page[]> {
  return Promise.all(
    READMES.map(async ({ file, heads }) => {
      const text = readFileSync(join(ROOT, file), "utf8");
      const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
      if (begin < 0 || end < begin)
        throw new Error(`${file} has no markers for the table of terminals: ${BEGIN} … ${END}`);
      const made = `${text.slice(0, begin + BEGIN.length)}\n\n${terminalSums(heads)}\n\n${text.slice(end)}`;
      return { file: `../../${file}`, text: (await format(file, made, { printWidth: 120 })).code };
    }),
  );
}
