import { ToolFailure } from "hermes-agent/plugin";

type Env = (name: string) => string | undefined;

const HOSTS: { readonly [domain: string]: string } = { feishu: "open.feishu.cn", lark: "open.larksuite.com" };

/** Where the API is, without a last slash. @throws {ToolFailure} where FEISHU_DOMAIN names neither service. */
export function apiAddress(env: Env): string {
  const own = (env("FEISHU_API_BASE_URL") ?? "").trim().replace(/\/+$/, "");
  if (own !== "") return own;
  const wrong = wrongDomain(env);
  if (wrong !== undefined) throw new ToolFailure("unavailable", wrong);
  return `https://${apiHost(env)}`;
}

/** Of the service that FEISHU_DOMAIN names; its pages for people who make apps are there, too. */
export function apiHost(env: Env): string {
  return HOSTS[domainOf(env)] ?? HOSTS["feishu"]!;
}

/** What is wrong with FEISHU_DOMAIN, in a sentence; nothing for most. */
export function wrongDomain(env: Env): string | undefined {
  const domain = domainOf(env);
  return Object.hasOwn(HOSTS, domain) ? undefined : `FEISHU_DOMAIN is "${domain.slice(0, 60)}"; it is feishu or lark.`;
}

function domainOf(env: Env): string {
  return (env("FEISHU_DOMAIN") ?? "").trim().toLowerCase() || "feishu";
}
