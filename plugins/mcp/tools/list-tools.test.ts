import assert from "node:assert/strict";
import { test } from "node:test";
import { listOffer } from "./list-tools.ts";
import { definedFields } from "hermes-agent/plugin";

const offer = (pages: readonly (readonly object[])[]) => {
  const asked: unknown[] = [];
  const client = {
    getServerCapabilities: () => ({ tools: {}, prompts: {} }),
    request: async ({ params }: { readonly params: { readonly cursor?: string } }) => {
      asked.push(params.cursor);
      const at = Number(params.cursor ?? 0);
      return {
        tools: pages[at % pages.length],
        ...definedFields({ nextCursor: at + 1 < pages.length ? String(at + 1) : undefined }),
      };
    },
  };
  return listOffer(client as never, 60_000).then((listing) => ({ ...listing, asked }));
};
const named = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, at) => ({ name: `t${String(at).padStart(4, "0")}`, ...more }));

test("lists the tools of all pages sorted by name, with the server's other capabilities", async () => {
  const { tools, has, refused, asked } = await offer([
    [{ name: "b" }],
    [{ name: "a" }, { name: "b", description: "The later one." }],
  ]);
  assert.deepEqual(
    [tools.map(({ name, description }) => [name, description]), has, refused, asked],
    [
      [
        ["a", "The tool a."],
        ["b", "The later one."],
      ],
      ["prompts"],
      ['the first "b": it is listed twice'],
      [undefined, "1"],
    ],
  );
});

test("reports skipped tools in few lines, however many a server offers", async () => {
  const { tools, refused } = await offer([named(50_000), named(5_000, { inputSchema: { type: "string" } })]);
  assert.deepEqual(
    [tools.length, refused.length, refused[0], ...refused.slice(-2)],
    [
      200,
      12,
      '"t0000": its schema does not describe an object',
      "4990 more invalid tools",
      "49800 tools beyond the first 200",
    ],
  );
});

test("reads at most fifty pages from a server whose tool list never ends", async () => {
  const { asked } = await offer(Array.from({ length: 80 }, () => [{ name: "a" }]));
  assert.equal(asked.length, 50);
});
