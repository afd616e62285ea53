import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseProxy } from "./proxy-choice.ts";

const choose = (url: string, variables: { readonly [name: string]: string }, address?: string) =>
  chooseProxy(new URL(url), (name) => variables[name], address);

/** `socks5 proxy.example:1080 resolves`, `direct`, or the reason why the proxy cannot be used. */
function inWords(...given: Parameters<typeof choose>): string {
  const choice = choose(...given);
  if (choice.kind === "unusable") return choice.reason;
  return choice.kind === "direct"
    ? "direct"
    : `${choice.protocol} ${choice.url.host}${choice.resolves ? " resolves" : ""}`;
}

// field: C09
test("reads a proxy with or without its scheme, quoted or not, in either case, and ALL_PROXY for both protocols", () => {
  for (const [variables, http, https] of [
    [{}, "direct", "direct"],
    [{ HTTP_PROXY: "proxy.example:3128" }, "http proxy.example:3128", "direct"],
    [{ HTTPS_PROXY: "proxy.example:3128" }, "direct", "http proxy.example:3128"],
    [{ https_proxy: "http://low:1", HTTPS_PROXY: "http://up:2" }, "direct", "http low:1"],
    [{ HTTP_PROXY: '"http://proxy.example:3128"' }, "http proxy.example:3128", "direct"],
    [{ HTTP_PROXY: " 'proxy.example:3128' " }, "http proxy.example:3128", "direct"],
    [{ ALL_PROXY: "proxy.example:3128" }, "http proxy.example:3128", "http proxy.example:3128"],
    [{ all_proxy: "https://proxy.example" }, "https proxy.example", "https proxy.example"],
    [{ ALL_PROXY: "socks5://p:1080", HTTP_PROXY: "http://h:1" }, "http h:1", "socks5 p:1080"],
    [{ ALL_PROXY: "socks5h://u:x@p:1080" }, "socks5 p:1080 resolves", "socks5 p:1080 resolves"],
    [{ ALL_PROXY: "SOCKS://p" }, "socks5 p", "socks5 p"],
    [{ ALL_PROXY: "socks4://p:1" }, "socks4 p:1", "socks4 p:1"],
    [{ ALL_PROXY: "socks4a://p:1" }, "socks4 p:1 resolves", "socks4 p:1 resolves"],
    [{ ALL_PROXY: "[fd00::1]:3128" }, "http [fd00::1]:3128", "http [fd00::1]:3128"],
    // An empty value switches the proxy off.
    [{ ALL_PROXY: "p:1", https_proxy: "" }, "http p:1", "direct"],
    [{ ALL_PROXY: '""' }, "direct", "direct"],
  ] as const) {
    assert.equal(inWords("http://site.example/", variables), http, JSON.stringify(variables));
    assert.equal(inWords("https://site.example/", variables), https, JSON.stringify(variables));
  }
});

// field: C09
test("names the variable of a proxy that cannot be used, and never its value", () => {
  for (const [variables, reason] of [
    [{ HTTPS_PROXY: "ftp://user:secret@p" }, "HTTPS_PROXY names a proxy for ftp://, which Hermes cannot use"],
    [{ ALL_PROXY: "quic://secret" }, "ALL_PROXY names a proxy for quic://, which Hermes cannot use"],
    [{ https_proxy: "http://" }, "https_proxy is not the address of a proxy"],
    [{ HTTPS_PROXY: "sec ret:x:y" }, "HTTPS_PROXY is not the address of a proxy"],
  ] as const) {
    assert.equal(inWords("https://site.example/", variables), reason);
    // Where the proxy does not apply, it does not matter.
    assert.equal(inWords("https://site.example/", { ...variables, NO_PROXY: "site.example" }), "direct");
  }
});

// field: C09
test("excepts hosts by name, suffix, port, address and network", () => {
  const isDirect = (rules: string, url: string, address?: string) =>
    inWords(url, { ALL_PROXY: "p:1", NO_PROXY: rules }, address) === "direct";
  for (const [rules, url, address] of [
    ["*", "https://site.example/"],
    ["site.example", "https://site.example/"],
    ["example", "https://site.example/"],
    ["SITE.Example.", "https://a.site.example/"],
    [".example", "https://site.example/"],
    [".site.example", "https://site.example/"],
    ["*.site.example", "https://a.b.site.example/"],
    ["a,  'site.example'", "https://site.example/"],
    ["a site.example", "https://site.example/"],
    ["site.example:443", "https://site.example/"],
    ["site.example:8443", "https://site.example:8443/"],
    ["http://site.example/", "https://site.example/"],
    ["192.168.1.7", "http://192.168.1.7/"],
    ["192.168.1.7:8080", "http://192.168.1.7:8080/"],
    ["192.168.0.0/16", "http://192.168.1.7/"],
    ["10.0.0.0/8", "https://site.example/", "10.1.2.3"],
    ["10.1.2.3", "https://site.example/", "10.1.2.3"],
    ["0.0.0.0/0", "https://site.example/", "8.8.8.8"],
    ["fd00::/8", "http://[fd12::1]/"],
    ["[fd12::1]", "http://[fd12:0::1]/"],
    ["fd12::1", "http://[fd12::1]:8080/"],
  ] as const)
    assert.equal(isDirect(rules, url, address), true, `${rules} ${url}`);
  for (const [rules, url, address] of [
    ["", "https://site.example/"],
    ["te.example", "https://site.example/"],
    ["*.site.example", "https://site.example/"],
    ["site.example:80", "https://site.example/"],
    ["site.example.evil", "https://site.example/"],
    ["192.168.1.0/24", "http://192.168.2.7/"],
    ["192.168.1.0/33", "http://192.168.1.7/"],
    ["10.0.0.0/8", "https://site.example/", "11.1.2.3"],
    ["10.0.0.0/8", "https://site.example/"],
    ["fd00::/8", "http://[fe12::1]/"],
    ["10.0.0.0/8", "http://[::a]/"],
  ] as const)
    assert.equal(isDirect(rules, url, address), false, `${rules} ${url}`);
});

// field: C09
test("never uses a proxy for loopback, also for names that resolve to it", () => {
  const variables = { ALL_PROXY: "socks5h://p:1" };
  for (const url of [
    "http://127.0.0.1:1/",
    "http://localhost/",
    "https://[::1]/",
    "http://a.localhost/",
    "http://127.9.9.9/",
  ])
    assert.equal(inWords(url, variables), "direct", url);
  assert.equal(inWords("http://site.example/", variables, "127.0.0.1"), "direct");
  assert.equal(inWords("http://127.site.example/", variables), "socks5 p:1 resolves");
});
