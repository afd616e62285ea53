import type { ModelFailure } from "hermes-agent/plugin";
import type { Complaint } from "./complaint.ts";

type Code = ModelFailure["code"];

/** Failures that may pass without a change of the request. */
const RETRYABLE: ReadonlySet<Code> = new Set(["rate_limit", "timeout", "overloaded", "server"]);

/** One kind of error: all conditions that it names must hold. */
interface ErrorRule {
  readonly code: Code;
  /** HTTP statuses; "none" is an error without one. Absent: any. */
  readonly status?: readonly (number | "none" | "4xx" | "5xx")[];
  /** In the provider's codes only. */
  readonly codes?: RegExp;
  /** In its codes or its message. */
  readonly text?: RegExp;
}

const CREDIT =
  /reached your specified api usage limits|free tier is not available|usage limit for this billing cycle|insufficient[ _]?(quota|balance|credits?|funds)|insufficientbalance|balance is insufficient|budget has been exceeded|billing_hard_limit|credit balance|arrearage|in arrears|overdue|余额不足|欠费|account.{0,20}(suspended|deactivated)|used all (available )?credits|spending limit|credits? (exhausted|depleted)|run out of credits/i;

/** Providers' errors, the first rule that fits decides. Numbers are providers' own codes (MiniMax, GLM, Baidu, …). */
const ERRORS: readonly ErrorRule[] = [
  // Numbers that say more than a status. MiniMax 1xxx/2xxx, GLM 1xxx, Baidu 336xxx, Spark 10xxx/11xxx, Cloudflare 3xxx-9xxx.
  {
    code: "auth",
    codes: /(^| )(1004|2049|1000|1001|1003|10000|10001|9109|9106|110|111|13|14|6|336002)( |$)/,
    text: /auth|token|key|login|certification|no permission|鉴权|身份|令牌|密钥/i,
  },
  { code: "overloaded", codes: /(^| )2( |$)/, text: /service temporarily unavailable/i },
  { code: "rate_limit", codes: /(^| )4( |$)/, text: /request limit reached/i },
  // OpenRouter: paid requests that still run fill the budget; it says when to try again.
  { code: "rate_limit", status: [402], text: /in_flight_budget/i },
  { code: "auth", status: [403], text: /resource has been temporarily blocked/i },
  { code: "billing", codes: /(^| )(1008|1113|1112|2056|1309|17|336601)( |$)/ },
  {
    code: "rate_limit",
    status: [400, 403, 429, "5xx", "none"],
    codes: /(^| )(1002|1041|1302|1303|1305|1308|18|336501|336502|11200|11202|11203)( |$)/,
  },
  { code: "refused", codes: /(^| )(1026|1027|1301|336104|10013|10014|10019)( |$)/ },
  { code: "context_overflow", codes: /(^| )(1039|1261|336007|336103|10907)( |$)/ },
  { code: "model_not_found", codes: /(^| )(1211|5007|336001|336003|7000)( |$)/, text: /model|模型|route/i },
  { code: "overloaded", codes: /(^| )(3040|1312|336100|336203)( |$)/ },
  { code: "rate_limit", codes: /(^| )3036( |$)/ },
  { code: "timeout", codes: /(^| )1001( |$)/, text: /timeout|timed out|超时/i },
  // Rate-limit messages mention "input tokens" and quotas too, so check the status first.
  { code: "billing", status: [429, 403], text: CREDIT },
  { code: "rate_limit", status: [429] },
  { code: "auth", status: [401] },
  { code: "billing", status: [402] },
  // Google's words for a key that is none come with status 400, as do those of DashScope, xAI and Cohere.
  {
    code: "auth",
    status: [400, 403, 404, 422, "none"],
    text: /api[ _-]?key[ _](is )?(not[ _]valid|invalid|expired)|invalid(ed)?[ _-]?api[ _-]?key|incorrect api key|api key not found|invalid api token|authentication_?(error|failed|fails)|unauthenticated|\bunauthorized\b|(invalid|expired|bad) (access |auth\w* )?token\b|invalidclienttoken|unrecognizedclient|authfailure|incompletesignature|requestexpired|\bnotauthorized\b|no api key|鉴权|身份验证/i,
  },
  { code: "rate_limit", status: ["none"], codes: /rate_?limit|resource_?exhausted|too_?many_?requests|throttling/i },
  // AWS, DashScope and Google's quota errors carry other statuses than 429.
  {
    code: "rate_limit",
    status: [400, 403, 503, "none"],
    text: /throttl(ing|ed)|too many requests|ratelimit|rate[ _-]limit (exceeded|reached)|requests? per (second|minute)|quota exceeded for|limitexceeded|servicequotaexceeded|userRateLimitExceeded|rate increased too quickly/i,
  },
  {
    code: "billing",
    status: ["4xx", "none"],
    text: /insufficient[ _](quota|credits?|balance|funds)|billing_(hard_limit|not_active|error)|credit balance|payment required|out of credits|more credits|access_terminated|free[ -]?tier.{0,20}exhausted|free allocat/i,
  },
  { code: "billing", status: ["4xx", "none"], text: CREDIT },
  // A field, a part or an id that the model does not take, although the message may mention its window or its name.
  {
    code: "bad_request",
    status: [400, 422, "none"],
    text: /maximum length \d+, but got a string|max[ _]?(completion[ _]|output[ _])?tokens`? (must be|value)|(functions?|tools?|image\w*|system role)( \w+)? (is|are) not (supported|enabled)/i,
  },
  { code: "context_overflow", status: [413] },
  {
    code: "context_overflow",
    text: /context[ _-]?(length|window|size|limit)|maximum context|prompt is too long|input (is|was) too long|too many (input |total )?tokens|input token count|exceed_context|reduce the length|longer than the (model|maximum)|request_too_large|maximum (prompt|input|sequence|model) length|range of input length|prompt (token )?(length|contains|too long)|exceeds? (the )?(model'?s? )?max(imum)?[ _](model[ _]len|number of (input )?tokens|input length|sequence)|tokens? (exceed|limit exceeded)|token limit exceeded|(inputs?|prompt|messages?)\W.{0,40}too (long|large|many tokens)|超过.{0,12}(长度|限制|上限)|max_prompt_tokens|model token limit|`?inputs?`? (tokens \+|must have)/i,
  },
  {
    code: "refused",
    status: ["4xx", "none"],
    text: /content[ _](policy|filter|management)|moderation|safety (system|reasons|settings)|safety_?(block|violation)|usage (polic|guidelines)|data_?inspection|inappropriate content|flagged|responsibleai|content_?violation|content exists risk|guardrail|sensitive (content|words?|information)|敏感|违规|不安全|prohibited_content|blocked by (our|the)|high[ _-]risk|recitation/i,
  },
  {
    code: "model_not_found",
    status: [400, 403, 404, 410, 422, 500, "none"],
    text: /model[ _]?not[ _]?(found|exist)|modelnotfound|no such model|unknown[ _]model|invalid model|model\b.{0,120}\b(does ?n[o']t exist|not found|is not (available|supported|a valid)|not exist|has been (deprecated|decommissioned|retired|shut down)|is (deprecated|retired|no longer available)|not loaded|cannot be found)|model_decommissioned|not a valid model|no endpoints found|deploymentnotfound|deployment\b.{0,80}does not exist|invalid model|try pulling it first|failed to load model|no models? loaded|模型不存在|model identifier is invalid/i,
  },
  { code: "auth", status: ["none"], codes: /authentication|invalid_?api_?key|unauthenticated|permission/i },
  { code: "overloaded", status: [403, 400, "none"], codes: /overloaded/i },
  { code: "auth", status: [403] },
  { code: "auth", status: [407] },
  { code: "model_not_found", status: [404, 410] },
  { code: "timeout", status: [408, 504, 524] },
  { code: "timeout", status: ["none"], codes: /timeout|deadline_exceeded/i },
  { code: "overloaded", status: [503, 529, 498, 424] },
  {
    code: "overloaded",
    codes: /overloaded|at capacity|no healthy upstream|engine is busy|unavailable|capacity_exceeded|modelnotready/i,
  },
  {
    code: "overloaded",
    status: [500, 502, "none"],
    text: /overloaded|at capacity|no healthy upstream|currently busy|system is busy|currently loading|负载|繁忙/i,
  },
  { code: "model_not_found", status: ["none"], codes: /not_found/i },
  {
    code: "bad_request",
    status: ["none"],
    codes:
      /invalid_?(request|argument|parameter|prompt|params)|bad_?request|validation|2013|1210|1214|failed_precondition|unsupported/i,
  },
  { code: "server", status: ["none", "5xx", 409, 425, 499] },
];

/** The one place that decides what kind of failure a complaint is. */
export function classify(complaint: Complaint): Pick<ModelFailure, "code" | "retryable"> {
  const { codes, message, status } = complaint;
  const text = `${codes} ${message}`;
  const rule = ERRORS.find(
    (one) =>
      (one.status === undefined || one.status.some((wanted) => isStatus(wanted, status))) &&
      (one.codes === undefined || one.codes.test(codes)) &&
      (one.text === undefined || one.text.test(text)),
  );
  const code = rule?.code ?? "bad_request";
  return { code, retryable: RETRYABLE.has(code) };
}

function isStatus(wanted: number | "none" | "4xx" | "5xx", status: number | undefined): boolean {
  // An error in a body of status 200 says itself what it is.
  if (status === undefined || status < 400) return wanted === "none";
  if (wanted === "4xx") return status < 500;
  if (wanted === "5xx") return status >= 500;
  return wanted === status;
}
