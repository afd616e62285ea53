import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { axeViolations } from "../support/axe.ts";
import { Browser, NO_BROWSER } from "../support/browser.ts";
import { FilledDashboard } from "../support/filled-dashboard.ts";
import { comparePicture, shareOfDifferent } from "../support/thumbnail.ts";

const PAGE = join(import.meta.dirname, "../../../src/surfaces/dashboard/page");
const PICTURES = join(import.meta.dirname, "pictures");
const NAMES = [
  "status",
  "chat",
  "approvals",
  "sessions",
  "usage",
  "config",
  "keys",
  "plugins",
  "skills",
  "mcp",
  "memory",
  "checkpoints",
  "gateway",
  "cron",
  "logs",
];
const PICTURED = ["usage", "skills", "mcp", "memory", "checkpoints", "gateway"];
const LOOKS = [
  { look: "light", language: "en", width: 1180, height: 885 },
  { look: "dark", language: "zh-Hans", width: 390, height: 844 },
] as const;

/** Waits for two frames, after which the layout is stable. */
const STILL = "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))";

for (const { look, language, width, height } of LOOKS)
  test(
    `no page violates an axe rule, shifts its layout or differs from its picture (${look}, ${language}, ${width} px)`,
    { skip: NO_BROWSER },
    async () => {
      await using filled = await FilledDashboard.open();
      const { scene } = filled;
      await using browser = await Browser.open();
      await browser.size(width, height);
      await browser.go(scene.link);
      await browser.until('document.body.dataset.ready === "status"');
      await browser.value(
        `localStorage.setItem("hermes-look", "${look}"); localStorage.setItem("hermes-language", "${language}")`,
      );
      const problems: string[] = [];
      for (const name of NAMES) {
        await browser.go("about:blank");
        await browser.go(`${scene.url}#/${name}`);
        await browser.until(`document.body?.dataset.ready === "${name}"`);
        await browser.value(STILL);
        const shift = await browser.value(
          'new Promise((resolve) => { let sum = 0; new PerformanceObserver((list) => { for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value; }).observe({ type: "layout-shift", buffered: true }); setTimeout(() => resolve(String(sum)), 100); })',
        );
        if (Number(shift) > 0.01) problems.push(`${name}: the layout shifts by ${shift}`);
        if ((await browser.value("document.documentElement.scrollWidth <= innerWidth")) !== true)
          problems.push(`${name}: wider than the window`);
        problems.push(...(await axeViolations(browser)).map((violation) => `${name}: ${violation}`));
        if (!PICTURED.includes(name)) continue;
        const difference = await comparePicture(browser, join(PICTURES, `${name}-${look}-${width}.txt`));
        if (difference !== undefined) problems.push(difference);
      }
      assert.deepEqual(problems, []);
      assert.deepEqual(browser.complaints, []);
    },
  );

test("the picture comparison finds a difference between two looks, and none within one picture", () => {
  const read = (name: string): readonly string[] =>
    readFileSync(join(PICTURES, `${name}.txt`), "utf8")
      .trimEnd()
      .split("\n");
  assert.equal(shareOfDifferent(read("usage-light-1180"), read("usage-light-1180")), 0);
  assert.ok(shareOfDifferent(read("usage-light-1180"), read("usage-dark-390")) > 0.5);
});

test("the first page is at most 150 kB compressed", async () => {
  await using bundle = await rolldown({
    platform: "browser",
    input: { main: join(PAGE, "main.ts") },
    external: ["/page/xterm.mjs"],
  });
  const { output } = await bundle.generate({ format: "esm", minify: true, entryFileNames: "[name].js" });
  const chunks = new Map(output.flatMap((one) => (one.type === "chunk" ? [[one.fileName, one] as const] : [])));
  /** What the browser loads before the page is there: later imports come with the pages that need them. */
  const first = new Set(["main.js"]);
  for (const name of first) for (const imported of chunks.get(name)?.imports ?? []) first.add(imported);
  const html = readFileSync(join(PAGE, "index.html"), "utf8");
  const sheets = [...html.matchAll(/href="\/page\/([\w-]+\.css)"/g)].map(([, name]) => name!);
  const parts = [
    ...[...first].flatMap((name) => chunks.get(name)?.code ?? []),
    ...[...sheets, "index.html", "icon.svg"].map((name) => readFileSync(join(PAGE, name), "utf8")),
  ];
  const bytes = parts.reduce((sum, text) => sum + gzipSync(text).length, 0);
  assert.ok(bytes <= 150_000, `${bytes} bytes`);
  assert.ok(bytes > 15_000, `only ${bytes} bytes: a part is missing`);
});
