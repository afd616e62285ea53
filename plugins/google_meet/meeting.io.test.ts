import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { findChromium } from "hermes-agent/browser";
import type { ToolFailure } from "hermes-agent/plugin";
import { type GuardedProxy } from "hermes-agent/plugin";
import { Meeting } from "./meeting.ts";
import { waitFor } from "hermes-agent/testing";

const PAGE = (body: string) => `<!doctype html><title>Meet</title><body>${body}`;
const IN_CALL = PAGE(
  `<button aria-label="Leave call" onclick="document.body.innerHTML='<h1>You left the meeting</h1>'">x</button><div role="region" aria-label="Captions"><div><div>Ann</div><div>Good morning</div></div></div>`,
);

/** A site, and a guard that allows it and refuses the given addresses. */
async function scene() {
  const folder = mkdtempSync(join(tmpdir(), "hermes-meeting-"));
  const pages: { [path: string]: string } = {
    "/in": IN_CALL,
    "/asks": PAGE("Asking to be let in"),
    "/denied": PAGE("You can't join this call"),
  };
  const site = createServer(
    (asked, reply) =>
      void reply
        .writeHead(pages[asked.url ?? ""] === undefined ? 404 : 200, { "content-type": "text/html" })
        .end(pages[asked.url ?? ""]),
  );
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  const proxy = createServer((asked, reply) => {
    const onward = request(
      { host: "127.0.0.1", port, path: new URL(asked.url ?? "", "http://x").pathname, method: asked.method },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      },
    );
    onward.on("error", () => reply.destroy()).end();
  });
  let refusal: string | undefined;
  const guard: GuardedProxy = {
    serve: (connection) => void proxy.emit("connection", connection as Socket),
    judge: async () => refusal,
    [Symbol.dispose]: () => undefined,
  };
  const origin = `http://127.0.0.1:${port}`;
  const socket = () => Promise.reject(new Error("the test must not connect to a user's browser"));
  return {
    folder,
    refuse: (words: string) => void (refusal = words),
    join: (path: string, more: { readonly longestMs?: number; readonly signal?: AbortSignal } = {}) =>
      Meeting.join(
        { home: folder, proxy: async () => guard, socket },
        {
          id: path,
          url: `${origin}/${path}`,
          name: "Hermes Agent",
          longestMs: more.longestMs,
          signal: more.signal ?? new AbortController().signal,
        },
      ),
    async [Symbol.asyncDispose]() {
      site.closeAllConnections();
      proxy.closeAllConnections();
      await new Promise((resolve) => site.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function comes(what: () => boolean): Promise<void> {
  await waitFor(what);
  assert.ok(what());
}

describe("a meeting", { skip: findChromium() === undefined && "there is no Chromium here" }, () => {
  // req: plugins.google-meet
  test("writes the captions of a call into a private file until it leaves", async () => {
    await using at = await scene();
    const meeting = await at.join("in");
    await comes(() => meeting.lines().length === 1);
    assert.match(meeting.lines()[0]!, /^\[\d\d:\d\d:\d\d\] Ann: Good morning$/);
    assert.deepEqual([meeting.status().inCall, meeting.status().captioning, meeting.over], [true, true, false]);
    await comes(() => existsSync(meeting.file) && readFileSync(meeting.file, "utf8").endsWith("Ann: Good morning\n"));
    await meeting.leave("it is enough");
    const { alive, inCall, exited, leaveReason, transcriptLines } = meeting.status();
    assert.deepEqual(
      { alive, inCall, exited, leaveReason, transcriptLines },
      { alive: false, inCall: false, exited: true, leaveReason: "it is enough", transcriptLines: 1 },
    );
    await meeting.leave("again");
    assert.equal(meeting.status().leaveReason, "it is enough");
  });

  test("leaves a call that does not admit it, with the reason, and leaves when the time limit is reached", async () => {
    await using at = await scene();
    const denied = await at.join("denied");
    await comes(() => denied.over);
    assert.deepEqual(
      [denied.status().leaveReason, denied.status().error],
      ["it was not admitted", "The call did not admit a guest with this name."],
    );
    const short = await at.join("in", { longestMs: 500 });
    await comes(() => short.over);
    assert.equal(short.status().leaveReason, "the requested duration is over");
  });

  test("does not join an address that the guard refuses or that has no page, and reports the reason as untrusted content", async () => {
    await using at = await scene();
    at.refuse("It is on the list.");
    await assert.rejects(
      at.join("in"),
      (cause: ToolFailure) =>
        cause.code === "unreachable" &&
        /Cannot open the call: It is on the list\./.test(cause.message) &&
        cause.from?.host === "127.0.0.1",
    );
  });

  test("an abort cancels joining and closes the browser", async () => {
    await using at = await scene();
    const stop = new AbortController();
    const joining = at.join("asks", { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("given up")), 50);
    await assert.rejects(joining, /given up/);
  });
});
