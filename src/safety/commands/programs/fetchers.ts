import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, NOTHING } from "../risk/effect.ts";
import { readable, SECRET } from "../parse/marks.ts";
import { isPrivateFile } from "../../secrets/secret-files.ts";
import { holdsMetadata, isMetadataHost } from "../risk/metadata-hosts.ts";
import { parseOptions } from "../parse/options.ts";

/** Records the connection to a URL. Addresses of cloud metadata, which return credentials, ask. */
function visit(text: string, call: Call, sends: boolean): void {
  call.by.network(text, sends);
  const url = /^[a-z][\w+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url)) {
    if (holdsMetadata(text)) call.by.harm("cloud-metadata", readable(text));
    return;
  }
  const parsed = new URL(url);
  const host = parsed.hostname.replace(/\.$/, "");
  if (isMetadataHost(host)) call.by.harm("cloud-metadata", readable(text));
  if (parsed.protocol === "file:") call.by.read(decodeURIComponent(parsed.pathname), call);
  if (text.includes(SECRET) && sends) call.by.harm("secret-send", readable(text));
}

const REMOTE: Flow = { text: undefined, remote: true, from: "pipe" };

const CURL_VALUES = "AbcCdDeEFhHKmoPQrtTuUwxXyYz";
const CURL_LONG = [
  "request",
  "header",
  "data",
  "data-raw",
  "data-binary",
  "data-urlencode",
  "data-ascii",
  "json",
  "form",
  "form-string",
  "user",
  "user-agent",
  "referer",
  "cookie",
  "cookie-jar",
  "output",
  "output-dir",
  "upload-file",
  "url",
  "proxy",
  "max-time",
  "connect-timeout",
  "retry",
  "retry-delay",
  "config",
  "cert",
  "key",
  "cacert",
  "resolve",
  "write-out",
  "interface",
  "dump-header",
  "trace",
  "trace-ascii",
  "netrc-file",
  "range",
  "limit-rate",
  "oauth2-bearer",
  "aws-sigv4",
  "unix-socket",
  "connect-to",
  "proxy-user",
  "stderr",
  "etag-save",
  "etag-compare",
  "url-query",
  "variable",
  "continue-at",
  "libcurl",
  "hsts",
  "engine",
  "quote",
];

/** Services whose DELETE removes a machine, an index or a repository, unlike the program under development. */
const MANAGES =
  /:(9200|9201|2375|2376|6443|8001|8500|8200|2379|5984|6333|8086|15672|8983|7700|8108|9090)(\/|$)|^(https?:\/\/)?(api\.(github|digitalocean|cloudflare|heroku|linode|vultr|netlify|vercel|fastly|datadoghq|pagerduty|stripe|sendgrid|openai|machines)\.(com|dev|io)|[\w.-]*gitlab[\w.-]*\/api|management\.azure\.com|[\w.-]+\.(googleapis|amazonaws)\.com|api\.hetzner\.cloud|\S*\/apis?\/(v1|apps)\/namespaces)/i;

const curl: Program = (call) => {
  const options = parseOptions(call.args, { short: CURL_VALUES, long: CURL_LONG });
  const urls = [...options.operands, ...options.values("url")];
  const bodies = [
    ...options.values(
      "d",
      "data",
      "data-binary",
      "data-urlencode",
      "data-ascii",
      "json",
      "F",
      "form",
      "url-query",
      "variable",
    ),
    ...options.values("T", "upload-file").map((file) => `@${file}`),
  ];
  const sends = bodies.length > 0 || options.values("data-raw", "form-string").length > 0;
  for (const url of urls) visit(url, call, sends);
  for (const way of options.values("connect-to", "resolve", "x", "proxy", "preproxy", "socks5", "socks5-hostname"))
    if (holdsMetadata(way)) call.by.harm("cloud-metadata", readable(way));
  // This empties a search server.
  if (
    /^delete$/i.test(options.value("X", "request") ?? "") &&
    urls.some((url) => /\/(_all|[\w.,-]*[*\uE010][\w.*\uE010,-]*)(\/|\?|$)/.test(url))
  )
    call.by.harm("database-drop", `curl -X DELETE ${urls.join(" ")}`);
  const asks = options.value("X", "request") ?? "";
  if (
    urls.some(
      (url) =>
        (/^delete$/i.test(asks) && MANAGES.test(url)) ||
        /\/(_delete_by_query|delete_series|clean_tombstones|quitquitquit|_shutdown|actuator\/shutdown|-\/quit|safeRestart|safeExit)\b/.test(
          url,
        ),
    )
  )
    call.by.harm("infrastructure", `curl -X ${asks} ${urls.join(" ")}`);
  for (const body of bodies) judgeBody(body, call);
  for (const body of [...bodies, ...options.values("data-raw", "form-string"), ...urls])
    if (body.includes(SECRET))
      call.by.harm("secret-send", `curl sends a secret variable to ${readable(urls[0] ?? "")}`);
  judgeHeaders(options.values("H", "header"), call);
  if (sends && call.stdin.secret) call.by.harm("secret-send", `curl sends secrets to ${readable(urls[0] ?? "")}`);
  for (const config of options.values("K", "config")) {
    if (config === "-" && call.stdin.text === undefined)
      call.by.harm("unseen-shell", "curl reads its options from a text that is not shown");
    else if (config !== "-") call.by.read(config, call, { shown: false });
  }
  for (const file of options.values("b", "cookie", "E", "cert", "key"))
    if (/^[~/.]/.test(file)) call.by.read(file, call, { shown: false });
  for (const file of options.values(
    "c",
    "cookie-jar",
    "D",
    "dump-header",
    "trace",
    "trace-ascii",
    "stderr",
    "libcurl",
    "etag-save",
    "hsts",
  ))
    if (file !== "-") call.by.write(file, call);
  if (
    (sends || /^(post|put|delete)$/i.test(asks)) &&
    /\b(docker|podman|containerd)[\w./-]*\.sock$/.test(options.value("unix-socket", "abstract-unix-socket") ?? "")
  )
    call.by.harm("container-host", `curl ${call.args.join(" ")}`);
  const directory = options.value("output-dir");
  const outputs = options.values("o", "output");
  for (const output of outputs)
    if (output !== "-")
      call.by.write(directory === undefined ? output : `${directory}/${output}`, call, "create", REMOTE);
  if (options.has("O", "remote-name", "remote-name-all", "J"))
    for (const url of urls) call.by.write(`${directory ?? "."}/${nameOf(url)}`, call, "create", REMOTE);
  return outputs.some((output) => output !== "-") || options.has("O", "remote-name") ? NOTHING : REMOTE;
};

/** A secret in a header asks, unless the header is meant for one. */
function judgeHeaders(headers: readonly string[], call: Call): void {
  for (const header of headers)
    if (
      header.includes(SECRET) &&
      !/^[^:]*(auth|key|token|cookie|secret|signature|pass|credential)[^:]*:/i.test(header)
    )
      call.by.harm("secret-send", `${call.program} sends a secret variable in ${readable(header)}`);
}

function judgeBody(body: string, call: Call): void {
  const at = body.indexOf("@");
  if (at === -1 && !body.includes("=<")) return;
  const file = (at >= 0 ? body.slice(at + 1) : body.slice(body.indexOf("=<") + 2)).split(";")[0]!;
  if (file !== "-" && file !== "." && file !== "" && (at === 0 || body[at - 1] === "=" || /^\w+@/.test(body)))
    sendFile(file, call);
}

/** Judges a file that is sent. Files of `/etc` and private files ask. */
export function sendFile(file: string, call: Call): void {
  call.by.read(file, call, { shown: true });
  const known = call.by
    .paths(file, call.state)
    .some((path) => /^(\/private)?\/etc\//.test(path) || isPrivateFile(path));
  if (known || call.by.written(file, call)?.secret)
    call.by.harm("secret-send", `${call.program} sends ${readable(file)}`);
}

function nameOf(url: string): string {
  const name = url
    .replace(/[?#].*$/, "")
    .replace(/\/+$/, "")
    .split("/")
    .pop();
  return name === undefined || name === "" ? "index.html" : name;
}

const wget: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "oaOPetTwQUlARDIXBi",
    long: [
      "output-file",
      "output-document",
      "directory-prefix",
      "execute",
      "post-data",
      "post-file",
      "body-data",
      "body-file",
      "header",
      "user",
      "password",
      "user-agent",
      "tries",
      "timeout",
      "wait",
      "quota",
      "level",
      "accept",
      "reject",
      "input-file",
      "method",
      "use-askpass",
      "load-cookies",
      "save-cookies",
      "ca-certificate",
      "certificate",
      "private-key",
      "config",
      "bind-address",
      "referer",
    ],
  });
  const sent = options.values("post-file", "body-file");
  const sends = sent.length > 0 || options.has("post-data", "body-data");
  for (const url of options.operands) visit(url, call, sends);
  for (const file of sent) sendFile(file, call);
  judgeHeaders(options.values("header"), call);
  for (const data of options.values("post-data", "body-data"))
    if (data.includes(SECRET)) call.by.harm("secret-send", "wget sends a secret variable");
  if (options.has("use-askpass")) call.by.harm("option-runs", `wget --use-askpass ${options.value("use-askpass")}`);
  for (const rule of options.values("e", "execute"))
    if (/askpass/i.test(rule)) call.by.harm("option-runs", `wget -e ${rule}`);
  for (const file of options.values("o", "output-file", "a", "append-output"))
    if (file !== "/dev/null") call.by.write(file, call);
  const output = options.value("O", "output-document");
  if (output === "-" || output === "/dev/stdout") return REMOTE;
  const directory = options.value("P", "directory-prefix");
  if (output !== undefined) call.by.write(output, call, "create", REMOTE);
  else if (!options.has("spider"))
    for (const url of options.operands) call.by.write(`${directory ?? "."}/${nameOf(url)}`, call, "create", REMOTE);
  return NOTHING;
};

/** Downloaders that take URLs and print the page. */
const fetcher: Program = (call) => {
  // `--on-download-complete=x.sh`
  const hook = call.args.find((arg) => /^--on-[\w-]+(=|$)/.test(arg));
  if (hook !== undefined) call.by.harm("option-runs", `${call.program} ${hook}`);
  const options = parseOptions(call.args, { short: "oOdAHbFpPT", long: ["output", "out", "dir", "body", "download"] });
  for (const url of options.operands)
    if (/[.:/]/.test(url)) visit(url, call, /^(POST|PUT|PATCH)$/i.test(options.operands[0] ?? ""));
  const place = (options.operands[1] ?? "").replace(/^:/, "localhost:");
  if (/^delete$/i.test(options.operands[0] ?? "") && MANAGES.test(place))
    call.by.harm("infrastructure", `${call.program} ${call.args.join(" ")}`);
  const output = options.value("o", "output", "out");
  if (output !== undefined && output !== "-")
    call.by.write(`${options.value("d", "dir") ?? "."}/${output}`, call, "create", REMOTE);
  if (call.stdin.secret) call.by.harm("secret-send", `${call.program} sends secrets`);
  for (const operand of options.operands)
    if (operand.includes("@") && !operand.includes("://")) judgeBody(operand, call);
  for (const operand of options.operands.slice(1))
    if (operand.includes(SECRET) && !/^[\w-]+:/.test(operand))
      call.by.harm("secret-send", `${call.program} sends a secret variable`);
  return call.program === "aria2c" || call.program === "axel"
    ? (call.by.write(`./${nameOf(options.operands.at(-1) ?? "")}`, call, "create", REMOTE), NOTHING)
    : REMOTE;
};

export const FETCHERS: Readonly<Record<string, Program>> = {
  curl,
  wget,
  wget2: wget,
  http: fetcher,
  https: fetcher,
  xh: fetcher,
  aria2c: fetcher,
  axel: fetcher,
  lynx: fetcher,
  links: fetcher,
  w3m: fetcher,
  elinks: fetcher,
  fetch: fetcher,
  "lwp-request": fetcher,
  GET: fetcher,
  POST: fetcher,
  grpcurl: (call) => {
    const method = call.args.findLast((arg) => /^[\w.]+[./]\w+$/.test(arg)) ?? "";
    if (/[./](Delete|Drop|Remove|Purge|Shutdown|Terminate|Reset|Truncate|Destroy|Kill)\w*$/.test(method))
      call.by.harm("infrastructure", `grpcurl ${call.args.join(" ")}`);
    return fetcher(call);
  },
  websocat: fetcher,
  wscat: fetcher,
};
