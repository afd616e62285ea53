import { ToolFailure } from "hermes-agent/plugin";

type Env = (name: string) => string | undefined;

const HOSTS: { readonly [domain: string]: string } = { feishu: "open.feishu.cn", lark: "open.larksuite.com" };

/** The API's base URL without a trailing slash. @throws {ToolFailure} if FEISHU_DOMAIN is invalid. */
export function apiAddress(env: Env): string {
  const own = (env("FEISHU_API_BASE_URL") ?? "").trim().replace(/\/+$/, "");
  if (own !== "") return own;
  const wrong = wrongDomain(env);
  if (wrong !== undefined) throw new ToolFailure("unavailable", wrong);
  return `https://${apiHost(env)}`;
}

/** The host of the service that FEISHU_DOMAIN names; its developer console is there too. */
export function apiHost(env: Env): string {
  return HOSTS[domainOf(env)] ?? HOSTS["feishu"]!;
}

/** The problem with FEISHU_DOMAIN in a sentence; `undefined` if it is valid. */
export function wrongDomain(env: Env): string | undefined {
  const domain = domainOf(env);
  return Object.hasOwn(HOSTS, domain)
    ? undefined
    : `FEISHU_DOMAIN is "${domain.slice(0, 60)}"; it must be feishu or lark.`;
}

function domainOf(env: Env): string {
  return (env("FEISHU_DOMAIN") ?? "").trim().toLowerCase() || "feishu";
}
