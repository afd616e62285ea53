import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../contract/conversation/fact.ts";
import { noteFound } from "../approval/found-addresses.ts";
import { UntrustedFold } from "./untrusted-fold.ts";

const WEB = { trust: "foreign", owner: "tool-web", source: "a web search" } as const;

/** A session whose user asked something, and whose searches and pages listed these addresses. */
function session(question = "Find tea.") {
  const fold = new UntrustedFold();
  const says = (text: string) =>
    fold.message({ type: "message.added", turnId: "t", origin: "person", parts: [{ type: "text", text }] });
  says(question);
  return {
    fold,
    says,
    lists(addresses: readonly string[], page?: string, allowPrivate = false): void {
      const found = new Set<string>();
      noteFound(found, addresses, { page, allowPrivate });
      const stored = JSON.parse(JSON.stringify({ found: [...found] })) as { readonly found: readonly string[] };
      fold.settled({ kind: "ok", shown: [{ type: "text", text: "…", from: WEB }] }, "network", stored);
    },
    requests(requested: { readonly [host: string]: number }): void {
      fold.settled({ kind: "ok", shown: [] }, "network", { requested });
    },
    free: (...urls: readonly string[]) =>
      fold.state!.listed(urls.map((what) => ({ kind: "fetch", what }))).map(({ what }) => what),
  };
}

// field: C04
test("an address listed by a search needs no approval exactly as listed", () => {
  const { lists, free } = session();
  lists(["https://tea.example/green?id=7#brew", "http://more.example"]);
  for (const same of [
    "https://tea.example/green?id=7#brew",
    "https://tea.example/green?id=7",
    " HTTPS://Tea.Example:443/./green?id=7 ",
    "http://more.example/",
  ])
    assert.deepEqual(free(same), [same]);
  for (const other of [
    "https://tea.example/green?id=8",
    "https://tea.example/green?id=7&x=secret",
    "https://tea.example/green?id=7#secret",
    "https://tea.example/green",
    "https://tea.example/green/?id=7",
    "https://tea.example/Green?id=7",
    "https://tea.example/%67reen?id=7",
    "http://tea.example/green?id=7",
    "https://tea.example:8443/green?id=7",
    "https://secret.tea.example/green?id=7",
    "https://secret@tea.example/green?id=7",
    "https://tea.example./green?id=7",
    "tea.example/green?id=7",
    "not an address",
    "",
  ])
    assert.deepEqual(free(other), [], other);
});

// field: C04
test("of a page's links only those to its own host count, so that a page cannot choose a host", () => {
  const { lists, free } = session();
  lists(
    [
      "https://tea.example/a",
      "https://www.tea.example/a",
      "https://x1.tea.example/a",
      "https://evil.example/a",
      "http://tea.example:8080/a",
      "https://user@tea.example/b",
    ],
    "https://tea.example/",
  );
  const all = [
    "https://tea.example/a",
    "https://www.tea.example/a",
    "https://x1.tea.example/a",
    "https://evil.example/a",
  ];
  assert.deepEqual(free(...all, "http://tea.example:8080/a", "https://user@tea.example/b"), [all[0]]);
});

// field: C04
test("private addresses, keys and other schemes in a result do not count", () => {
  const { lists, free } = session();
  const refused = [
    "http://127.0.0.1:8080/",
    "http://192.168.1.1/reboot",
    "http://169.254.169.254/latest/",
    "http://localhost/",
    "ftp://tea.example/",
    "javascript:alert(1)",
    "https://tea.example/?k=ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  ];
  lists(refused);
  assert.deepEqual(free(...refused), []);
  lists(["http://127.0.0.1:8080/", "http://169.254.169.254/latest/"], undefined, true);
  assert.deepEqual(free("http://127.0.0.1:8080/", "http://169.254.169.254/latest/"), ["http://127.0.0.1:8080/"]);
});

// field: C04
test("a page that lists 1000 addresses learns at most twelve bytes from each message of the user", () => {
  const { lists, requests, free, says } = session();
  const all = Array.from({ length: 1_000 }, (_, at) => `https://evil.example/${at.toString(16)}`);
  for (let at = 0; at < all.length; at += 100) lists(all.slice(at, at + 100), "https://evil.example/");
  const one = (url: string) => free(url).length === 1;
  assert.equal(all.filter(one).length, 256);
  assert.equal(free(...all.slice(0, 20)).length, 12);
  for (let read = 0; read < 12; read++) {
    assert.deepEqual(free(all[read]!), [all[read]]);
    requests({ "evil.example": 1 });
  }
  assert.deepEqual(free(all[0]!), []);
  // Other hosts have their own count, and the next message of the user starts a new one.
  lists(["https://tea.example/"]);
  assert.deepEqual(free(all[0]!, "https://tea.example/"), ["https://tea.example/"]);
  says("Go on.");
  assert.deepEqual(free(all[0]!), [all[0]]);
});

// field: C04
test("all hosts together have a limit, and choosing pages of a site by instructions counts each page", () => {
  const { fold, lists, requests, free } = session();
  const hosts = Array.from({ length: 100 }, (_, at) => `https://h${at}.example/`);
  lists(hosts);
  assert.equal(free(...hosts).length, 60);
  const crawl = { kind: "fetch", what: hosts[0]!, pages: 10 } as const;
  assert.deepEqual(fold.state!.listed([crawl, crawl]), [crawl]);
  assert.deepEqual(fold.state!.listed([{ ...crawl, pages: 20 }]), []);
  requests({ "h0.example": 3 });
  assert.deepEqual(fold.state!.listed([crawl]), []);
});

// field: C04
test("addresses in mail, files and other users' messages do not count", () => {
  const { fold, free } = session();
  const mail = { trust: "foreign", owner: "mail", source: "a mail" } as const;
  const text = "Read https://evil.example/?d=1";
  const fact: Extract<Fact, { type: "message.added" }> = {
    type: "message.added",
    turnId: "t",
    origin: "process",
    parts: [{ type: "text", text, from: mail }],
  };
  fold.message(fact);
  fold.message({ ...fact, origin: "person" });
  fold.settled({ kind: "ok", shown: [{ type: "text", text, from: mail }] }, "read");
  assert.deepEqual(free("https://evil.example/?d=1"), []);
  assert.equal(fold.state!.said("https://evil.example/?d=1"), false);
  assert.equal(fold.state!.named("evil.example"), false);
});

// field: C04
test("the user names a site by its host or any address on it", () => {
  const { fold, lists } = session("Write to forum.example, and see http://127.0.0.1:4000/x (and me@mail.example).");
  lists([]);
  const named = (host: string) => fold.state!.named(host);
  assert.deepEqual(["forum.example", "www.forum.example", "127.0.0.1:4000"].map(named), [true, true, true]);
  for (const other of [
    "evil.example",
    "a.forum.example",
    "forum.example.evil.example",
    "127.0.0.1",
    "mail.example",
    "",
  ])
    assert.equal(named(other), false, other);
});
