import assert from "node:assert/strict";
import { test } from "node:test";
import type { LlmRequest, PluginContext } from "hermes-agent/plugin";
import { quietLog } from "hermes-agent/testing";
import type { Page } from "./page.ts";
import { summarizePages } from "./summarize-pages.ts";

const page = (content: string, error: string | null = null): Page => ({
  url: "https://tea.example/",
  title: "Tea",
  content,
  error,
});
const LONG = page("x".repeat(5_000));

function scene(settings: { readonly [path: string]: string | number | undefined }, text = "") {
  const asked: LlmRequest[] = [];
  const llm: PluginContext["llm"] = async (request) => {
    asked.push(request);
    return {
      text: text,
      provider: "p",
      model: "m",
      usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 },
    };
  };
  return {
    asked,
    ctx: { llm },
    call: {
      config: (path: string) => settings[path],
      agentHome: "/nowhere",
      log: quietLog(),
      signal: new AbortController().signal,
    },
  };
}

test("asks no model if none is configured, for short pages, and for pages that failed", async () => {
  for (const settings of [
    { "auxiliary.web_extract.timeout": 360 },
    {
      "auxiliary.web_extract.provider": "auto",
      "auxiliary.web_extract.model": "",
      "auxiliary.web_extract.timeout": 360,
    },
  ]) {
    const { asked, call, ctx } = scene(settings);
    assert.deepEqual([await summarizePages([LONG], call, ctx), asked], [[{ page: LONG, whole: false }], []]);
  }
  const { asked, call, ctx } = scene({ "auxiliary.web_extract.model": "m" });
  const pages = [page("x".repeat(4_999)), page("x".repeat(9_999), "The server answered 500.")];
  assert.deepEqual(
    [await summarizePages(pages, call, ctx), asked],
    [pages.map((one) => ({ page: one, whole: false })), []],
  );
});

test("an empty answer leaves the page with a note, and the configured timeout applies", async () => {
  const { asked, call, ctx } = scene(
    { "auxiliary.web_extract.provider": "other", "auxiliary.web_extract.timeout": 7 },
    " \n",
  );
  assert.deepEqual(await summarizePages([LONG], call, ctx), [
    { page: { ...LONG, note: "Not summarized: The model's answer was empty." }, whole: false },
  ]);
  assert.deepEqual(
    asked.map(({ task, timeoutMs }) => [task, timeoutMs]),
    [["web_extract", 7_000]],
  );
});

test("a stopped turn ends the call without a note", async () => {
  const { call } = scene({ "auxiliary.web_extract.model": "m" });
  const llm = async (): Promise<never> => Promise.reject(new Error("stopped"));
  await assert.rejects(summarizePages([LONG], { ...call, signal: AbortSignal.abort() }, { llm }), /stopped/);
});
