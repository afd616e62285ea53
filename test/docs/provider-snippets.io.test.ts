import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { openApp } from "../../src/host/app/open-app.ts";
import { NewUser } from "../end-to-end/support/test-user.ts";
import { pageOf, readPage } from "./read-pages.ts";

const PYTHON = spawnSync("python3", ["--version"]).status === 0;

/** The kind of plugin that each section shows, and the slots that it must fill. */
const SECTIONS: readonly (readonly [page: string, heading: string, kind: string, ...providers: readonly string[]])[] = [
  ["plugins", "Custom model protocols", "standalone", "model/echo"],
  ["plugins", "Model services", "model-provider", "model_profile/acme"],
  ["plugins", "Memory", "exclusive", "memory/my-memory"],
  ["plugins", "Context engines", "standalone", "context/my-engine"],
  ["plugins", "Pictures and videos", "backend", "image_gen/my-imggen", "video_gen/my-films"],
  ["plugins", "Channels", "platform", "platform/myplatform"],
  ["platform-adapters", "Writing one", "platform", "platform/pigeon"],
];

test("in both languages, the guides' snippet for each kind of provider is a plugin that fills its slot", async () => {
  const shown = SECTIONS.flatMap(([page, heading, kind, ...providers], at) => {
    const { text } = readPage(`docs/${page}.md`);
    const [section = ""] = text.slice(new RegExp(`\n##+ ${heading}\n`).exec(text)!.index + 5).split(/^##/m);
    const { fences } = pageOf(heading, section);
    return ["ts", "python"].flatMap((language) => {
      const codes = fences.filter((fence) => fence.language === language).map(({ code }) => code);
      return codes.length === 0 || (language === "python" && !PYTHON)
        ? []
        : [{ name: `shown-${at}-${language}`, heading, kind, providers, language, codes }];
    });
  });
  assert.deepEqual(
    SECTIONS.filter(([, heading]) => !shown.some((one) => one.heading === heading)),
    [],
  );

  using user = new NewUser();
  for (const { name, kind, language, codes } of shown) {
    user.write(
      `~/.hermes/plugins/${name}/plugin.yaml`,
      `name: ${name}\nversion: 1.0.0\ndescription: From the guide.\nkind: ${kind}\noptional_env: [MYPLATFORM_TOKEN, PIGEON_TOKEN]\n`,
    );
    if (language === "ts") user.write(`~/.hermes/plugins/${name}/index.ts`, asModule(codes.join("\n")));
    else user.write(`~/.hermes/plugins/${name}/__init__.py`, registersAll(codes));
  }
  await using app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  for (const { name, heading, language, providers } of shown) {
    const { listing } = await app.plugins.enable(name);
    assert.deepEqual([...listing.registered.providers].sort(), [...providers].sort(), `${heading} in ${language}`);
  }
});

function asModule(code: string): string {
  return /^export /m.test(code)
    ? code
    : `import { textOf } from "hermes-agent/plugin";\nexport const register = (ctx) => {\nvoid textOf;\n${code}\n};\n`;
}

/** Each snippet has a `register` function; a plugin of several snippets calls them all. */
function registersAll(codes: readonly string[]): string {
  const renamed = codes.map((code, at) => code.replace(/^def register\(/m, `def register_${at}(`));
  const calls = codes.flatMap((code, at) => (/^def register\(/m.test(code) ? [`    register_${at}(ctx)`] : []));
  return `${renamed.join("\n")}\n\ndef register(ctx):\n${["    pass", ...calls].join("\n")}\n`;
}
